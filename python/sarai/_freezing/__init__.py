"""Where PyInstaller finds the hook that puts the networks, tables and pages of the package into an application."""

from __future__ import annotations

from pathlib import Path


def hook_folders() -> list[str]:
    """The folder of the hook."""
    return [str(Path(__file__).parent)]
