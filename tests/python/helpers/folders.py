"""Folders of datasets and tables, compared byte for byte."""

from __future__ import annotations

import shutil
from pathlib import Path

from sarai._exact.tables import SHIPPED


def content(folder: Path) -> dict[str, bytes]:
    """Every file of a folder, hidden ones too."""
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def part_files(folder: Path) -> list[Path]:
    """The parts that are there, in order."""
    return sorted(folder.glob("part-*.parquet"))


def pairs_of_shah(folder: Path) -> Path:
    """A copy of the package's tables of the moving phase of Shah, without those of the first turns."""
    folder.mkdir(parents=True)
    for path in (SHIPPED / "shah").glob("shah-?-?.exact"):
        shutil.copy(path, folder)
    return folder
