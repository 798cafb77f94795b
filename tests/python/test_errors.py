"""The sentences of errors: `errors.txt` lists calls that fail and what each says; `make accept-errors` rewrites it.

Other tests assert the kind of an error and the name of the argument at fault, so that a sentence can be improved in one
place. A section of the file begins with `# name`; its examples share their names and run in an empty folder.
"""

from __future__ import annotations

import doctest
import os
import re
import sys
import tempfile
from pathlib import Path

import pytest

FILE = Path(__file__).with_name("errors.txt")
SETUP = "import copy, json, pickle; import numpy as np; import gymnasium; import sarai"


def sections() -> dict[str, list[str]]:
    """The sources of each section's examples."""
    parts = re.split(r"(?m)^# (.+)$", FILE.read_text(encoding="utf-8"))[1:]
    parser = doctest.DocTestParser()
    return {
        name: [example.source for example in parser.get_examples(text)]
        for name, text in zip(parts[::2], parts[1::2], strict=True)
    }


def said(source: str, names: dict[str, object]) -> str:
    """What running an example raises, as the last line of a traceback; empty if nothing."""
    try:
        exec(compile(source, "<errors.txt>", "exec"), names)
    except Exception as error:
        return f"{type(error).__name__}: {error}\n"
    return ""


def written(name: str, sources: list[str]) -> str:
    """A section with the sentences of today."""
    names: dict[str, object] = {}
    exec(SETUP, names)
    text = f"# {name}\n"
    before = Path.cwd()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            for source in sources:
                first, *rest = source.splitlines()
                text += "\n".join([f">>> {first}", *(f"... {line}" for line in rest)]) + "\n"
                text += said(source, names)
        finally:
            os.chdir(before)
    return text


@pytest.mark.parametrize("name", sections())
def test_errors_say_what_they_said(name: str) -> None:
    text = FILE.read_text(encoding="utf-8")
    assert written(name, sections()[name]).strip() in text


if __name__ == "__main__":
    FILE.write_text(
        "\n".join(written(name, sources) for name, sources in sections().items()), encoding="utf-8"
    )
    sys.stdout.write(f"wrote {FILE}\n")
