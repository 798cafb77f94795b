"""Is the installed package whole? Plays a few hundred games of everything it has; needs no other package.

Run it with the interpreter of the environment under test: `python -I tests/smoke.py`.
"""

from __future__ import annotations

import copy
import importlib.metadata
import pickle
import subprocess
import sys
import sysconfig
from pathlib import Path

import numpy as np

import sarai

GAMES = 300
LANES = 16
STEPS = 200


def check_rollout(name: str) -> None:
    """The same seed gives the same games on one thread, on two, and split in halves."""
    whole = sarai.rollout(name, num_games=GAMES, seed=7, num_threads=1, progress=False)
    assert whole.returns.shape[0] == GAMES
    assert whole.returns.dtype == np.float32
    assert (whole.lengths > 0).all()
    assert (whole.turns > 0).all()
    assert len(np.unique(whole.winner)) > 1, "every random game had the same winner"

    threaded = sarai.rollout(name, num_games=GAMES, seed=7, num_threads=2, progress=False)
    half = GAMES // 2
    second = sarai.rollout(name, num_games=GAMES - half, seed=7, first_game=half, progress=False)
    for field in ("returns", "winner", "lengths", "turns"):
        values = getattr(whole, field)
        np.testing.assert_array_equal(values, getattr(threaded, field))
        np.testing.assert_array_equal(values[half:], getattr(second, field))


def check_state(name: str, preset: str) -> None:
    """A game in progress survives pickle, deepcopy and the text form; what is illegal changes nothing."""
    rng = np.random.default_rng(7)
    game = sarai.make(name, preset=preset)
    state = game.new_initial_state()
    for _ in range(100):
        if state.is_terminal():
            break
        legal = (
            [outcome for outcome, _ in state.chance_outcomes()]
            if state.is_chance_node()
            else state.legal_actions()
        )
        state.apply_action(int(rng.choice(legal)))
    for twin in (pickle.loads(pickle.dumps(state)), copy.deepcopy(state), game.parse(str(state))):
        assert twin == state
        assert twin.legal_actions() == state.legal_actions()
    before = str(state)
    try:
        state.apply_action(-7)
    except sarai.IllegalActionError:
        assert str(state) == before
    else:
        raise AssertionError("an illegal action was played")


def check_env(name: str) -> None:
    """A vector env steps on, and a pickled one goes on with the same games."""
    env = sarai.SelfPlayVectorEnv(name, LANES, seed=7)
    _, info = env.reset(seed=7)
    finished = 0
    for _ in range(STEPS):
        assert info["action_mask"].shape[0] == LANES
        _, rewards, terminated, _, info = env.step(info["action_mask"].argmax(axis=1))
        assert rewards.shape[0] == LANES
        assert rewards.dtype == np.float32
        finished += int(terminated.sum())
    twin = pickle.loads(pickle.dumps(env))
    actions = info["action_mask"].argmax(axis=1)
    np.testing.assert_array_equal(env.step(actions)[1], twin.step(actions)[1])
    print(f"  {name}: {LANES} lanes x {STEPS} steps, {finished} games finished")


def check_arena(name: str) -> None:
    """Agents are rated, the same on two threads, with nothing installed but what the package needs."""
    one, two = (
        sarai.arena(name, ["greedy", "random"], 20, random_plies=2, num_threads=n, seed=0) for n in (1, 2)
    )
    assert one == two
    assert "greedy" in str(one)
    assert all(np.isfinite(rating.value) for rating in one.ratings.values())


def check_gil() -> None:
    """On a Python without the GIL the engine, which is made for one, has brought it back."""
    if sysconfig.get_config_var("Py_GIL_DISABLED"):
        assert sys._is_gil_enabled(), "the engine runs without the GIL that it counts on"


def check_command() -> None:
    """The console script is there and lists the games."""
    script = Path(sysconfig.get_path("scripts")) / ("sarai.exe" if sys.platform == "win32" else "sarai")
    listed = subprocess.run([script, "games"], check=True, capture_output=True, text=True).stdout
    for name in sarai.games():
        assert name in listed, f"'sarai games' does not list {name}"


def check_tables() -> None:
    """The tables that come with the package are there, whole and of these rules."""
    for preset in sarai.presets("shah"):
        assert len(sarai.exact.load(sarai.make("shah", preset=preset)).summary()) == 4


def main() -> None:
    names = sarai.games()
    assert names, "there is no game"
    for name in names:
        check_rollout(name)
        for preset in sarai.presets(name):
            check_state(name, preset)
        check_env(name)
        check_arena(name)
    check_gil()
    check_tables()
    check_command()
    version = importlib.metadata.version("sarai")
    print(f"smoke test passed: sarai {version}, numpy {np.__version__}, Python {sys.version.split()[0]}")


if __name__ == "__main__":
    main()
