"""The documentation site has every page and every public name; `make docs-site` builds it and checks its links."""

from __future__ import annotations

import ast
import doctest
import importlib
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

import sarai
from helpers import scripts
from helpers.places import ROOT

# The modules whose names are public, beside those of `sarai` itself.
FACES = (
    "agents",
    "datasets",
    "exact",
    "matches",
    "nets",
    "records",
    "render",
    "render.pixels",
    "render.text",
    "results",
    "intervals",
    "training",
)
# They need libraries that are not here, and are read.
ADAPTERS = ("openspiel", "rllib", "sb3", "torchrl")
# Modules, which have pages of their own.
NOT_DESCRIBED = {"sarai.nets"}
DIRECTIVE = re.compile(r"^\.\. auto(?:function|class|data|exception|module):: (\S+)$", re.MULTILINE)
# What has no docstring of its own.
DATA = re.compile(r"^\.\. py:data:: (\S+)\n   :module: (\S+)$", re.MULTILINE)


def described() -> list[str]:
    """What the reference describes; a module stands for its names."""
    found = []
    for page in sorted((ROOT / "docs" / "api").glob("*.rst")):
        text = page.read_text(encoding="utf-8")
        found += [f"{module}.{name}" for name, module in DATA.findall(text)]
        for name in DIRECTIVE.findall(text):
            module = sys.modules.get(name)
            found += [f"{name}.{one}" for one in module.__all__] if module else [name]
    return found


def of_adapters() -> Iterator[str]:
    for adapter in ADAPTERS:
        source = (ROOT / "python" / "sarai" / "adapters" / f"{adapter}.py").read_text(encoding="utf-8")
        for node in ast.parse(source).body:
            if isinstance(node, (ast.ClassDef, ast.FunctionDef)) and not node.name.startswith("_"):
                yield f"sarai.adapters.{adapter}.{node.name}"


@pytest.mark.parametrize("adapter", ADAPTERS)
def test_an_adapter_tells_its_names_first(adapter: str) -> None:
    # Below them `help` shows a thousand lines of what the classes inherit from the library.
    tree = ast.parse((ROOT / "python" / "sarai" / "adapters" / f"{adapter}.py").read_text(encoding="utf-8"))
    lists = [
        node.value for node in tree.body if isinstance(node, ast.Assign) and "__all__" in ast.unparse(node)
    ]
    (names,) = map(ast.literal_eval, lists)
    assert sorted(f"sarai.adapters.{adapter}.{name}" for name in names) == sorted(
        name for name in of_adapters() if f".{adapter}." in name
    )
    assert all(f"`{name}`" in (ast.get_docstring(tree) or "") for name in names)


def public() -> set[str]:
    """Every public name, by its shortest path."""
    names = {f"sarai.{name}" for name in sarai.__all__} - NOT_DESCRIBED
    ours = [getattr(sarai, name) for name in sarai.__all__]
    for face in FACES:
        module = importlib.import_module(f"sarai.{face}")
        names |= {
            f"sarai.{face}.{name}"
            for name in module.__all__
            if not any(getattr(module, name) is one for one in ours)
        }
    return names | {*of_adapters()}


def test_the_first_names_are_those_that_a_person_types() -> None:
    # The number is part of the contract.
    assert len(sarai.__all__) <= 40
    assert not any(name in sarai.__all__ for name in (*sarai.results.__all__, *sarai.matches.__all__))


def test_the_reference_lists_the_public_modules() -> None:
    text = (ROOT / "docs" / "reference.md").read_text(encoding="utf-8")
    listed = re.findall(r"^\| `(sarai[.\w]*)` \|", text, re.MULTILINE)
    modules = {path.stem for path in (ROOT / "python" / "sarai").glob("[a-z]*") if path.suffix in ("", ".py")}
    assert listed == ["sarai", *(f"sarai.{name}" for name in sorted(modules))]


def test_the_reference_has_every_public_name() -> None:
    known = described()
    assert sorted(public() - {*known}) == []
    assert sorted({name for name in known if known.count(name) > 1}) == []


def test_the_reference_has_no_other_name_that_does_not_exist() -> None:
    for name in {*described()} - {*of_adapters()}:
        found(name)


def test_every_module_with_a_face_is_known() -> None:
    package = ROOT / "python" / "sarai"
    with_face = {
        ".".join(path.parent.relative_to(package).parts)
        for path in package.glob("*/__init__.py")
        if "\n__all__ = [" in path.read_text(encoding="utf-8")
    }
    assert with_face <= {*FACES}


def found(name: str) -> object:
    """What a dotted name of the package names."""
    first, *parts = name.split(".")
    thing: object = importlib.import_module(first)
    for number, part in enumerate(parts, 2):
        if isinstance(thing, ModuleType) and not hasattr(thing, part):
            thing = importlib.import_module(".".join(name.split(".")[:number]))
        else:
            thing = getattr(thing, part)
    return thing


def test_names_in_pages_exist() -> None:
    text = "".join(page.read_text(encoding="utf-8") for page in (ROOT / "docs").glob("**/*.md"))
    # The last is the format of records.
    known = {*of_adapters(), *(f"sarai.adapters.{adapter}" for adapter in ADAPTERS), "sarai.record"}
    for name in {*re.findall(r"`(sarai(?:\.\w+)+)", text)} - known:
        found(name)


@pytest.mark.parametrize("name", ["docs_site", "check_site"])
def test_examples_of_the_scripts(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.path", [str(ROOT / "scripts"), *sys.path])
    failed, tried = doctest.testmod(scripts.load(f"scripts/{name}.py"))
    assert (failed, tried > 0) == (0, True)


def test_every_page_has_its_place() -> None:
    text = (ROOT / "docs" / "conf.py").read_text(encoding="utf-8")
    (tree,) = (
        node.value
        for node in ast.parse(text).body
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "TREE"
    )
    entries = [entry for below in ast.literal_eval(tree).values() for entry in below]
    assert len(entries) == len({*entries})
    pages = {path.stem for path in (ROOT / "docs").glob("*.md")}
    # The changelog and the like lie elsewhere.
    alone = {"changelog", "contributing", "api/index"}
    assert pages == {entry for entry in entries if "*" not in entry} - alone | {"index"}


PAGE = """<html><head><link rel="stylesheet" href="here.css"><link rel="canonical" href="https://a.org"></head>
<body><a href="#in">in</a> <a href="#out">out</a> <a href="other.html#x">x</a> <a href="gone.html">gone</a>
<a href="https://a.org">a</a> <script src="https://a.org/b.js"></script><p id="in">in</p></body></html>"""


def test_what_a_site_may_not_have_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.path", [str(ROOT / "scripts"), *sys.path])
    script = scripts.load("scripts/check_site.py")
    (tmp_path / "index.html").write_text(PAGE, encoding="utf-8")
    (tmp_path / "other.html").write_text('<p id="x"></p>', encoding="utf-8")
    (tmp_path / "here.css").write_text("@import 'https://fonts.org/f.css'; a { background: url(b.png) }")
    assert script.check(tmp_path) == 1
    assert capsys.readouterr().err.splitlines() == [
        "here.css: https://fonts.org/f.css is fetched from elsewhere",
        "here.css: b.png leads nowhere",
        "index.html: #out leads to no place on that page",
        "index.html: gone.html leads nowhere",
        "index.html: https://a.org/b.js is fetched from elsewhere",
    ]


def test_the_site_needs_no_internals() -> None:
    """What is private, or set from outside, is not the same in the Sphinx of every Python."""
    tree = ast.parse((ROOT / "docs" / "conf.py").read_text(encoding="utf-8"))
    imported = set()
    for node in ast.walk(tree):
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            module = getattr(node, "module", None)
            paths = [alias.name if module is None else f"{module}.{alias.name}" for alias in node.names]
            assert not any(
                part.startswith("_") for path in paths for part in path.split(".") if part != "__future__"
            )
            imported |= {(alias.asname or alias.name).partition(".")[0] for alias in node.names}
        for target in getattr(node, "targets", []):
            root = target
            while isinstance(root, ast.Attribute):
                root = root.value
            assert root is target or ast.unparse(root) not in imported, ast.unparse(node)
