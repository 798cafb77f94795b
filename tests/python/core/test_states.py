"""`Game` and `State`: the verbs, and the forms a state can be written in.

What is written or asked wrongly is in tests/python/attack/test_positions.py.
"""

from __future__ import annotations

import copy
import gc
import json
import pickle
import weakref
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

import numpy as np
import pytest

import sarai
from helpers.positions import BOOKS, every_book


def make(book: tuple[str, str]) -> sarai.Game:
    return sarai.make(book[0], preset=book[1])


def choices(state: sarai.State) -> list[int]:
    """What may happen next: outcomes at a chance node, else actions."""
    if state.is_chance_node():
        return [outcome for outcome, _ in state.chance_outcomes()]
    return state.legal_actions()


def walk(game: sarai.Game, seed: int) -> Iterator[sarai.State]:
    """The one state of a random game at every point of it, to be looked at before the next is asked for."""
    rng = np.random.default_rng(seed)
    state = game.new_initial_state()
    yield state
    while not state.is_terminal():
        open_to = choices(state)
        state.apply_action(open_to[rng.integers(len(open_to))])
        yield state


@lru_cache(maxsize=64)
def walked(game: sarai.Game, seed: int, every: int) -> tuple[sarai.State, ...]:
    kept = []
    for place, state in enumerate(walk(game, seed)):
        if place % every == 0 or state.is_terminal():
            kept.append(state.clone())
    return tuple(kept)


def some_states(game: sarai.Game, seed: int, every: int = 9) -> list[sarai.State]:
    """Every ninth or so state of a random game, and its last; they are the caller's to change."""
    return [state.clone() for state in walked(game, seed, every)]


def looks(state: sarai.State) -> list[Any]:
    """All that can be seen of a state."""
    views = [state.observation_tensor(seat).tolist() for seat in range(state.num_players())]
    return [str(state), state.current_player(), choices(state), state.returns(), views, state.to_json()]


@every_book
def test_copies_and_forms_give_the_same_state(book: tuple[str, str]) -> None:
    game = make(book)
    for state in some_states(game, seed=1):
        seen = looks(state)
        twins = [
            state.clone(),
            copy.copy(state),
            copy.deepcopy(state),
            pickle.loads(pickle.dumps(state)),
            game.parse(str(state)),
            game.state_from_json(state.to_json()),
            game.state_from_dict(state.to_dict()),
        ]
        for twin in twins:
            assert twin == state
            assert twin.key() == state.key()
            assert sarai.States.from_states([twin]).key() == [state.key()]
            assert looks(twin) == seen
            assert twin.get_game() == game
            for move in choices(twin)[:1]:
                twin.apply_action(move)
                assert twin != state
                assert twin.key() != state.key()
        assert looks(state) == seen, "what happens to a copy does not happen to the original"
        assert json.loads(state.to_json()) == state.to_dict()


@every_book
def test_games_are_values(book: tuple[str, str]) -> None:
    game = make(book)
    again = eval(repr(game), {"sarai": sarai})
    for twin in (again, pickle.loads(pickle.dumps(game)), copy.copy(game), copy.deepcopy(game)):
        assert twin == game
        assert hash(twin) == hash(game)
        assert twin.rules == game.rules == sarai.presets(book[0])[book[1]]
    assert sarai.make(book[0], rules=game.rules) == game
    assert sarai.make(book[0], **game.rules) == game
    game.rules.clear()
    assert game.rules == again.rules, "the dict is the caller's own"
    others = [make(other) for other in BOOKS if other[0] != book[0]]
    others += [make(other) for other in BOOKS if sarai.presets(other[0])[other[1]] != game.rules]
    assert game not in others
    assert game != game.name


@every_book
def test_the_verbs_agree_with_each_other(book: tuple[str, str]) -> None:
    game = make(book)
    assert (sarai.CHANCE, sarai.TERMINAL) == (-1, -4)
    assert len(game.sides) == game.num_players
    for state in walk(game, seed=2):
        player, legal, outcomes = state.current_player(), state.legal_actions(), state.chance_outcomes()
        assert state.is_chance_node() == (player == sarai.CHANCE) == bool(outcomes)
        assert state.is_terminal() == (player == sarai.TERMINAL)
        assert bool(legal) == (player >= 0)
        assert player < game.num_players == state.num_players()
        assert legal == sorted(set(legal))
        mask = state.legal_actions_mask()
        assert mask.dtype == np.int8
        assert mask.shape == (game.num_actions,)
        assert np.flatnonzero(mask).tolist() == legal
        assert set(mask.tolist()) <= {0, 1}
        names = [state.action_to_string(action) for action in legal]
        assert len(set(names)) == len(names)
        assert [state.string_to_action(name) for name in names] == legal
        # The marks of a name may be left out, but none may be added.
        assert [state.string_to_action(name.rstrip("*+")) for name in names] == legal
        for name in names[:2]:
            with pytest.raises(
                ValueError, match=r"is not the name of|not legal|nothing is hit|is no move|piece"
            ):
                state.string_to_action(name + ("+" if name.endswith("*") else "*"))
        # OpenSpiel's forms, with who is to act before it.
        player = state.current_player()
        assert [state.action_to_string(player, action) for action in legal] == names
        assert [state.string_to_action(player, name) for name in names] == legal
        for outcome, _ in outcomes:
            assert state.action_to_string(sarai.CHANCE, outcome) == state.outcome_to_string(outcome)
        if legal:
            with pytest.raises(sarai.IllegalActionError):
                state.action_to_string(player + 1, legal[0])
            with pytest.raises(ValueError, match=f"it is player {player}'s turn"):
                state.string_to_action(player + 1, names[0])
        if outcomes:
            for wrong in (-1, len(outcomes), 10**30):
                with pytest.raises(
                    sarai.IllegalActionError, match="this is a chance node with the outcomes 0 to"
                ):
                    state.apply_action(wrong)
            assert [outcome for outcome, _ in outcomes] == list(range(len(outcomes)))
            assert len(outcomes) <= game.max_chance_outcomes
            assert sum(chance for _, chance in outcomes) == pytest.approx(1, abs=1e-12)
            assert min(chance for _, chance in outcomes) > 0
            assert len({state.outcome_to_string(outcome) for outcome, _ in outcomes}) == len(outcomes)
        returns = state.returns()
        assert state.rewards() == returns
        assert [state.player_return(seat) for seat in range(game.num_players)] == returns
        if state.is_terminal():
            assert sum(returns) == pytest.approx(0)
            for seat, side in enumerate(game.sides):
                assert returns[seat] == returns[game.sides.index(side)], "partners get the same"
        else:
            assert returns == [0.0] * game.num_players
            assert state.winner is None


@every_book
def test_observations_keep_to_their_declared_ranges(book: tuple[str, str]) -> None:
    game = make(book)
    parts = game.observation_spec
    ends = [0, *(part["stop"] for part in parts)]
    assert [part["start"] for part in parts] == ends[:-1]
    assert game.observation_shape == (ends[-1],)
    for state in walk(game, seed=3):
        for seat in range(game.num_players):
            view = state.observation_tensor(seat)
            assert view.dtype == np.int8
            assert view.shape == game.observation_shape
            for part in parts:
                cells = view[part["slice"]]
                assert part["slice"] == slice(part["start"], part["stop"], 1)
                assert part["range"] == (part["low"], part["high"])
                assert part["low"] <= cells.min() <= cells.max() <= part["high"], part["name"]
        if state.current_player() >= 0:
            mine = state.observation_tensor(state.current_player())
            assert np.array_equal(state.observation_tensor(), mine)
        else:
            with pytest.raises(ValueError, match="observation_tensor"):
                state.observation_tensor()


@every_book
def test_views_and_pictures(book: tuple[str, str]) -> None:
    game = make(book)
    for state in some_states(game, seed=4, every=23):
        view = state.view()
        assert (view["game"], view["rules"], view["state"]) == (game.name, game.rules, state.to_dict())
        assert (view["num_players"], view["sides"]) == (game.num_players, list(game.sides))
        root = ET.fromstring(state._repr_svg_())
        assert root.tag == "{http://www.w3.org/2000/svg}svg"
        assert len(list(root.iter())) > 10


@every_book
def test_only_the_player_to_act_has_legal_actions(book: tuple[str, str]) -> None:
    for state in some_states(make(book), seed=7, every=13):
        for seat in range(state.num_players()):
            mine = seat == state.current_player()
            assert state.legal_actions(seat) == (state.legal_actions() if mine else [])
            assert np.flatnonzero(state.legal_actions_mask(seat)).tolist() == state.legal_actions(seat)
        for stranger in (-1, state.num_players(), 10**30, -(10**30)):
            assert state.legal_actions(stranger) == []
            assert not state.legal_actions_mask(stranger).any()


def test_weak_references_end_with_what_they_are_of() -> None:
    game = sarai.make("sho")
    for make in (lambda: sarai.make("sho"), game.new_initial_state, lambda: sarai.States(game, 2)):
        made = make()
        seen = weakref.ref(made)
        assert seen() is made
        del made
        gc.collect()
        assert seen() is None
