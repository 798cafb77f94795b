"""Every example runs, for a few seconds, and prints what it promises."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
ARGUMENTS = {
    "cluster.py": [["shah", "--on", on] for on in ("ray", "dask", "joblib", "processes", "here")],
    "alphazero_search.py": [["shuanglu", "--simulations", "4"], ["shah", "--simulations", "2"]],
    "maskable_ppo.py": [["shah", "--opponent", "random"], ["shuanglu"]],
    "self_play_ppo.py": [["shuanglu"], ["tshupu", "--imitate", "1"], ["shah", "--imitate", "1"], ["sho"]],
    "td_lambda.py": [["shuanglu", "--preset", "backgammon"]],
}
# This makes a dataset, and learns nothing.
CLUSTER = "cluster.py"
# These print the table of `sarai.evaluate`.
EVALUATED = {"alphazero_search.py", "td_lambda.py"}
PAGES = [*EXAMPLES.glob("*.py"), *EXAMPLES.parent.glob("docs/*.md"), EXAMPLES.parent / "README.md"]


def test_every_example_is_run() -> None:
    scripts = {path.name for path in EXAMPLES.glob("*.py") if "__main__" in path.read_text(encoding="utf-8")}
    assert scripts == ARGUMENTS.keys()


@pytest.mark.parametrize(
    "script", [script for script in ARGUMENTS if script not in ("td_lambda.py", CLUSTER)]
)
def test_an_example_asks_torch_for_one_thread(script: str) -> None:
    # Threads that wait for each other stall where other programs keep the processors busy.
    code = f"import {Path(script).stem}, torch; print(torch.get_num_threads())"
    two = {**os.environ, "OMP_NUM_THREADS": "2", "MKL_NUM_THREADS": "2"}
    for imported, threads in ((code, "1"), ("import torch; print(torch.get_num_threads())", "2")):
        said = subprocess.run(
            [sys.executable, "-c", imported],
            cwd=EXAMPLES,
            env=two,
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        assert said.splitlines()[-1] == threads


def documented() -> list[tuple[str, list[str]]]:
    """What the pages tell to type; the times in it are too long for a test."""
    pages = [page.read_text(encoding="utf-8") for page in PAGES]
    found = {
        command
        for page in pages
        for command in re.findall(r"python examples/(\w+\.py.*?)(?:`|$)", page, re.M)
    }
    return [(script, words) for script, *words in map(shlex.split, sorted(found))]


def test_commands_are_found() -> None:
    assert {script for script, _ in documented()} == ARGUMENTS.keys()


@pytest.mark.parametrize(("script", "arguments"), documented(), ids=str)
def test_a_documented_command_is_understood(script: str, arguments: list[str]) -> None:
    # "--help" ends the script, but after the values before it have been read.
    command = [sys.executable, str(EXAMPLES / script), *arguments, "--help"]
    said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    for option in (word for word in arguments if word.startswith("--")):
        assert re.search(rf"^  {option}\b", said, re.MULTILINE), option


@pytest.mark.parametrize(
    ("script", "arguments"),
    [
        (script, arguments)
        for script, several in ARGUMENTS.items()
        for arguments in several
        if script != CLUSTER
    ],
    ids=str,
)
def test_an_example_learns_and_evaluates(script: str, arguments: list[str]) -> None:
    command = [sys.executable, str(EXAMPLES / script), *arguments, "--minutes", "0.05", "--games", "40"]
    said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    if script in EVALUATED:
        for opponent in ("random", "greedy"):
            assert re.search(rf"^{opponent} +all +40 ", said, re.MULTILINE), said
        return
    assert re.search(r"seconds  decisions  mean return against", said)
    # Where there are no dice, the interval would be none without openings.
    assert ("random decisions of both sides" in said) == ("shah" in arguments)
    for opponent in ("random", "greedy"):
        assert re.search(rf"against {opponent}: [+-]\d\.\d{{3}} \+- \d\.\d{{3}} \(95%, 40 games\)", said), (
            said
        )


@pytest.mark.parametrize("arguments", ARGUMENTS[CLUSTER], ids=str)
def test_the_cluster_makes_a_dataset(arguments: list[str], tmp_path: Path) -> None:
    words = [*arguments, "--games", "2000", "--chunk-games", "300", "--out", str(tmp_path / "d")]
    command = [sys.executable, str(EXAMPLES / CLUSTER), *words]
    for _ in range(3):
        ended = subprocess.run(command, capture_output=True, text=True)
        # Ray gives a node 30 seconds, which may be too few on a busy machine.
        if "timed out during startup" not in ended.stderr:
            break
    assert ended.returncode == 0, ended.stderr
    said = ended.stdout
    assert "2,000 games, 7 parts" in said
    assert "wrong: nothing" in said
    counted = re.findall(r"side .\d has won ([\d,]+)", said)
    assert sum(int(count.replace(",", "")) for count in counted) == 2000
