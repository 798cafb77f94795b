"""The face of the package, line by line: what a user types, and what must hold."""

from __future__ import annotations

import ast
import importlib
import inspect
import pkgutil
import typing
from pathlib import Path
from typing import Any
from unittest.mock import MagicMock

import pytest

import sarai
from sarai import results

LHASA = "sho(preset=lhasa,players=2)"
PLAYED: dict[str, Any] = {
    "rollout": lambda **how: sarai.rollout(LHASA, "greedy", 6, **how),
    "trajectories": lambda **how: sarai.trajectories(LHASA, "greedy", 6, **how),
    "series": lambda **how: sarai.series(LHASA, "greedy", 6, target=2, **how),
    "states": lambda **how: sarai.States(LHASA, 6).rollout("greedy", 2, **how),
    "arena": lambda **how: sarai.arena(LHASA, ["greedy", "random"], 12, **how),
    "metrics": lambda **how: sarai.metrics(LHASA, "greedy", 6, **how),
    "record": lambda **how: sarai.Record.play(LHASA, "greedy", **how),
}


def test_names() -> None:
    assert len(sarai.__all__) <= 40
    assert not {*results.__all__} & {*sarai.__all__}
    modules = {module.name for module in pkgutil.iter_modules(sarai.__path__) if module.name[0] != "_"}
    assert modules == {
        *("adapters", "agents", "datasets", "exact", "expansions", "intervals", "matches", "nets", "records"),
        *("render", "results", "training"),
    }


ROUTINES = [each for each in (getattr(sarai, name) for name in sarai.__all__) if inspect.isroutine(each)]


@pytest.mark.parametrize("call", [*ROUTINES, sarai.Record.play], ids=lambda call: call.__qualname__)
def test_calls_are_alike(call: Any) -> None:
    parameters = inspect.signature(call).parameters
    positional = [key for key, one in parameters.items() if one.kind is one.POSITIONAL_OR_KEYWORD]
    assert len(positional) <= 3
    # Those of the benchmark are names.
    assert call is sarai.benchmark or "games" not in parameters
    assert not {"threads", "n"} & {*parameters}
    assert "seed" not in positional
    assert "seed" not in parameters or parameters["seed"].default is None
    if call.__name__ not in ("make", "aec_env"):
        assert inspect.Parameter.VAR_KEYWORD not in {one.kind for one in parameters.values()}
        assert not {"preset", "rules", "options"} & {*parameters}
    order = [key for key in positional if key in ("game", "agents", "num_games")]
    assert order == sorted(order, key=["game", "agents", "num_games"].index)


def test_type_checkers_are_told_of_no_name_that_is_none() -> None:
    for path in Path(sarai.__file__).parent.glob("**/*.py"):
        names = {one.name for one in ast.parse(path.read_bytes()).body if isinstance(one, ast.FunctionDef)}
        assert "__getattr__" not in names, f"put it in 'if not TYPE_CHECKING', in {path}"


# What only type checkers know, as it may not be installed; Gymnasium's spec is its own.
UNKNOWN = (
    "minari",
    "Axes",
    "EnvSpec",
    "Figure",
    "Record",
    "RecordAnalysis",
    "Self",
    "pandas",
    "polars",
    "pyarrow",
    "torch",
)


@pytest.mark.parametrize(
    "name", ["", *(f".{module.name}" for module in pkgutil.iter_modules(sarai.__path__))]
)
def test_hints_are_known_where_they_stand(name: str) -> None:
    module = importlib.import_module(f"sarai{name}")
    for one in (getattr(module, name) for name in getattr(module, "__all__", ())):
        own = vars(one).items() if inspect.isclass(one) else ()
        for call in (one, *(call for name, call in own if name == "__init__" or name[0] != "_")):
            if inspect.isfunction(call) or inspect.isclass(call):
                typing.get_type_hints(call, localns=dict.fromkeys(UNKNOWN, MagicMock()))


def test_the_text_of_a_game() -> None:
    text = "shah(preset=nine_mens_morris,flying=false)"
    assert str(sarai.make(text)) == text
    assert sarai.make("sho(players=2,preset=lhasa)") == sarai.make("sho", preset="lhasa", players=2)
    assert sarai.games() == ["sho", "shah", "tshupu", "shuanglu"]
    assert list(sarai.presets("shah")) == ["shah", "nine_mens_morris"]


@pytest.mark.parametrize("kind", PLAYED)
def test_what_comes_back_says_how_it_was_played(kind: str) -> None:
    drawn, other = PLAYED[kind](), PLAYED[kind](seed=None)
    assert drawn.seed != other.seed
    assert drawn == PLAYED[kind](seed=drawn.seed) != other
    assert drawn.game == sarai.make(LHASA)
    assert drawn.agents == (("greedy", "random") if kind == "arena" else ("greedy", "greedy"))
    assert "\n" not in repr(drawn)


def test_arenas_are_joined() -> None:
    def part(first: int, games: int, **how: Any) -> Any:
        given = {"seed": 1, "first_game": first, "keep": [0], **how}
        return sarai.arena(LHASA, ["greedy", "random"], 2 * games, **given)

    whole, parts = part(0, 5, keep=[0, 2]), [part(0, 2), part(2, 3)]
    joined = sarai.matches.Arena.concatenate(parts)
    assert joined == whole
    assert list(joined.records) == [(0, 0), (1, 0), (0, 2), (1, 2)]
    assert joined.ratings == whole.ratings
    for wrong, told in (
        (parts[::-1], "part 1 begins with game 0, but game 5 is next"),
        ([parts[0], part(2, 3, seed=2)], "part 1 has seed 2, but part 0 has 1"),
        ([part(0, 2, dice="own"), part(2, 3, dice="own")], 'play dice="own" in one call'),
    ):
        with pytest.raises(ValueError, match=told):
            sarai.matches.Arena.concatenate(wrong)
