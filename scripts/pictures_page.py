"""The pictures of docs/pictures.md, made by the examples of the page.

    python scripts/pictures_page.py

runs the examples and writes the pictures into docs/pictures/.
"""

from __future__ import annotations

import doctest
import os
from pathlib import Path

PAGE = Path(__file__).resolve().parents[1] / "docs" / "pictures.md"
FOLDER = PAGE.with_suffix("")


def write(folder: Path) -> None:
    """Run the examples of the page in a folder, where their pictures are saved."""
    before = Path.cwd()
    os.chdir(folder)
    try:
        doctest.testfile(str(PAGE), module_relative=False, raise_on_error=True)
    finally:
        os.chdir(before)


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    write(FOLDER)
