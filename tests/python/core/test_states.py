"""`Game` and `State`: the verbs, the forms a state can be written in, and what broken forms meet."""

from __future__ import annotations

import copy
import functools
import json
import pickle
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import sarai
from helpers.positions import BOOKS, every_book

every_game = pytest.mark.parametrize("name", sarai.games())

# What a refusal says at the least; the tests of single options and fields ask for more.
A_SENTENCE = r"\w+ \w+"


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


def play_to_the_end(state: sarai.State, seed: int = 0) -> None:
    rng = np.random.default_rng(seed)
    while not state.is_terminal():
        open_to = choices(state)
        state.apply_action(open_to[rng.integers(len(open_to))])
    assert choices(state) == []


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
            assert hash(twin) == hash(state)
            assert looks(twin) == seen
            assert twin.get_game() == game
            for move in choices(twin)[:1]:
                twin.apply_action(move)
                assert twin != state
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
            with pytest.raises(ValueError, match="is not the name of a legal action"):
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
def test_illegal_actions_change_nothing(book: tuple[str, str]) -> None:
    game = make(book)
    for state in some_states(game, seed=5, every=17):
        seen, open_to = looks(state), choices(state)
        numbers = {*range(-3, game.num_actions + 3), -(2**63), 2**63 - 1, 2**63, 10**30, -(10**30)}
        for number in sorted(numbers - set(open_to)):
            with pytest.raises(sarai.IllegalActionError, match=f"{number} is not legal"):
                state.apply_action(number)
        for number in sorted(numbers - set(state.legal_actions())):
            with pytest.raises(sarai.IllegalActionError, match=f"{number} is not legal"):
                state.action_to_string(number)
        wrong = next(number for number in range(game.num_actions + 3) if number not in open_to)
        for kind in (np.int8, np.int64, np.uint64):
            with pytest.raises(sarai.IllegalActionError):
                state.apply_action(kind(wrong))
        with pytest.raises(sarai.IllegalActionError, match="action of 16610 bits is not legal"):
            state.apply_action(10**5000)
        masked = functools.partial(np.ma.array, mask=True)
        for kind in (float, str, np.float64, masked, lambda number: [number], lambda number: None):
            with pytest.raises(TypeError):
                state.apply_action(kind(wrong))
            if open_to:
                with pytest.raises(TypeError):
                    state.apply_action(kind(open_to[0]))
        assert looks(state) == seen
        if open_to:
            twin = state.clone()
            twin.apply_action(np.int16(open_to[-1]))
            state.apply_action(open_to[-1])
            assert twin == state


@every_game
def test_names_seats_and_outcomes_that_do_not_exist(name: str) -> None:
    game = sarai.make(name)
    for state in some_states(game, seed=6, every=31):
        seen = looks(state)
        for text in ("", "no such action", "\x00", "9" * 500):
            with pytest.raises(ValueError, match=A_SENTENCE):
                state.string_to_action(text)
        with pytest.raises(TypeError):
            state.string_to_action(3)  # type: ignore[arg-type]
        for seat in (-1, game.num_players, 10**30):
            with pytest.raises(ValueError, match="player got"):
                state.observation_tensor(seat)
            with pytest.raises(ValueError, match="player got"):
                state.player_return(seat)
        for number in (-1, game.max_chance_outcomes, 10**30):
            with pytest.raises(ValueError, match=A_SENTENCE):
                state.outcome_to_string(number)
        with pytest.raises(TypeError):
            state.observation_tensor(0.5)  # type: ignore[arg-type]
        assert looks(state) == seen


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


@every_game
def test_equality_with_something_else(name: str) -> None:
    state = sarai.make(name).new_initial_state()
    assert state != str(state)
    assert state != None  # noqa: E711  (the operator is what is tested)
    for preset in sarai.presets(name):
        other = sarai.make(name, preset=preset)
        assert (state == other.new_initial_state()) == (other == state.get_game())


# --- broken forms -------------------------------------------------------------------------------------------


@every_game
@pytest.mark.parametrize("text", ["[" * 10**7, '{"a":' * 2 * 10**6, "\n" * 10**7, "[" * 60_000])
def test_megabytes_of_brackets_are_refused(name: str, text: str) -> None:
    game = sarai.make(name)
    for read in (game.parse, game.state_from_json):
        with pytest.raises(ValueError, match=A_SENTENCE) as caught:
            read(text)
        assert len(str(caught.value)) < 500, "the sentence does not repeat it all"


@every_game
def test_forms_of_a_wrong_type(name: str) -> None:
    game = sarai.make(name)
    nested: list[Any] = []
    for _ in range(100_000):
        nested = [nested]
    endless: dict[str, Any] = {}
    endless["again"] = endless
    good = game.new_initial_state().to_dict()
    no_dicts = [None, 3, "text", [], nested, endless, {}, {1: 2}, {"a": object()}, {"a": {1, 2}}]
    for given_state in [*no_dicts, list(good.values()), [good], b"bytes"]:
        with pytest.raises(ValueError, match=A_SENTENCE):
            game.state_from_dict(given_state)
    for value in (None, 3, b"bytes", {}):
        with pytest.raises(TypeError):
            game.parse(value)  # type: ignore[arg-type]
        with pytest.raises(TypeError):
            game.state_from_json(value)  # type: ignore[arg-type]
    for text in ("", " ", "null", "0", "NaN", "[]", "{}", '"', "\x00", "{}" * 9, "\ud800", "é" * 99):
        with pytest.raises(ValueError, match=A_SENTENCE):
            game.parse(text)
        with pytest.raises(ValueError, match=A_SENTENCE):
            game.state_from_json(text)


JUNK: list[Any] = [None, True, False, -1, 10, 2**31, 2**64, 10**30, 1.0, 0.5, float("nan"), float("inf")]
JUNK += ["", "x", [], {}]


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The paths of everything inside nested dicts and lists."""
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, child in inside:
        yield (*path, key)
        yield from places(child, (*path, key))


def inner(value: Any, path: tuple[Any, ...]) -> Any:
    for key in path:
        value = value[key]
    return value


@every_book
def test_each_field_missing_added_or_replaced(book: tuple[str, str]) -> None:
    game = make(book)
    middle = some_states(game, seed=8, every=40)[1]
    good = middle.to_dict()
    for path in list(places(good)):
        holder, key = path[:-1], path[-1]
        missing = copy.deepcopy(good)
        del inner(missing, holder)[key]
        # A stack more or less may leave a valid state; a key of the state itself may not be missing.
        if not holder:
            with pytest.raises(ValueError, match=key):
                game.state_from_dict(missing)
        else:
            refused_or_valid(game, missing)
        for junk in JUNK:
            changed = copy.deepcopy(good)
            inner(changed, holder)[key] = junk
            refused_or_valid(game, changed)
    for path in [(), *(path for path in places(good) if isinstance(inner(good, path), dict))]:
        extra = copy.deepcopy(good)
        inner(extra, path)["no such key"] = 0
        with pytest.raises(ValueError, match=A_SENTENCE):
            game.state_from_dict(extra)


def refused_or_valid(game: sarai.Game, changed: Any) -> None:
    """What is accepted says of itself exactly what was given, and can be played to its end."""
    try:
        state = game.state_from_dict(changed)
    except ValueError:
        return
    written = json.dumps(state.to_dict(), sort_keys=True)
    assert written == json.dumps(changed, sort_keys=True), "types count: true is no 1, and 1.0 is no 1"
    assert game.parse(str(state)) == game.state_from_json(state.to_json()) == state
    assert state.to_dict() == game.state_from_dict(state.to_dict()).to_dict()
    play_to_the_end(state)


# A reader's bug shows within a few dozen examples; the hand-made cases above are the systematic ones.
quick = settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
leaves = st.sampled_from(JUNK) | st.integers() | st.text(max_size=6) | st.integers(-2, 12)
junk_values = st.recursive(
    leaves,
    lambda inside: st.lists(inside, max_size=3) | st.dictionaries(st.text(max_size=3), inside, max_size=3),
    max_leaves=5,
)


@every_book
@given(data=st.data())
@quick
def test_mutated_dicts(book: tuple[str, str], data: st.DataObject) -> None:
    game = make(book)
    changed = data.draw(st.sampled_from(some_states(game, data.draw(st.integers(0, 3))))).to_dict()
    for _ in range(data.draw(st.integers(1, 3))):
        paths = list(places(changed))
        if not paths:
            break
        path = data.draw(st.sampled_from(paths))
        holder = inner(changed, path[:-1])
        kind = data.draw(st.sampled_from(["replace", "delete", "copy", "nudge"]))
        if kind == "replace":
            holder[path[-1]] = data.draw(junk_values)
        elif kind == "delete":
            del holder[path[-1]]
        elif kind == "copy":
            holder[path[-1]] = copy.deepcopy(inner(changed, data.draw(st.sampled_from(paths))))
        elif type(holder[path[-1]]) is int:
            holder[path[-1]] += data.draw(st.integers(-2, 2))
    refused_or_valid(game, changed)


@every_book
@given(data=st.data())
@quick
def test_mutated_texts_and_json(book: tuple[str, str], data: st.DataObject) -> None:
    game = make(book)
    state = data.draw(st.sampled_from(some_states(game, data.draw(st.integers(0, 3)))))
    for read, text in ((game.parse, str(state)), (game.state_from_json, state.to_json())):
        begin = data.draw(st.integers(0, len(text)))
        end = data.draw(st.integers(begin, min(begin + 4, len(text))))
        piece = data.draw(st.text("0123456789-= |:,.{}[]\"'truefalsn", max_size=4) | st.text(max_size=3))
        changed = text[:begin] + piece + text[end:]
        try:
            found = read(changed)
        except ValueError:
            continue
        refused_or_valid(game, found.to_dict())
