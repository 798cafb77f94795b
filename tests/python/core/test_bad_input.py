"""Bad input: the right exception, a sentence that says what was wrong, and nothing changed."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import sarai
from helpers.lanes import untouched
from sarai import _core

# One with dice and more than two seats, one without dice.
two_games = pytest.mark.parametrize("name", ["sho", "shah"])


def first_legal(observations: NDArray[np.int8], masks: NDArray[np.int8]) -> NDArray[np.intp]:
    chosen: NDArray[np.intp] = masks.argmax(axis=1)
    return chosen


# --- options ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", sarai.games())
def test_an_option_says_what_it_takes(name: str) -> None:
    for option in json.loads(_core.describe_json(name))["options"]:
        with pytest.raises(ValueError, match=f"'{option['name']}'") as refused:
            sarai.make(name, **{option["name"]: "no such value"})
        assert f"takes {option['takes']}" in str(refused.value)


@two_games
def test_unknown_games_presets_and_options(name: str) -> None:
    for wrong in ("", name.upper(), name + " ", "chess", "\x00"):
        for call in (sarai.make, sarai.presets, lambda game: sarai.rollout(game, num_games=1, seed=0)):
            with pytest.raises(ValueError, match=f"unknown game.*{name}"):
                call(wrong)
        with pytest.raises(ValueError, match=f"unknown preset.*{next(iter(sarai.presets(name)))}"):
            sarai.make(name, preset=wrong)
        with pytest.raises(ValueError, match="unknown option"):
            sarai.make(name, rules={wrong: 1})
    game = sarai.make(name)
    with pytest.raises(TypeError, match="game must be a name"):
        sarai.make(game.new_initial_state())  # type: ignore[arg-type]
    for no_game in (None, 3, b"sho", [name]):
        with pytest.raises(TypeError, match="game must be a name"):
            sarai.make(no_game)  # type: ignore[arg-type]
        with pytest.raises(TypeError, match=r"game must be a sarai\.Game, or a name"):
            sarai.rollout(no_game, num_games=1, seed=0)  # type: ignore[arg-type]
        with pytest.raises(TypeError, match="game must be a name"):
            sarai.SelfPlayVectorEnv(no_game, 1)  # type: ignore[arg-type]
    for no_rules in (3, "players=2", [("players", 2)]):
        with pytest.raises(TypeError, match="rules must be a dict"):
            sarai.make(name, rules=no_rules)  # type: ignore[arg-type]
    for more in ({"rules": {}}, {"preset": next(iter(sarai.presets(name)))}):
        with pytest.raises(TypeError, match="unexpected keyword argument"):
            sarai.rollout(game, num_games=1, **more)
        with pytest.raises(ValueError, match="has its rules already"):
            sarai.SelfPlayVectorEnv(game, 1, **more)


def test_options_that_contradict_each_other() -> None:
    for players in (2, 3):
        with pytest.raises(ValueError, match=f"'teams' needs players=4, not players={players}"):
            sarai.make("sho", teams=True, players=players)
    with pytest.raises(ValueError, match="'teams' needs players=4, not players=3"):
        sarai.make("sho", preset="teams", players=3)
    with pytest.raises(ValueError, match="'first_player'"):
        sarai.make("sho", players=2, first_player=2)


# --- numbers ------------------------------------------------------------------------------------------------

NUMBERS: dict[str, list[Callable[[Any], Any]]] = {
    "num_games": [
        lambda wrong: sarai.rollout("sho", num_games=wrong, seed=0),
        lambda wrong: sarai.trajectories("sho", num_games=wrong, seed=0),
    ],
    "num_envs": [lambda wrong: sarai.SelfPlayVectorEnv("sho", wrong)],
    "num_threads": [
        lambda wrong: sarai.rollout("sho", num_games=1, num_threads=wrong, seed=0),
        lambda wrong: sarai.SelfPlayVectorEnv("sho", 1, num_threads=wrong),
    ],
    "max_episode_steps": [lambda wrong: sarai.SelfPlayVectorEnv("sho", 1, max_episode_steps=wrong)],
    "max_decisions": [lambda wrong: sarai.trajectories("sho", num_games=1, max_decisions=wrong, seed=0)],
    "seed": [lambda wrong: sarai.SelfPlayVectorEnv("sho", 1, seed=wrong)],
}


@pytest.mark.parametrize("argument", NUMBERS)
def test_numbers(argument: str) -> None:
    for call in NUMBERS[argument]:
        for number in [-1, 10**30] if argument == "seed" else [0, -1, 2**64, 10**30]:
            with pytest.raises(ValueError, match=rf"{argument} got .*; it takes [01] to"):
                call(number)
        for none in ("4", 2.5, [3], np.float64(3), b"3"):
            with pytest.raises(TypeError, match=f"{argument} must be a whole number"):
                call(none)


def test_seeds_out_of_range() -> None:
    name = "sho"
    env = sarai.SelfPlayVectorEnv(name, 2, seed=1)
    for seed in (-1, 2**64, 10**40):
        with pytest.raises(ValueError, match=r"seed got .*; it takes 0 to 18446744073709551615"):
            sarai.rollout(name, num_games=1, seed=seed)
        with pytest.raises(ValueError, match=r"first_game got .*; it takes 0 to"):
            sarai.rollout(name, num_games=1, first_game=seed, seed=0)
        with pytest.raises(ValueError, match=r"seed got .*; it takes 0 to 18446744073709551615"):
            sarai.SelfPlayVectorEnv(name, 1, seed=seed)
        for given in (seed, [0, seed]):
            with pytest.raises(ValueError, match=r"seed got .*; it takes 0 to 18446744073709551615"):
                env.reset(seed=given)
    for seeds in ([], [1], [1, 2, 3]):
        with pytest.raises(ValueError, match=r"one int for each of 2 lanes|each of the 2 lanes"):
            env.reset(seed=seeds)
    for no_seed in (1.5, "1", [1, 1.5], [1, "2"], [1, None]):
        with pytest.raises((TypeError, ValueError), match="seed"):
            env.reset(seed=no_seed)
    untouched(env, sarai.SelfPlayVectorEnv(name, 2, seed=1))
    # The last game that can be numbered is one; the game after it is not.
    last = 2**64 - 2
    assert sarai.rollout(name, num_games=1, seed=2**64 - 1, first_game=last).first_game == last
    with pytest.raises(ValueError, match="first_game"):
        sarai.rollout(name, num_games=2, first_game=last, seed=0)


# --- agents -------------------------------------------------------------------------------------------------


@two_games
def test_agents_that_do_not_exist(name: str) -> None:
    seats = sarai.make(name).num_players
    for agent in ("", "Random", "nobody", "random ", "mcts:", "mcts:-1", "mcts:x", "mcts:1.5", "\x00"):
        with pytest.raises(ValueError, match="agent"):
            sarai.rollout(name, agent, 1, seed=0)
    for simulations in ("0", "100001", "9" * 40):
        with pytest.raises(ValueError, match=r"needs simulations from 1 to 100000"):
            sarai.rollout(name, f"mcts:{simulations}", 1, seed=0)
    for count in {0, 1, seats - 1, seats + 1, 50} - {seats}:
        with pytest.raises(ValueError, match=rf"agents has {count} entr(y|ies); this game has {seats} seats"):
            sarai.rollout(name, ["random"] * count, 1, seed=0)
    for wrong in (3, 1.5, object(), [3] * seats, [None] * seats, ["random"] * (seats - 1) + [b"random"]):
        with pytest.raises(TypeError, match="agent"):
            sarai.rollout(name, wrong, 1, seed=0)  # type: ignore[arg-type]


class TroubleError(Exception):
    pass


@pytest.mark.parametrize("place", ["policy", "progress"])
@pytest.mark.parametrize("kind", [TroubleError, StopIteration, KeyboardInterrupt, SystemExit])
def test_what_a_callback_raises_comes_through(place: str, kind: type[BaseException]) -> None:
    raised = kind("the very one")
    calls = 0

    def trouble(*arguments: Any) -> Any:
        nonlocal calls
        calls += 1
        if place == "progress" or calls == 3:
            raise raised
        return first_legal(*arguments)

    how: dict[str, Any] = {"agents": trouble} if place == "policy" else {"progress": trouble}
    with pytest.raises(kind) as caught:
        sarai.rollout("sho", num_games=5, seed=1, **how)
    assert caught.value is raised
    assert calls == (3 if place == "policy" else 1), "nothing is asked of it afterwards"


@two_games
def test_agents_that_answer_badly(name: str) -> None:
    def answering(answer: Callable[[NDArray[np.intp], NDArray[np.int8]], Any]) -> None:
        sarai.rollout(
            name, lambda observations, masks: answer(first_legal(observations, masks), masks), 6, seed=0
        )

    shapes: list[Callable[..., Any]] = [
        lambda actions, masks: actions[:-1],
        lambda actions, masks: np.append(actions, 0),
        lambda actions, masks: actions[:, None],
        lambda actions, masks: int(actions[0]),
        lambda actions, masks: masks,
        lambda actions, masks: [[0]] * (len(actions) - 1) + [[1, 2]],
    ]
    for answer in shapes:
        with pytest.raises(ValueError, match=r"an agent returned must .*shape \(\d+,\)"):
            answering(answer)
    kinds: list[Callable[..., Any]] = [
        lambda actions, masks: actions * 1.0,
        lambda actions, masks: np.full(len(actions), np.nan),
        lambda actions, masks: actions.astype(bool),
        lambda actions, masks: ["0"] * len(actions),
        lambda actions, masks: [None] * len(actions),
    ]
    for answer in kinds:
        with pytest.raises(TypeError, match="an agent returned must be"):
            answering(answer)
    with pytest.raises((TypeError, ValueError), match="an agent returned must"):
        answering(lambda actions, masks: None)
    illegal: list[Callable[..., Any]] = [
        lambda actions, masks: masks.argmin(axis=1),
        lambda actions, masks: actions * 0 - 1,
        lambda actions, masks: actions * 0 + masks.shape[1],
        lambda actions, masks: actions + 2**16,
        lambda actions, masks: actions + 2**32,
        lambda actions, masks: actions.astype(np.uint64) + np.uint64(2**63),
        lambda actions, masks: [10**30] * len(actions),
    ]
    for answer in illegal:
        with pytest.raises(sarai.IllegalActionError, match="not legal"):
            answering(answer)
    # What a policy does to the arrays that it was given stays with it.
    expected = sarai.rollout(name, first_legal, 6, seed=1)

    def scribbles(observations: NDArray[np.int8], masks: NDArray[np.int8]) -> NDArray[np.intp]:
        actions = first_legal(observations, masks)
        observations.fill(7)
        masks.fill(1)
        return actions

    assert np.array_equal(sarai.rollout(name, scribbles, 6, seed=1).returns, expected.returns)


# --- Ctrl-C -------------------------------------------------------------------------------------------------

# None of these ends within a day, however fast the machine is: the searches are long, or the policy falls asleep.
ENDLESS = {
    "threads": "sarai.rollout(name, 'mcts:100000', num_threads=2, progress=begun)",
    "one thread": "sarai.rollout(name, 'mcts:100000', num_threads=1, progress=begun)",
    "progress": "begun(), sarai.rollout(name, 'mcts:100000', progress=True)",
    "trajectories": "sarai.trajectories(name, 'mcts:100000', num_threads=1, progress=begun)",
    "series": "sarai.series(name, 'mcts:100000', 1000, num_threads=1, progress=begun)",
    "policy": "sarai.rollout(name, policy, 50_000)",
    "slow policy": "sarai.rollout(name, lambda o, m: (begun(), time.sleep(10**6)), 20)",
    "policy and mcts": (
        "sarai.rollout(name, [policy] + ['mcts:500'] * (sarai.make(name).num_players - 1), 20)"
    ),
}

INTERRUPTED = """
import sys, time, sarai
name, calls = sys.argv[1], 0

def begun(done=0):
    global calls
    calls += 1
    if calls == 1:
        print("begun", flush=True)

def policy(observations, masks):
    begun()
    if calls > 50:
        time.sleep(10**6)
    return masks.argmax(axis=1)

try:
    {call}
except KeyboardInterrupt:
    assert sarai.rollout(name, num_games=50, seed=1) == sarai.rollout(name, num_games=50, seed=1)
    print("interrupted", flush=True)
"""


QUICK = {"threads": "sho", "slow policy": "shah", "trajectories": "tshupu"}


@pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGINT for one process")
@pytest.mark.parametrize(
    ("call", "name"),
    [
        pytest.param(call, name, marks=() if QUICK.get(call) == name else pytest.mark.nightly)
        for call in ENDLESS
        for name in sarai.games()
    ],
)
def test_interrupts(call: str, name: str) -> None:
    program = INTERRUPTED.replace("{call}", ENDLESS[call])
    with subprocess.Popen(
        [sys.executable, "-W", "error", "-c", program, name],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            assert process.stdout is not None
            assert process.stdout.readline() == "begun\n"
            process.send_signal(signal.SIGINT)
            answer, errors = process.communicate()
        finally:
            process.kill()
    assert answer == "interrupted\n", errors
    assert process.returncode == 0, errors
