"""How the package is laid out: who imports whom."""

from __future__ import annotations

import ast
import importlib
import re
import runpy
import sys
from graphlib import TopologicalSorter
from pathlib import Path
from types import ModuleType

import pytest

PACKAGE = Path(__file__).parents[3] / "python" / "sarai"


def modules() -> dict[str, Path]:
    """Every module of the package by its name."""
    found = {}
    for path in PACKAGE.rglob("*.py"):
        parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


def imported(source: str, known: set[str]) -> set[str]:
    """The modules that a source imports, wherever in it: within functions, too, but not for types only."""
    found = set()
    tree = ast.parse(source)
    tree.body = [node for node in tree.body if not _is_for_types(node)]
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are written in full"
            for alias in node.names:
                full = f"{node.module}.{alias.name}"
                found.add(full if full in known else str(node.module))
    return found & known


def _is_for_types(node: ast.stmt) -> bool:
    return isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"


def _room(name: str) -> str:
    """The folder of a module, or its own name if it stands in none."""
    return name.split(".")[1] if "." in name else name


def test_the_imports_are_read() -> None:
    known = {"sarai", "sarai.a", "sarai.b", "sarai.c"}
    assert imported("from sarai import a, x\ndef f():\n    from sarai.b import y\n", known) == {
        "sarai",
        "sarai.a",
        "sarai.b",
    }
    assert imported("import sarai.c\nif TYPE_CHECKING:\n    import sarai.a\n", known) == {"sarai.c"}


def test_no_imports_go_round() -> None:
    known = modules()
    graph = {name: imported(path.read_text(encoding="utf-8"), {*known}) for name, path in known.items()}
    # The package's own face imports everything; what `sarai._core` is named by is no import of the face.
    for name in graph:
        graph[name] -= {"sarai"}
    assert len(graph) > 50
    # A CycleError names the modules of a circle, or the folders.
    assert {*TopologicalSorter(graph).static_order()} >= {*known} - {"sarai"}
    rooms: dict[str, set[str]] = {}
    for name, others in graph.items():
        rooms.setdefault(_room(name), set()).update(map(_room, others))
    for room, others in rooms.items():
        others.discard(room)
    assert {*TopologicalSorter(rooms).static_order()} >= {"_results", "_envs", "_cli"}


def test_an_application_of_pyinstaller_has_every_file(monkeypatch: pytest.MonkeyPatch) -> None:
    tool = ModuleType("PyInstaller.utils.hooks")
    monkeypatch.setattr(tool, "collect_data_files", lambda name: [name], raising=False)
    monkeypatch.setitem(sys.modules, tool.__name__, tool)
    project = (PACKAGE.parents[1] / "pyproject.toml").read_text(encoding="utf-8")
    module, name = re.findall(r'^hook-dirs = "([\w.]+):(\w+)"$', project, re.MULTILINE)[0]
    (folder,) = getattr(importlib.import_module(module), name)()
    assert runpy.run_path(f"{folder}/hook-sarai.py")["datas"] == ["sarai"]
