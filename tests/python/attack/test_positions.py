"""Games, positions and rows of them: written wrongly, and asked for what is none."""

from __future__ import annotations

import copy
import json
import math
import pickle
import re
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

import sarai
from attack import oracle, values
from attack.oracle import books, call, choices, games, print_of, shown, spoil, states, tries
from attack.values import OwnError, Strategy, anything, fresh, index_of, near, numbers, some
from sarai import _core

# --- games --------------------------------------------------------------------------------------------------


@cache
def options_of(name: str) -> dict[str, dict[str, Any]]:
    """What a game says of its options, by their names."""
    return {option["name"]: option for option in json.loads(_core.describe_json(name))["options"]}


@cache
def likely(name: str, option: str) -> Strategy:
    """A value that fits the words of what an option takes, or lies just beside, or is anything."""
    takes = options_of(name)[option]["takes"]
    words = re.findall(r'"(\w+)"', takes)
    found: list[Any] = [*words, options_of(name)[option]["default"], 0.5, 2, True, np.True_]
    if ends := re.search(r"integer from (\d+) to (\d+)", takes):
        low, high = int(ends[1]), int(ends[2])
        found += [low, high, low - 1, high + 1, np.int32(low)]
    return st.sampled_from(found) | near(*words or ["x"]) | anything


@tries(70)
@given(st.data())
def test_options(data: Any) -> None:
    name = data.draw(games)
    known = options_of(name)
    chosen = data.draw(st.lists(st.sampled_from(list(known)), min_size=1, max_size=4, unique=True))
    given = {option: data.draw(likely(name, option)) for option in chosen}
    preset = data.draw(st.sampled_from([None, *sarai.presets(name)]))
    made = call(sarai.make, name, preset=preset, rules=given).value
    as_keywords = call(sarai.make, name, preset=preset, **given).value
    if made is None:
        assert as_keywords is None
        return
    for option, value in given.items():
        took, exact = made.rules[option], index_of(value)
        assert isinstance(took, bool) == isinstance(value, bool | np.bool_), (option, took, value)
        assert took == (value if exact is None else float(exact) if isinstance(took, float) else exact)
    copies = [
        as_keywords,
        sarai.make(name, rules=made.rules),
        copy.deepcopy(made),
        pickle.loads(pickle.dumps(made)),
    ]
    assert all(each == made and hash(each) == hash(made) for each in copies)
    assert choices(made.new_initial_state())
    assert -math.inf < made.returns_range[0] <= made.returns_range[1] < math.inf


@tries(70)
@given(st.data())
def test_names_of_games_presets_and_options(data: Any) -> None:
    name = data.draw(games)
    for known, wrong, make in (
        (oracle.GAMES, near(*oracle.GAMES), sarai.make),
        (oracle.GAMES, near(*oracle.GAMES), sarai.presets),
        (
            (None, *sarai.presets(name)),
            near(*sarai.presets(name)),
            lambda given: sarai.make(name, preset=given),
        ),
        (options_of(name), near(*options_of(name)), lambda given: sarai.make(name, rules={given: True})),
    ):
        given = data.draw(wrong | wrong | anything)
        if call(make, given).error is None:
            assert isinstance(given, str | None) and given in known, shown(given)  # noqa: PT018
    call(sarai.make, name, rules=data.draw(anything))
    text = json.dumps(sarai.make(name).rules)
    wrong = data.draw(values.changed_text(text) | anything)
    made = call(sarai.Game, name, None, wrong).value
    if made is not None and wrong is not None:
        told = json.loads(wrong)
        assert {option: made.rules[option] for option in told} == told
    call(sarai.Game, *data.draw(st.lists(anything, max_size=5)))


def stands_apart(data: Any, one: Any) -> None:
    """Nothing else is equal to it, and it cannot be rebuilt from what is none."""
    other = data.draw(anything)
    if not isinstance(other, np.ndarray | np.generic):
        assert call(lambda: one == other).value in (None, False)
    call(lambda: one < other)
    rebuild, arguments = one.__reduce__()
    wrong = list(arguments)
    wrong[data.draw(st.integers(0, len(wrong) - 1))] = data.draw(anything)
    call(rebuild, *wrong)


@tries(50)
@given(st.data(), books)
def test_a_game_is_nobody_elses(data: Any, index: int) -> None:
    made = oracle.game(index)
    before = copy.deepcopy((made.rules, made.sides, made.statistics, made.observation_spec))
    spoil([made.rules, made.sides, made.statistics, made.observation_spec], clear=True)
    assert (made.rules, made.sides, made.statistics, made.observation_spec) == before
    stands_apart(data, made)


# --- positions ----------------------------------------------------------------------------------------------


def words_of(text: str) -> list[str]:
    """`parse` does not mind how many blanks or leading zeros there are, nor the order of stacks."""
    return sorted(re.sub(r"\b0+(?=\d)", "", text.replace("|", " | ")).split())


def number_of(value: Any) -> Any:
    """What JSON makes of a number of numpy's, or of an object that says that it is one."""
    return value.item() if isinstance(value, np.generic) else value.__index__()


@tries(130)
@given(st.data(), states)
def test_positions_written_wrongly(data: Any, state: sarai.State) -> None:
    game = state.get_game()
    for _ in range(3):
        way = data.draw(st.sampled_from(["text", "dict", "dict", "json"]))
        if way == "text":
            given = data.draw(values.changed_text(str(state)) | anything)
            met = call(game.parse, given)
            if met.error is None:
                assert words_of(str(met.value)) == words_of(given)
        elif way == "dict":
            given = data.draw(values.changed(state.to_dict()))
            met = call(game.state_from_dict, given)
            if met.error is None:
                # Types count: true is no 1, and 1.0 is no 1.
                plain = json.loads(json.dumps(given, default=number_of))
                assert json.dumps(met.value.to_dict(), sort_keys=True) == json.dumps(plain, sort_keys=True)
        else:
            given = data.draw(values.changed_text(state.to_json()) | anything)
            met = call(game.state_from_json, given)
            if met.error is None:
                assert json.loads(met.value.to_json()) == json.loads(given)
        if met.error is None:
            lives(data, met.value)


def lives(data: Any, state: sarai.State) -> None:
    """A position that was taken can be written, read, shown and played on."""
    game = state.get_game()
    assert game.parse(str(state)) == game.state_from_dict(state.to_dict()) == state
    assert game.state_from_json(state.to_json()) == state
    parts = game.observation_spec
    sizes = [part["stop"] - part["start"] for part in parts]
    low, high = (np.repeat([part[end] for part in parts], sizes) for end in ("low", "high"))
    for _ in range(12):
        for player in range(game.num_players):
            seen = state.observation_tensor(player)
            assert ((low <= seen) & (seen <= high)).all(), f"{state}: an observation out of its range"
        state.view()
        going = choices(state)
        assert bool(going) != state.is_terminal()
        if not going:
            break
        state.apply_action(data.draw(st.sampled_from(going)))


# --- verbs --------------------------------------------------------------------------------------------------


def number_at(state: sarai.State) -> Strategy:
    """An action, a seat, or nearly one."""
    game = state.get_game()
    near_by = [*choices(state)[:3], game.num_actions, game.num_actions - 1, game.max_chance_outcomes]
    return st.one_of(st.sampled_from(near_by), numbers, anything, st.integers(-2, 140))


def apply(data: Any, state: sarai.State) -> None:
    """What is legal is played, all else is refused with the error that is due."""
    given = data.draw(number_at(state))
    other = state.clone()
    met = call(other.apply_action, given)
    whole = index_of(given)
    if whole in choices(state):
        assert met.error is None
        assert other != state
        return
    assert isinstance(met.error, (TypeError if whole is None else sarai.IllegalActionError, OwnError)), shown(
        given
    )
    assert print_of(other) == print_of(state)


def by_player(data: Any, state: sarai.State) -> None:
    """Verbs that take a seat; whoever is not to act has no legal actions, and neither has a seat that there is not."""
    seats = state.num_players()
    for player in (data.draw(number_at(state)), -1, seats):
        whole = index_of(player)
        for verb in (
            state.legal_actions,
            state.legal_actions_mask,
            state.observation_tensor,
            state.player_return,
        ):
            met = call(verb, player)
            if met.error is None and (whole is None or not 0 <= whole < seats):
                lax = verb in (state.legal_actions, state.legal_actions_mask)
                assert (lax and whole is not None) or (player is None and verb != state.player_return), verb
            spoil(met.value, clear=True)


def names(data: Any, state: sarai.State) -> None:
    """Names of actions and outcomes, and the way back."""
    given = data.draw(number_at(state))
    met = call(state.action_to_string, given)
    if met.error is None:
        back = call(state.string_to_action, met.value)
        assert back.error is not None or back.value == index_of(given)
    call(state.action_to_string, data.draw(number_at(state)), given)
    call(state.outcome_to_string, given)
    known = [state.action_to_string(action) for action in state.legal_actions()]
    text = data.draw(near(*known or ["d6"]) | anything)
    met = call(state.string_to_action, text)
    assert met.error is not None or met.value in state.legal_actions()
    call(state.string_to_action, given, text)


def without(data: Any, state: sarai.State) -> None:
    """Verbs that take nothing take nothing, and what they return is the caller's own."""
    odd = data.draw(anything)
    for verb in (
        state.current_player,
        state.is_chance_node,
        state.is_terminal,
        state.chance_outcomes,
        state.returns,
        state.rewards,
        state.to_dict,
        state.to_json,
        state.view,
        state.clone,
        state.get_game,
        state._repr_svg_,
    ):
        assert call(verb, odd).error is not None
        if verb != state._repr_svg_:
            spoil(verb(), clear=True)


def copies(data: Any, state: sarai.State) -> None:
    """Copies are equal and go their own way; what is no state is not equal."""
    for each in (state.clone(), copy.copy(state), copy.deepcopy(state), pickle.loads(pickle.dumps(state))):
        assert each == state
        assert each.key() == state.key()
        for action in choices(each)[:1]:
            each.apply_action(action)
    stands_apart(data, state)


@tries(150)
@given(
    st.data(),
    states,
    st.lists(st.sampled_from([apply, apply, by_player, names, without, copies]), max_size=5),
)
def test_no_verb_changes_a_state(data: Any, state: sarai.State, verbs: list[Any]) -> None:
    before, copied = print_of(state), state.clone()
    for verb in verbs:
        verb(data, state)
        assert print_of(state) == before, verb
        assert state == copied


# --- rows ---------------------------------------------------------------------------------------------------


@cache
def batch(index: int) -> sarai.States:
    """Positions of every kind under one rule book: decisions, throws, and an end."""
    found = oracle.walk(index)
    return sarai.States.from_states([*found[:3], *found[len(found) // 2 :][:3], found[-1]])


rows: Strategy = books.map(lambda index: batch(index).copy())


@cache
def whole(high: int) -> Strategy:
    """A whole number, or nearly one; none that is in range and takes long."""
    wrong = st.one_of(numbers, anything, st.sampled_from([0, 1, 2, -1, high + 1]))
    return wrong.map(lambda given: high + 1 if 3000 < (index_of(given) or 0) <= high else given)


@st.composite
def many(draw: Any, good: list[int]) -> Any:
    """Actions or outcomes, a row each, of which one or another is odd."""
    cells: list[Any] = list(good)
    for _ in range(draw(st.sampled_from([0, 1, 1, 2]))):
        cells[draw(st.integers(0, len(cells) - 1))] = draw(some(-1, 200, 2**40))
    array = np.array(good)
    forms = [
        *(cells, cells, tuple(cells), cells[:-1], [*cells, 0], array[::-1], array * 1.0, array[:, None]),
        array.astype(np.int16),
        array.astype(np.uint64),
        array.astype(">i4"),
        array.astype(object),
        draw(values.arrays),
        *(array.astype(bool), array.astype("U3"), array.astype("M8[s]"), draw(anything)),
    ]
    return forms[draw(st.integers(0, len(forms) - 1))]


@tries(80)
@given(st.data(), rows, st.booleans())
def test_all_rows_take_a_step_or_none(data: Any, s: sarai.States, at_chance: bool) -> None:
    s = s[s.is_chance_node() if at_chance else s.current_player() >= 0]
    if not len(s):
        return
    before = [str(state) for state in s]
    given = data.draw(many([choices(state)[-1] for state in s]))
    met = call(s.apply_outcomes if at_chance else s.apply_actions, given)
    due = before
    if met.error is None:
        known = [s.game.parse(text) for text in before]
        for state, action in zip(known, given, strict=True):
            state.apply_action(index_of(action))
        due = [str(state) for state in known]
    assert [str(state) for state in s] == due, shown(given)


@tries(80)
@given(st.data(), rows, books)
def test_rows_asked_for_what_is_none(data: Any, s: sarai.States, index: int) -> None:
    before = s.copy()
    shape = (len(s), *s.game.observation_shape)
    locked = np.empty(shape, np.int8)
    locked.flags.writeable = False
    out = data.draw(
        fresh(
            lambda: [
                None,
                *(np.empty(shape, np.int8), np.empty(shape, np.int16), np.empty(shape[::-1], np.int8)),
                locked,
                *(np.empty((len(s) + 1, shape[1]), np.int8), np.empty(shape, np.int8, order="F")),
                *(np.empty(shape, np.float32), np.empty((len(s), s.game.num_actions), np.int8)),
            ]
        )
        | anything
    )
    viewers = data.draw(some(None, 0, s.game.num_players, -1, (0,) * len(s)) | many([0] * len(s)))
    threads = data.draw(st.sampled_from([None, 1]) | whole(256))
    limit = data.draw(st.sampled_from([0, 1, 10, 50]) | whole(10**8))
    row = data.draw(
        fresh(
            lambda: [
                [0, len(s)],
                [-1, -len(s) - 1],
                [True] * len(s),
                [True],
                slice(5, None, -2),
                slice(0, 9, 0),
                *(slice("a", 1), (0, 1), np.zeros((2, 2), int), np.array([0.5]), ..., None, values.bools(2)),
            ]
        )
        | anything
    )
    odd, other = data.draw(anything), batch(index)
    agents = data.draw(near("random", "greedy") | some("random") | values.listed(st.just("random")))
    seeds = data.draw(st.tuples(some(0, 2**64 - 1), some(0, 2**64 - 1)))
    expand = data.draw(st.sampled_from([s.successors, s.afterstates, s.chance_successors]))
    calls: list[Callable[[], Any]] = [
        lambda: s.observation_tensor(viewers, out=out, num_threads=threads),
        lambda: s.observation_tensor(viewers, dtype=odd),
        *(lambda: s.legal_actions_mask(out=out, num_threads=threads), lambda: s[row]),
        lambda: expand(limit, num_threads=threads),
        lambda: sarai.States(s.game if index % 2 else odd, limit),
        lambda: sarai.States.from_states([s[0], other[0] if index % 2 else odd]),
        lambda: sarai.States.concatenate([s, other if index % 2 else odd]),
        lambda: sarai.States.from_states(odd) or sarai.States.concatenate(odd),
        lambda: oracle.game(index).sample_states(agents, limit, seed=seeds[0]),
        lambda: oracle.game(index).sample_states(agents, 2, first_game=seeds[1], seed=0),
        lambda: s.copy().sample_chance(*seeds),
        *(lambda: s.rollout(agents, limit if index % 5 == 0 else 0, seed=seeds[0]), lambda: s == odd),
    ]
    at = data.draw(st.integers(0, len(calls) - 1))
    met = call(calls[at], also=(IndexError,) if at == 3 else ())
    if at == 3 and isinstance(met.value, sarai.State):
        assert met.value in list(s)
    elif at == 4 and met.error is None:
        e = met.value
        assert e.offsets[-1] == len(e.states) == len(e.parent) <= index_of(limit)
        assert len(e.offsets) == len(s) + 1
    elif isinstance(met.value, sarai.States):
        assert len(met.value.current_player()) == len(met.value)
    assert s == before
    assert pickle.loads(pickle.dumps(s)) == s == copy.deepcopy(s)
