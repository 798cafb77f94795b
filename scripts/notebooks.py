"""Runs notebooks from top to bottom and writes them back with what they show, and nothing of when and where they ran.

    python scripts/notebooks.py notebooks/*.ipynb

It needs nbclient and ipykernel (`make notebooks` has them). A notebook in which a cell fails is left as it was.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

import nbformat
from nbclient import NotebookClient

SECONDS_A_CELL = 300


def clean(notebook: nbformat.NotebookNode, prefix: str) -> None:
    """Leave no trace of a machine or an editor: the same cells and outputs always give the same file."""
    notebook.metadata = {
        "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
        "language_info": {"name": "python"},
    }
    for number, cell in enumerate(notebook.cells, 1):
        cell.id = f"{prefix}-{number:02d}"
        cell.metadata = {}
        for output in cell.get("outputs", []):
            if "metadata" in output:
                output.metadata = {}


def run(path: Path) -> None:
    notebook = nbformat.read(path, as_version=4)
    client = NotebookClient(
        notebook,
        timeout=SECONDS_A_CELL,
        kernel_name="python3",
        record_timing=False,
        resources={"metadata": {"path": str(path.parent)}},
    )
    client.execute()
    clean(notebook, path.stem[:2])
    nbformat.validate(notebook)
    nbformat.write(notebook, path)


def main() -> None:
    for name in sys.argv[1:]:
        start = time.monotonic()
        run(Path(name))
        print(f"{name}: {time.monotonic() - start:.0f} s")


if __name__ == "__main__":
    main()
