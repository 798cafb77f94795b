"""The attack script, bounded: more than ten thousand bad inputs and faults, the same ones every time."""

from __future__ import annotations

import sys

import pytest

from helpers.places import ROOT

sys.path.insert(0, str(ROOT / "tests"))

from attack.run import GROUPS, is_apart, run_apart, run_here

INPUTS = {
    "rules": 1500,
    "positions": 2000,
    "verbs": 2000,
    "calls": 1200,
    "results": 600,
    "policies": 600,
    "making": 800,
    "stepping": 1000,
    "interrupts": 120,
    "rows": 600,
    "thinking": 500,
    "contests": 150,
    "exactly": 200,
    "files": 700,
    "saves": 150,
    "pictures": 500,
    "terminal": 350,
    "faults": 120,
}
"""As many as take a few seconds of one core each; `make attack` goes on for as long as it is let."""


def test_there_are_ten_thousand_in_all() -> None:
    assert set(INPUTS) == set(GROUPS)
    assert sum(INPUTS.values()) >= 10_000


@pytest.mark.parametrize("group", GROUPS)
def test_bad_input_and_faults(group: str, capfd: pytest.CaptureFixture[str]) -> None:
    if is_apart(group):
        if sys.platform != "linux":
            pytest.skip("limits are set as Linux sets them")
        report = run_apart(group, seed=11, inputs=INPUTS[group])
    else:
        report = run_here(group, seed=11, inputs=INPUTS[group])
    assert report.inputs >= INPUTS[group]
    assert not report.findings, "python tests/attack\n" + "\n".join(each.line() for each in report.findings)
    assert "panicked" not in capfd.readouterr().err
