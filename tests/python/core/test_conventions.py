"""What holds of everything that plays games: numbers, seeds, options and keywords mean the same everywhere."""

from __future__ import annotations

import inspect
import os
import subprocess
import sys
import traceback
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import sarai
from helpers.positions import every_book

every_game = pytest.mark.parametrize("name", ["sho", "shah"])

NO_NUMBERS = [
    *("4", 2.5, None, [3], np.float64(3), b"3", True, False, np.True_, np.array([1])),
    np.ma.array(1, mask=True),
]

CALLS: list[tuple[Callable[..., Any], list[str]]] = [
    (sarai.rollout, ["num_games", "first_game", "num_threads", "seed"]),
    (sarai.trajectories, ["num_games", "first_game", "max_decisions", "num_threads", "seed"]),
    (sarai.series, ["num_series", "target", "max_games", "first_series", "num_threads", "seed"]),
    (
        sarai.metrics,
        ["num_games", "first_game", "board_games", "skill_levels", "skill_games", "num_threads", "seed"],
    ),
    (sarai.Record.play, ["number", "seed"]),
]


@pytest.mark.parametrize("value", NO_NUMBERS, ids=repr)
def test_numbers_of_games_are_whole(value: Any) -> None:
    name = "sho"
    for call, arguments in CALLS:
        for argument in arguments:
            if value is None and argument in ("num_threads", "seed"):
                continue
            given: dict[str, Any] = {
                **({arguments[0]: 1} if arguments[0].startswith("num_") else {}),
                argument: value,
            }
            with pytest.raises(TypeError, match=rf"^{argument} must be a whole number, not \w+$"):
                call(name, **given)
    with pytest.raises(TypeError, match=r"^every row in keep must be a whole number, not \w+$"):
        sarai.rollout(name, num_games=2, keep=[value], seed=0)
    with pytest.raises(TypeError, match=r"^step 0 must be a whole number, not \w+$"):
        sarai.Record.from_steps(name, [value])
    for found in (
        sarai.trajectories(name, num_games=2, seed=0),
        sarai.series(name, num_series=2, target=1, seed=0),
    ):
        with pytest.raises(TypeError, match=r"^the index must be a whole number, not \w+$"):
            found[value]


@every_game
def test_numpys_integers_are_whole_numbers(name: str) -> None:
    one = np.uint8(1)
    assert sarai.rollout(name, num_games=one, seed=one, first_game=one, num_threads=one) == sarai.rollout(
        name, num_games=1, seed=1, first_game=1
    )
    assert type(sarai.rollout(name, num_games=one, seed=one).seed) is int
    assert sarai.Record.play(name, seed=one, number=one) == sarai.Record.play(name, seed=1, number=1)
    assert sarai.series(name, num_series=one, target=one, seed=one) == sarai.series(
        name, num_series=1, target=1, seed=1
    )


def test_numpys_numbers_are_numbers() -> None:
    half, two, many = np.float32(0.5), np.uint8(2), np.int64(300)
    how: dict[str, Any] = {"seed": 1, "max_games": 8}
    by_plain, by_numpy = (
        sarai.sprt("shah(max_turns=30)", "greedy", "random", elo0=elo0, elo1=elo1, alpha=0.25, **how)
        for elo0, elo1 in ((1, 2), (np.uint8(1), two))
    )
    assert (by_plain.llr, by_plain.elo1) == (by_numpy.llr, by_numpy.elo1)
    assert sarai.agents.MCTS(10, exploration=half) == sarai.agents.MCTS(10, exploration=0.5)
    assert sarai.agents.Epsilon("greedy", np.float32(0.1)) == sarai.agents.Epsilon("greedy", 0.1)
    state = sarai.make("shah").new_initial_state()
    assert (
        sarai.analyse(state, "mcts:10", seconds=np.float32(60), seed=0).best
        == sarai.analyse(state, "mcts:10", seed=0).best
    )
    assert sarai.render.draw(state, size=many) == sarai.render.draw(state, size=300)
    record = sarai.Record.play("shah(max_turns=2)", seed=1)
    assert record.animate(seconds_per_frame=half) == record.animate(seconds_per_frame=0.5)
    assert sarai.render.heat_map("shah", {"d6": two}) == sarai.render.heat_map("shah", {"d6": 2})
    assert sarai.widget("shah", pace=half) is not None


@every_game
def test_rules_are_those_of_the_game_that_is_given(name: str) -> None:
    for played in (
        lambda game, **more: sarai.rollout(game, num_games=3, seed=1, **more),
        lambda game, **more: sarai.trajectories(game, num_games=3, seed=1, **more),
        lambda game, **more: sarai.series(game, num_series=3, target=1, max_games=3, seed=1, **more),
        lambda game, **more: sarai.Record.play(game, seed=1, **more),
        lambda game, **more: sarai.Record.from_steps(game, [], **more),
    ):
        short = played(f"{name}(max_turns=3)")
        assert short.rules["max_turns"] == 3
        assert short == played(sarai.make(name, max_turns=3))
        with pytest.raises(TypeError, match="unexpected keyword argument 'max_turns'"):
            played(name, max_turns=3)


@every_book
def test_a_game_is_what_its_text_says(book: tuple[str, str]) -> None:
    name, preset = book
    game = sarai.make(name, preset=preset)
    usual = preset == next(iter(sarai.presets(name)))
    assert str(game) == (name if usual else f"{name}(preset={preset})")
    changed = sarai.make(name, preset=preset, max_turns=77)
    assert str(changed) == (f"{name}(max_turns=77)" if usual else f"{name}(preset={preset},max_turns=77)")
    for each in (game, changed):
        assert sarai.make(str(each)) == eval(repr(each)) == each
    with pytest.raises(ValueError, match="'max_turns' is in the game's text already"):
        sarai.make(f"{name}(max_turns=3)", max_turns=3)
    for wrong in (
        f"{name}(",
        f"{name}(max_turns)",
        f"{name}(max_turns=3))x",
        f"{name}(max_turns=3,max_turns=3)",
    ):
        with pytest.raises(ValueError, match=r"write it like GAME\(preset=NAME,OPTION=VALUE\)"):
            sarai.make(wrong)


@pytest.mark.parametrize(
    "call",
    [sarai.make, sarai.SingleAgentEnv, sarai.SingleAgentVectorEnv, sarai.SelfPlayVectorEnv, sarai.aec_env],
)
def test_no_option_is_hidden_by_a_keyword(call: Callable[..., Any]) -> None:
    keywords = set(inspect.signature(call).parameters)
    for name in sarai.games():
        assert not keywords & set(sarai.make(name).rules)


OPTIMIZED = """
import sys, tempfile, pathlib, sarai
kept = pathlib.Path(tempfile.mkdtemp()) / "kept"
for result in (
    sarai.rollout("sho", num_games=5, seed=3, keep=[2]),
    sarai.trajectories("shah(max_turns=9)", num_games=2, seed=0),
    sarai.series("sho", num_series=2, target=1, seed=0),
    sarai.Record.play("shuanglu(max_turns=9)", seed=0),
):
    result.save(kept)
    loaded = sarai.load(kept)
    print(loaded == result, repr(loaded))
    kept.write_bytes(kept.read_bytes()[:-9])
    for call in (lambda: sarai.load(kept), lambda: sarai.load(0), lambda: result.save(None)):
        try:
            print(call())
        except (TypeError, ValueError) as error:
            print(type(error).__name__, str(error).replace(str(kept), "kept"))
print(sarai.rollout("sho", num_games=20, seed=3).summary().to_dict()["seats"])
for call in (sarai.rollout, sarai.trajectories, sarai.series):
    for how in ({"num_thread": 2}, {"seed": True}, {"agents": "clever"}, {"agents": 3}):
        try:
            print(call("sho", **how))
        except (TypeError, ValueError) as error:
            print(type(error).__name__, error)
"""


def test_python_may_leave_out_asserts_and_docstrings() -> None:
    said = []
    for flags in ([], ["-OO"]):
        done = subprocess.run(
            [sys.executable, *flags, "-c", OPTIMIZED],
            env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        said.append(done.stdout)
    assert said[0] == said[1]
    assert said[0].count("True ") == 4


def test_a_misspelt_name_of_the_package_is_told() -> None:
    with pytest.raises(AttributeError, match="module 'sarai' has no attribute 'rolout'") as caught:
        sarai.rolout  # noqa: B018
    shown = "".join(traceback.format_exception(caught.value))
    if sys.version_info >= (3, 12):
        assert "Did you mean: 'rollout'?" in shown
    assert (caught.value.name, caught.value.obj) == ("rolout", sarai)


@every_book
def test_a_text_finds_its_game(book: tuple[str, str]) -> None:
    name, preset = book
    other = sarai.make(next(one for one in sarai.games() if one != name))
    for state in sarai.make(name, preset=preset).sample_states(num_games=10, seed=1):
        found = sarai.parse(str(state))
        assert (found.get_game().name, str(found)) == (name, str(state))
        with pytest.raises(ValueError, match=f"this is a position of {name}, not of {other.name}"):
            other.parse(str(state))
    with pytest.raises(ValueError, match="a position of no game"):
        sarai.parse("e2 e4")
