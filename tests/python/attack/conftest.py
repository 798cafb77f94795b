"""Around every test here: nothing has panicked, and a few warnings are nobody's fault."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

IGNORED = (
    "ignore:Generating overly large repr",
    # Errors in numpy 2; numpy 1 takes them, and warns.
    "ignore:.*(scalars to be interpreted as an index|truth value of an empty array):DeprecationWarning",
)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Say so of every test here."""
    for item in items:
        if item.path.parent == Path(__file__).parent:
            for line in IGNORED:
                item.add_marker(pytest.mark.filterwarnings(line))


@pytest.fixture(autouse=True)
def no_panic(capfd: pytest.CaptureFixture[str]) -> Iterator[None]:
    """Panics in threads show on stderr alone."""
    yield
    assert "panicked" not in capfd.readouterr().err
