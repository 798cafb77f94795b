"""Every example runs, for a few seconds, and prints what it promises."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
ARGUMENTS = {
    "maskable_ppo.py": [["shah", "--opponent", "random"], ["shuanglu"]],
    "self_play_ppo.py": [["shuanglu"], ["tshupu", "--imitate", "1"], ["shah", "--imitate", "1"], ["sho"]],
}


def test_every_example_is_run() -> None:
    assert {path.name for path in EXAMPLES.glob("*.py")} == ARGUMENTS.keys()


@pytest.mark.parametrize(
    ("script", "arguments"),
    [(script, arguments) for script, several in ARGUMENTS.items() for arguments in several],
    ids=str,
)
def test_an_example_learns_and_evaluates(script: str, arguments: list[str]) -> None:
    command = [sys.executable, str(EXAMPLES / script), *arguments, "--minutes", "0.05", "--games", "40"]
    said = subprocess.run(command, capture_output=True, text=True, check=True, timeout=300).stdout
    assert re.search(r"seconds  decisions  mean return against", said)
    for opponent in ("random", "greedy"):
        assert re.search(rf"against {opponent}: [+-]\d\.\d{{3}} \+- \d\.\d{{3}} \(95%, 40 games\)", said), (
            said
        )
