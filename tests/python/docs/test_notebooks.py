"""The notebooks as they are kept: run to the end in order, and clean. `make test-notebooks` runs them anew."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path
from typing import Any

import pytest

import sarai
from helpers.places import ROOT

NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))
# One of them shows a film of every game.
MOST_BYTES = 300_000 + 100_000 * len(sarai.games())
every_notebook = pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)

Cell = dict[str, Any]


def cells(path: Path, kind: str) -> list[Cell]:
    found: list[Cell] = json.loads(path.read_text(encoding="utf-8"))["cells"]
    return [cell for cell in found if cell["cell_type"] == kind]


def texts(path: Path) -> list[str]:
    """Everything that a notebook shows as text: JSON strings of outputs, pictures in base64 left out."""
    return [
        "".join(text)
        for cell in cells(path, "code")
        for output in cell["outputs"]
        for kind, text in {**output.get("data", {}), "stream": output.get("text", "")}.items()
        if kind != "image/png"
    ]


@every_notebook
def test_a_notebook_is_kept_as_it_ran_once_in_order(path: Path) -> None:
    code = cells(path, "code")
    assert [cell["execution_count"] for cell in code] == list(range(1, len(code) + 1))
    assert all("".join(cell["source"]).strip() for cell in code)
    # Not an empty shell: most cells show something.
    assert sum(bool(cell["outputs"]) for cell in code) > len(code) / 2
    for cell in code:
        for output in cell["outputs"]:
            assert output["output_type"] != "error", cell["id"]
            assert output.get("name") != "stderr", cell["id"]
    assert path.stat().st_size < MOST_BYTES


@every_notebook
def test_nothing_tells_of_the_machine(path: Path) -> None:
    notebook = json.loads(path.read_text(encoding="utf-8"))
    assert notebook["metadata"] == {
        "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
        "language_info": {"name": "python"},
    }
    for number, cell in enumerate(notebook["cells"], 1):
        assert cell["id"] == f"{path.stem[:2]}-{number:02d}"
        assert cell["metadata"] == {}
        for output in cell.get("outputs", []):
            assert output.get("metadata", {}) == {}
            assert not [kind for kind in output.get("data", {}) if "widget" in kind], cell["id"]
    for text in texts(path):
        assert not re.search(
            r"(?<![\w<>/])/(?:home|root|tmp|usr|work|opt|var|mnt|Users)/|\b[A-Za-z]:\\", text
        )
        assert not re.search(r" at 0x[0-9a-fA-F]{6,}", text)


def links(path: Path) -> list[str]:
    """What the text of a notebook leads to, on the web or beside it."""
    text = "\n".join("".join(cell["source"]) for cell in cells(path, "markdown"))
    return re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", text)


def served_folder() -> Path:
    """What JupyterLab serves after the command in docs/notebooks.md; whatever lies outside is not found there."""
    page = (ROOT / "docs" / "notebooks.md").read_text(encoding="utf-8")
    command = re.search(r"^ {4}python -m jupyterlab (.*)$", page, re.MULTILINE)
    assert command is not None
    *options, opened = shlex.split(command[1])
    assert (ROOT / opened).exists()
    if "--notebook-dir" in options:
        return (ROOT / options[options.index("--notebook-dir") + 1]).resolve()
    return (ROOT / opened).resolve() if (ROOT / opened).is_dir() else (ROOT / opened).resolve().parent


def test_links_lead_somewhere() -> None:
    beside = [(path, link) for path in NOTEBOOKS for link in links(path) if not link.startswith("https://")]
    assert beside
    for path, link in beside:
        target = (path.parent / link).resolve()
        # JupyterLab opens no folders.
        assert target.is_file(), link
        assert target.is_relative_to(served_folder()), f"{link} is outside of what JupyterLab serves"
