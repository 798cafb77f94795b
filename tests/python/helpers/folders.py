"""Folders of datasets and tables, compared byte for byte."""

from __future__ import annotations

from pathlib import Path


def content(folder: Path) -> dict[str, bytes]:
    """Every file of a folder, hidden ones too."""
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def part_files(folder: Path) -> list[Path]:
    """The parts that are there, in order."""
    return sorted(folder.glob("part-*.parquet"))
