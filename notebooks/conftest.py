"""A notebook that imports a library of some GB is `heavy`, as tests of such libraries are."""

from __future__ import annotations

import pytest

HEAVY = ("import torch", "from torch", "stable_baselines3", "sb3_contrib")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark them."""
    for item in items:
        if any(library in item.path.read_text(encoding="utf-8") for library in HEAVY):
            item.add_marker(pytest.mark.heavy)
