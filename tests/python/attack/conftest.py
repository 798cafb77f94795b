"""Around every test here: nothing has panicked."""

from __future__ import annotations

from collections.abc import Iterator

import pytest


@pytest.fixture(autouse=True)
def no_panic(capfd: pytest.CaptureFixture[str]) -> Iterator[None]:
    """Panics in threads show on stderr alone."""
    yield
    assert "panicked" not in capfd.readouterr().err
