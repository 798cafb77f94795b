"""The face of the package, line by line: what a user types, and what must hold."""

from __future__ import annotations

import copy
import inspect
import pickle
import pkgutil
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest

import sarai
from sarai import results
from sarai._cli import COMMANDS

LHASA = "sho(preset=lhasa,players=2)"
PLAYED: dict[str, Any] = {
    "rollout": lambda **how: sarai.rollout(LHASA, "greedy", 6, **how),
    "trajectories": lambda **how: sarai.trajectories(LHASA, "greedy", 6, **how),
    "series": lambda **how: sarai.series(LHASA, "greedy", 6, target=2, **how),
    "states": lambda **how: sarai.States(LHASA, 6).rollout("greedy", 2, **how),
    "arena": lambda **how: sarai.arena(LHASA, ["greedy", "random"], 12, **how),
    "metrics": lambda **how: sarai.metrics(LHASA, "greedy", 6, **how),
}
TABLES = sorted(set(PLAYED) - {"metrics"})


def test_names() -> None:
    assert len(sarai.__all__) <= 40
    assert not {*results.__all__} & {*sarai.__all__}
    modules = {module.name for module in pkgutil.iter_modules(sarai.__path__) if module.name[0] != "_"}
    assert modules == {
        *("adapters", "agents", "datasets", "exact", "expansions", "intervals", "matches", "nets", "records"),
        *("render", "results", "training"),
    }


@pytest.mark.parametrize("name", [name for name in sarai.__all__ if inspect.isroutine(getattr(sarai, name))])
def test_calls_are_alike(name: str) -> None:
    parameters = inspect.signature(getattr(sarai, name)).parameters
    positional = [key for key, one in parameters.items() if one.kind is one.POSITIONAL_OR_KEYWORD]
    assert len(positional) <= 3
    assert not {"games", "threads", "n"} & {*parameters}
    assert "seed" not in positional
    assert "seed" not in parameters or parameters["seed"].default is None
    if name not in ("make", "aec_env"):
        assert not {"preset", "rules", "options"} & {*parameters}
    order = [key for key in positional if key in ("game", "agents", "num_games")]
    assert order == sorted(order, key=["game", "agents", "num_games"].index)


def test_the_text_of_a_game() -> None:
    for text in ("sho", LHASA, "shah(preset=nine_mens_morris,flying=false)"):
        assert str(sarai.make(text)) == text
        assert sarai.make(str(sarai.make(text))) == sarai.make(text)
    assert sarai.make("sho(players=2,preset=lhasa)") == sarai.make("sho", preset="lhasa", players=2)
    assert sarai.games() == ["sho", "shah", "tshupu", "shuanglu"]
    assert list(sarai.presets("shah")) == ["shah", "nine_mens_morris"]


@pytest.mark.parametrize("kind", PLAYED)
def test_what_comes_back_says_how_it_was_played(kind: str) -> None:
    drawn = PLAYED[kind]()
    assert drawn == PLAYED[kind](seed=drawn.seed)
    assert drawn != PLAYED[kind]()
    assert drawn.game == sarai.make(LHASA)
    assert drawn.agents == (("greedy", "random") if kind == "arena" else ("greedy", "greedy"))
    assert "\n" not in repr(drawn)
    assert drawn._repr_html_().startswith("<p>")


@pytest.mark.parametrize("kind", TABLES)
def test_what_comes_back_is_a_table(kind: str, tmp_path: Path) -> None:
    played = PLAYED[kind](seed=1)
    rows = len(played.to_pandas())
    assert rows == played.to_arrow().num_rows > 0
    assert played.__arrow_c_stream__() is not None
    played.to_parquet(tmp_path / "one.parquet")
    played.save(tmp_path / "one.npz")
    assert sarai.load(tmp_path / "one.npz") == played
    assert type(played).concatenate([played]) == played


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


@pytest.mark.parametrize("name", sarai.games())
def test_a_state_and_many_speak_alike(name: str) -> None:
    states = sarai.make(name).sample_states(num_games=4, seed=1)
    for verb in ("current_player", "is_terminal", "is_chance_node", "returns", "turns_passed"):
        assert np.array_equal(getattr(states, verb)(), [getattr(state, verb)() for state in states])
    assert np.array_equal(states.legal_actions_mask(), [state.legal_actions_mask() for state in states])
    assert np.array_equal(states.observation_tensor(1), [state.observation_tensor(1) for state in states])


def test_the_verbs_of_a_state() -> None:
    game = sarai.make("shah", preset="nine_mens_morris", flying=False)
    assert (game.name, game.num_players, game.rules["flying"]) == ("shah", 2, False)
    assert (game.max_chance_outcomes, game.sides) == (0, [0, 1])
    s = game.new_initial_state()
    assert (sarai.CHANCE, sarai.TERMINAL) == (-1, -4)
    assert s.legal_actions() == sorted(s.legal_actions()) == np.flatnonzero(s.legal_actions_mask()).tolist()
    assert s.legal_actions_mask().dtype == s.observation_tensor(0).dtype == np.int8
    assert s.string_to_action(s.action_to_string(5)) == 5
    before = str(s)
    for wrong in (-1, 10**30, -(10**30), game.num_actions):
        with pytest.raises(sarai.IllegalActionError):
            s.apply_action(wrong)
    assert str(s) == before
    others = (s.clone(), copy.copy(s), copy.deepcopy(s), pickle.loads(pickle.dumps(s)), game.parse(str(s)))
    others += (game.state_from_dict(s.to_dict()), game.state_from_json(s.to_json()))
    assert {*others} == {s}
    assert s._repr_svg_().startswith("<svg")
    assert s.view()
    assert [part["name"] for part in game.observation_spec if part["slice"].start == 0]
    c = sarai.make("sho").new_initial_state()
    assert (c.is_chance_node(), c.current_player(), c.legal_actions()) == (True, sarai.CHANCE, [])
    assert sum(chance for _, chance in c.chance_outcomes()) == pytest.approx(1)
    assert c.outcome_to_string(c.chance_outcomes()[0][0]) == "1-1"
    assert c.returns() == c.rewards() == [0.0, 0.0, 0.0]
    assert sarai.parse(str(c)) == c
    with pytest.raises(ValueError, match="sho"):
        game.parse(str(c))


def test_positions_that_a_person_sees() -> None:
    shuanglu = sarai.make("shuanglu").position(
        player=0, own="24:2 13:5 8:3 6:5", other="24:2 13:5 8:3 6:5", dice=(6, 2)
    )
    assert shuanglu.current_player() == 0
    assert sarai.make("sho").position().is_chance_node()
    assert sarai.make("tshupu").position().is_chance_node()
    assert sarai.make("shah").position(player=1, white="a1 d1 g7", black="b4 d6").current_player() == 1
    with pytest.raises(ValueError, match="it is player 1 who places next"):
        sarai.make("shah").position(player=0, white="a1 d1 g7", black="b4 d6")


def test_environments_take_what_the_page_says() -> None:
    one = gymnasium.make("sarai/Sho-v0", seat=0, opponents="random", render_mode="ansi", players=2)
    observation, info = one.reset(seed=1)
    assert np.array_equal(observation["action_mask"], info["action_mask"])
    assert isinstance(one.render(), str)
    many = sarai.SelfPlayVectorEnv("sho", 3, observation_dtype=np.float32, mask_dtype=np.dtype(bool))
    observation, info = many.reset(seed=1)
    assert (observation["observation"].dtype, observation["action_mask"].dtype) == (np.float32, np.bool_)
    assert {"current_player", "action_mask", "side"} <= {*info}
    assert np.shares_memory(np.from_dlpack(observation["observation"]), observation["observation"])
    _, rewards, terminated, truncated, _ = many.step(many.sample_legal())
    assert (rewards.shape, rewards.dtype) == ((3, 3), np.float32)
    assert not (terminated | truncated).any()
    for mode in ("NextStep", "SameStep", "Disabled"):
        envs = gymnasium.make_vec(
            "sarai/Sho-v0", num_envs=4, opponents="greedy", autoreset_mode=mode, copy=True, num_threads=None
        )
        assert envs.reset(seed=1)[0]["observation"].shape[0] == 4
    assert sarai.aec_env("sho").metadata["name"] == "sarai_sho_v0"


def test_arrays_of_the_main_job() -> None:
    r = sarai.rollout("sho", ["greedy", "random", "random"], num_games=20, seed=7, num_threads=None)
    assert [array.dtype for array in (r.returns, r.winner, r.lengths, r.turns)] == [
        *("float32", "int8", "int32", "int32")
    ]
    assert (r.returns.shape, r.num_games, list(r.stats)) == ((20, 3), 20, r.game.statistics)
    assert str(r.summary())
    t = sarai.trajectories("shah", num_games=3, seed=7)
    assert {len(array) for array in (t.observations, t.masks, t.actions, t.players, t.rewards)} == {
        t.offsets[-1]
    }


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: str(command.name))
def test_every_command_shows_an_example(command: Any) -> None:
    assert command.epilog.startswith("\b\nExample")
    assert f"sarai {command.name}" in command.epilog
