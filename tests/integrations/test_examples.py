"""Every example runs, prints what it promises, and learns what it should."""

from __future__ import annotations

import importlib
import os
import re
import shlex
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

import sarai

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
# What each is told, and for how many rounds it learns.
LEARNERS = {
    "alphazero_search.py": [("shuanglu --simulations 8", 8), ("shah --simulations 8", 24)],
    "maskable_ppo.py": [("shah --opponent random", 12), ("shuanglu", 8)],
    "ppo.py": [("sarai/Shuanglu-v0", 12), ("sarai/Shah-v0 --opponent random --max-episode-steps 60", 12)],
    "self_play_ppo.py": [
        ("shuanglu", 8),
        ("tshupu --imitate 1000", 4),
        ("shah --imitate 4000", 2),
        ("sho", 12),
    ],
    "td_lambda.py": [("shuanglu --preset backgammon", 60)],
    "tianshou_lanes.py": [("shuanglu", 8)],
}
# This makes a network of the package better under other rules.
TUNER = "fine_tune.py"
# What needs torch, which is gigabytes.
HEAVY = {*LEARNERS, TUNER} - {"td_lambda.py"}
# This measures two loops.
LOOPS = "jax_lanes.py"
# What there is not for every Python.
NEEDS = {LOOPS: "jax", "tianshou_lanes.py": "tianshou"}
# The day on which this was written: nobody has looked for seeds that do well.
SEED = 20261125
# What chance explains lies around 0; this is a player who has understood something.
LEARNT = 0.2
# This makes a dataset, and learns nothing.
CLUSTER = "cluster.py"
# These print a gauntlet of `sarai.arena`.
EVALUATED = {"alphazero_search.py", "td_lambda.py"}
PAGES = [*EXAMPLES.glob("*.py"), *EXAMPLES.parent.glob("docs/*.md"), EXAMPLES.parent / "README.md"]


def marked(script: str, *values: object, nightly: bool = False) -> Any:
    """Parameters of a test, which is a long one where torch or JAX is imported."""
    heavy = script in HEAVY or script in NEEDS
    marks = [pytest.mark.heavy] if heavy else []
    if nightly or heavy:
        marks.append(pytest.mark.nightly)
    if script in NEEDS:
        marks.append(pytest.mark.skipif(not find_spec(NEEDS[script]), reason=f"{NEEDS[script]} is missing"))
    return pytest.param(script, *values, marks=marks)


def test_every_example_is_run() -> None:
    scripts = {path.name for path in EXAMPLES.glob("*.py") if "__main__" in path.read_text(encoding="utf-8")}
    assert scripts == {*LEARNERS, TUNER, LOOPS, CLUSTER}


@pytest.mark.parametrize("script", [*map(marked, sorted(HEAVY))])
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
    assert {script for script, _ in documented()} == {*LEARNERS, TUNER, LOOPS, CLUSTER}


@pytest.mark.parametrize(("script", "arguments"), [marked(*one) for one in documented()], ids=str)
def test_a_documented_command_is_understood(script: str, arguments: list[str]) -> None:
    # "--help" ends the script, but after the values before it have been read.
    command = [sys.executable, str(EXAMPLES / script), *arguments, "--help"]
    said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    for option in (word for word in arguments if word.startswith("--")):
        assert re.search(rf"^  {option}\b", said, re.MULTILINE), option


def run(script: str, *arguments: str) -> str:
    """What a script prints."""
    command = [sys.executable, str(EXAMPLES / script), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


@pytest.mark.parametrize(
    ("script", "arguments", "rounds"),
    [marked(script, *how, nightly=True) for script, several in LEARNERS.items() for how in several],
    ids=str,
)
def test_an_example_learns(script: str, arguments: str, rounds: int) -> None:
    said = run(script, *arguments.split(), "--rounds", str(rounds), "--seed", str(SEED), "--games", "400")
    if script in EVALUATED:
        # The first table of alphazero_search.py is of the network alone: a search beats random even without one.
        found = re.search(r"^random +all .*% +(\S+) +(\S+) to ", said, re.MULTILINE)
        assert found, said
        mean, low = float(found[1]), float(found[2])
    else:
        found = re.search(r"^against random: (\S+) \+- (\S+) \(95%, 400 games\)", said, re.MULTILINE)
        assert found, said
        mean = float(found[1])
        low = mean - float(found[2])
    assert LEARNT < low <= mean, said


@pytest.mark.heavy
@pytest.mark.nightly
def test_ppo_learns_from_decisions_alone_and_bootstraps_where_a_game_is_cut_off(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.syspath_prepend(str(EXAMPLES))
    gymnasium, ppo, torch = map(importlib.import_module, ("gymnasium", "ppo", "torch"))
    envs = gymnasium.make_vec("sarai/Shah-v0", 4, opponents="random", max_episode_steps=5, seed=SEED)
    network = ppo.Network(envs.unwrapped.game)
    lanes = ppo.Lanes(envs)
    rows = lanes.collect(network)
    # Of each six rows the last is a ghost.
    assert ppo.STEPS == 32
    assert len(rows["actions"]) == 4 * (5 * 5 + 2)
    assert lanes.episodes == [(0.0, 5)] * (4 * 5)
    # The value of the last view is what a decision that was cut off can hope for; a lost game has lost it.
    no, yes = torch.tensor([[False]]), torch.tensor([[True]])
    for terminated, truncated, expected in ((no, yes, 1 + 7 - 3), (yes, no, 1 - 3)):
        gains = ppo.advantages(torch.ones(1, 1), torch.tensor([[3.0], [7.0]]), terminated, truncated)
        assert gains.tolist() == [[expected]]
    # What comes after the end of a game does not count before it, and what comes after a decision does.
    over, values = torch.tensor([[False], [True], [False]]), torch.zeros(4, 1)
    gains = ppo.advantages(torch.tensor([[1.0], [2.0], [4.0]]), values, over, over ^ over)
    assert gains.flatten().tolist() == pytest.approx([1 + ppo.GAMMA * ppo.LAMBDA * 2, 2, 4])


@pytest.mark.heavy
@pytest.mark.nightly
def test_ppo_writes_its_curves_for_tensorboard(tmp_path: Path) -> None:
    reader = pytest.importorskip("tensorboard.backend.event_processing.event_accumulator")
    run("ppo.py", "--rounds", "3", "--games", "40", "--logdir", str(tmp_path))
    curves = reader.EventAccumulator(str(tmp_path)).Reload()
    assert set(curves.Tags()["scalars"]) == {
        "charts/episodic_length",
        "charts/episodic_return",
        "eval/mean_reward",
        "losses/entropy",
        "losses/policy_loss",
        "losses/value_loss",
    }
    (*_, last) = curves.Scalars("charts/episodic_return")
    assert -2 <= last.value <= 2
    assert 0 < last.step <= 3 * 256 * 32


@pytest.mark.parametrize(
    "script",
    [
        "td_lambda.py",
        pytest.param("maskable_ppo.py", marks=pytest.mark.heavy),
        *map(marked, ["alphazero_search.py", "self_play_ppo.py"]),
    ],
)
def test_an_example_ends_when_its_time_is_up(script: str) -> None:
    said = run(script, LEARNERS[script][0][0].split()[0], "--minutes", "0.02", "--games", "40")
    for opponent in ("random", "greedy"):
        if script in EVALUATED:
            assert re.search(rf"^{opponent} +all +40 ", said, re.MULTILINE), said
        else:
            assert re.search(
                rf"against {opponent}: [+-]\d\.\d{{3}} \+- \d\.\d{{3}} \(95%, 40 games\)", said
            ), said
    if script not in EVALUATED:
        assert re.search(r"seconds  decisions  mean return against", said)
        # Where there are no dice, the interval would be none without openings.
        assert ("random decisions of both sides" in said) == (script == "maskable_ppo.py")


@pytest.mark.parametrize("script", [*map(marked, [*LEARNERS, TUNER, LOOPS])])
def test_too_few_rounds_are_refused(script: str) -> None:
    command = [sys.executable, str(EXAMPLES / script), "--rounds", "0"]
    refused = subprocess.run(command, capture_output=True, text=True)
    assert refused.returncode == 2
    assert "--rounds got 0; it takes 1 or more" in refused.stderr


@pytest.mark.heavy
@pytest.mark.nightly
def test_a_network_is_fine_tuned(tmp_path: Path) -> None:
    path = tmp_path / "tuned.safetensors"
    said = run(TUNER, "--rounds", "10", "--seed", str(SEED), "--games", "4000", "--out", str(path))
    found = re.search(r"^sho_two_players +all .*% +(\S+) +(\S+) to ", said, re.MULTILINE)
    assert found, said
    mean, low = float(found[1]), float(found[2])
    assert 0 < low <= mean, said
    net = sarai.nets.load(path)
    assert net.game != sarai.nets.load("sho_two_players").game
    assert len(re.findall(r"^ +\d+ +[\d,]+ +0\.\d+$", said, re.MULTILINE)) == 10


@pytest.mark.parametrize("script", [marked(LOOPS)])
def test_the_loops_are_measured(script: str) -> None:
    said = run(script, "shah", "--lanes", "64", "--steps", "20", "--rounds", "2")
    speeds = re.findall(r"^(\w+): ([\d,]+) steps a second, 64 lanes of shah$", said, re.MULTILINE)
    assert [loop for loop, _ in speeds] == ["stepped", "scanned"]
    assert all(int(speed.replace(",", "")) > 0 for _, speed in speeds)


@pytest.mark.parametrize(
    "on",
    [
        "processes",
        *(pytest.param(on, marks=pytest.mark.nightly) for on in ("here", "dask", "joblib")),
        pytest.param("ray", marks=[pytest.mark.heavy, pytest.mark.nightly]),
    ],
)
def test_the_cluster_makes_a_dataset(on: str, tmp_path: Path) -> None:
    words = ["shah", "--on", on, "--games", "2000", "--chunk-games", "300", "--out", str(tmp_path / "d")]
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
