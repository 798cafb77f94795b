"""Run the example at the top of README.md, which docs/index.md shows too, and keep its pictures in docs/front.

python scripts/front_page.py
"""

from __future__ import annotations

import contextlib
import io
import os
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FRONT = ROOT / "docs" / "front"


def example(page: Path) -> str:
    """The first block of Python on a page."""
    found = re.search(r"^```python\n(.*?)^```$", page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    if found is None:
        raise ValueError(f"{page.name} has no block of Python")
    return found[1]


def run(code: str, folder: Path) -> str:
    """Run the example in a folder, which gets its pictures.

    Returns:
        What it prints.
    """
    printed = io.StringIO()
    before = Path.cwd()
    os.chdir(folder)
    try:
        with contextlib.redirect_stdout(printed):
            exec(code, {})
    finally:
        os.chdir(before)
    return printed.getvalue()


if __name__ == "__main__":
    FRONT.mkdir(exist_ok=True)
    run(example(ROOT / "README.md"), FRONT)
