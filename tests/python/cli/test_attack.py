"""Some thousand of the cases of `cli_attack.py`."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

import pytest

from cli.attack import Attack


@pytest.mark.parametrize("seed", range(3))
def test_nothing_that_is_typed_or_read_breaks_the_command_line(
    seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    assert [failure for failure in islice(Attack(seed).failures(), 1000) if failure is not None] == []
