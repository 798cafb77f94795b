"""`sarai.States` held against loops over `State`: what is said of each row, how rows are picked, changed and kept."""

from __future__ import annotations

import copy
import itertools
import pickle
import threading
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import sarai
from helpers.learner_games import lowest
from helpers.positions import every_book, mixed
from sarai import _core


@every_book
def test_every_question_has_the_answers_of_single_states(book: tuple[str, str]) -> None:
    game = sarai.make(book[0], preset=book[1])
    states = mixed(game)
    batch = sarai.States.from_states(states)
    players = game.num_players
    assert batch.game == game
    assert len(batch) == len(states)
    assert list(batch) == states
    assert batch.current_player().tolist() == [state.current_player() for state in states]
    assert batch.turn.dtype == np.int8
    assert batch.turn.tolist() == [state.turn for state in states]
    decides = batch.current_player() >= 0
    assert np.array_equal(batch.turn[decides], batch.current_player()[decides])
    assert set(batch.turn[batch.is_terminal()].tolist()) <= {-1}
    assert batch.is_terminal().tolist() == [state.is_terminal() for state in states]
    assert batch.is_chance_node().tolist() == [state.is_chance_node() for state in states]
    assert batch.turns_passed().tolist() == [state.turns_passed() for state in states]
    assert batch.winner.tolist() == [-1 if state.winner is None else state.winner for state in states]
    assert np.array_equal(batch.returns(), np.array([state.returns() for state in states], np.float32))
    masks = batch.legal_actions_mask()
    assert np.array_equal(masks, np.stack([state.legal_actions_mask() for state in states]))
    rng = np.random.default_rng(2)
    seats = rng.integers(0, players, len(states))
    to_act = [max(state.current_player(), 0) for state in states]
    every_seat = [(seat, [seat] * len(states)) for seat in range(players)]
    on_turn = [max(state.turn, 0) for state in states]
    for viewer, expected in ((None, to_act), ("turn", on_turn), (seats, seats), *every_seat):
        plain = np.stack(
            [state.observation_tensor(seat) for state, seat in zip(states, expected, strict=True)]
        )
        for threads in (1, 2):
            assert np.array_equal(batch.observation_tensor(viewer, num_threads=threads), plain)
    largest = np.ones(game.observation_shape, np.float32)
    for part in game.observation_spec:
        largest[part["slice"]] = max(abs(part["low"]), abs(part["high"]), 1)
    scaled = batch.observation_tensor(dtype="float32")
    assert scaled.dtype == np.float32
    assert np.array_equal(scaled, batch.observation_tensor() / largest)
    assert np.abs(scaled).max() <= 1


@every_book
def test_whose_throw_it_is_shows_in_their_own_view_alone(book: tuple[str, str]) -> None:
    game = sarai.make(book[0], preset=book[1])
    states = sarai.States.from_states(mixed(game))
    (own,) = (part["start"] for part in game.observation_spec if part["name"] == "to_act")
    views = np.stack([states.observation_tensor(viewer=seat)[:, own] for seat in range(game.num_players)], 1)
    # Who is on turn sees itself so, and nobody else does; at the end and before chance has decided it, nobody.
    assert np.array_equal(views, states.turn[:, None] == np.arange(game.num_players))
    throws = states[states.is_chance_node() & (states.turn >= 0)]
    assert (len(throws) > 0) == (game.name != "shah")
    assert np.array_equal(throws.observation_tensor("turn"), throws.observation_tensor(throws.turn))
    for state in states:
        if state.turn < 0:
            with pytest.raises(ValueError, match="whose view"):
                state.observation_tensor("turn")
        else:
            assert np.array_equal(state.observation_tensor("turn"), state.observation_tensor(state.turn))


@every_book
def test_rows_are_picked_as_numpy_picks_them(book: tuple[str, str]) -> None:
    game = sarai.make(book[0], preset=book[1])
    states = mixed(game, games=2)
    batch = sarai.States.from_states(states)
    numbers = np.arange(len(states))
    keys = (
        slice(2, 9),
        slice(None, None, -1),
        slice(50, 2),
        [3, -1, 3],
        np.array([0, 5], np.uint8),
        numbers % 3 == 0,
    )
    for key in keys:
        picked = batch[key]
        assert isinstance(picked, sarai.States)
        assert list(picked) == [states[number] for number in numbers[key]]
    assert len(batch[[]]) == 0
    assert batch[-1] == states[-1]
    assert batch[np.int64(2)] == states[2]
    whole = sarai.States.concatenate([batch[:5], batch[5:5], batch[5:]])
    assert whole == batch
    assert whole != batch[1:]
    assert whole != sarai.States(game, len(batch))


@every_book
def test_copies_and_pickles_are_equal_and_apart(book: tuple[str, str]) -> None:
    game = sarai.make(book[0], preset=book[1])
    batch = sarai.States.from_states(mixed(game))
    before = list(batch)
    copies = [
        batch.copy(),
        copy.copy(batch),
        copy.deepcopy(batch),
        pickle.loads(pickle.dumps(batch)),
        batch[:],
    ]
    for twin in copies:
        assert twin == batch
        twin.sample_chance(seed=5)
        twin.apply_actions(twin.legal_actions_mask().argmax(axis=1))
        assert twin != batch
    assert list(batch) == before
    with pytest.raises(TypeError, match="unhashable"):
        hash(batch)


@every_book
def test_actions_and_outcomes_are_played_where_they_are_due(book: tuple[str, str]) -> None:
    game = sarai.make(book[0], preset=book[1])
    rng = np.random.default_rng(3)
    states = mixed(game)
    batch = sarai.States.from_states(states)
    for _ in range(30):
        # What stands in rows where nothing is due is nobody's business.
        steps = rng.integers(-(2**40), 2**40, len(states))
        outcomes = steps.copy()
        for row, state in enumerate(states):
            if state.is_chance_node():
                outcomes[row] = rng.choice([outcome for outcome, _ in state.chance_outcomes()])
            elif not state.is_terminal():
                steps[row] = rng.choice(state.legal_actions())
        batch.apply_actions(steps)
        decided = [state.current_player() >= 0 for state in states]
        for row, state in enumerate(states):
            if decided[row]:
                state.apply_action(int(steps[row]))
        assert list(batch) == states
        for row, state in enumerate(states):
            if state.is_chance_node():
                outcomes[row] = rng.choice([outcome for outcome, _ in state.chance_outcomes()])
                state.apply_action(int(outcomes[row]))
        batch.apply_outcomes(outcomes)
        assert list(batch) == states


@every_book
def test_chance_is_drawn_by_the_number_of_the_row(book: tuple[str, str]) -> None:
    game = sarai.make(book[0], preset=book[1])
    batch = sarai.States.from_states(mixed(game))
    drawn, other = batch.copy(), batch.copy()
    drawn.sample_chance(seed=9, first_row=100, num_threads=2)
    assert not drawn.is_chance_node().any()
    settled = ~batch.is_chance_node()
    assert drawn[settled] == batch[settled]
    head, tail = other[:7], other[7:]
    head.sample_chance(9, 100)
    tail.sample_chance(9, 107)
    assert sarai.States.concatenate([head, tail]) == drawn
    # Row 0 of stream 0 is what a single state draws.
    for row in np.flatnonzero(batch.is_chance_node())[:5]:
        one, state = batch[[row]], batch[int(row)]
        one.sample_chance(seed=4)
        state.sample_chance(4)
        assert one[0] == state
        if game.num_players == 2:
            assert state.current_player() != sarai.CHANCE


def test_the_first_illegal_row_of_a_million_is_named() -> None:
    batch = sarai.States("shah", 1_000_000)
    steps = np.zeros(1_000_000, np.int64)
    steps[[900_000, 950_000]] = 24
    before = batch.copy()
    for threads in (1, 2):
        with pytest.raises(sarai.IllegalActionError, match="row 900000: action 24"):
            batch.apply_actions(steps, num_threads=threads)
        assert batch == before
    steps[steps == 24] = 0
    batch.apply_actions(steps)
    assert (batch.current_player() == 1).all()


def test_a_million_rows_answer_as_the_rows_that_they_are_copies_of() -> None:
    few = sarai.States.from_states(mixed(sarai.make("shah")))
    picked = np.random.default_rng(3).integers(0, len(few), 1_000_000)
    many = few[picked]
    assert len(many) == 1_000_000
    assert (many.current_player() == few.current_player()[picked]).all()
    assert (many.winner == few.winner[picked]).all()
    assert (many.returns() == few.returns()[picked]).all()
    seats = np.arange(1_000_000) % 2
    seen = np.stack([few.observation_tensor(seat) for seat in (0, 1)])
    assert (many.observation_tensor(seats) == seen[seats, picked]).all()
    last = slice(900_000, None)
    assert (many[last].legal_actions_mask() == few.legal_actions_mask()[picked[last]]).all()
    assert many[999_999] == few[int(picked[-1])]


@pytest.mark.parametrize("name", sarai.games())
def test_no_rows_and_one_row_are_batches_too(name: str) -> None:
    game = sarai.make(name)
    none, one = sarai.States(game, 0), sarai.States(name, 1)
    assert (len(none), len(one), one[0]) == (0, 1, game.new_initial_state())
    cells, actions = game.observation_shape[0], game.num_actions
    for batch, rows in ((none, 0), (one, 1)):
        assert batch.observation_tensor().shape == (rows, cells)
        assert batch.observation_tensor(dtype="float32").shape == (rows, cells)
        assert batch.legal_actions_mask().shape == (rows, actions)
        assert batch.returns().shape == (rows, game.num_players)
        assert pickle.loads(pickle.dumps(batch)) == batch
        batch.sample_chance(seed=0)
    none.apply_actions([])
    none.apply_outcomes(np.empty(0, np.int32))
    assert sarai.States.concatenate([none, none]) == none
    assert none.rollout(num_games=3, seed=0).returns.shape == (0, 3, game.num_players)
    assert game.sample_states(num_games=0, seed=0) == none


def test_out_is_written_and_returned() -> None:
    batch = sarai.make("sho").sample_states(num_games=50, seed=1)
    for dtype in ("int8", "float32"):
        out = np.full((50, 287), 9, dtype)
        assert batch.observation_tensor(out=out, dtype=dtype) is out  # type: ignore[arg-type]
        assert np.array_equal(out, batch.observation_tensor(dtype=dtype))  # type: ignore[arg-type]
    mask = np.full((50, 130), 9, np.int8)
    assert batch.legal_actions_mask(out=mask) is mask
    assert np.array_equal(mask, batch.legal_actions_mask())


BAD: list[tuple[Callable[[sarai.States], Any], type[Exception], str]] = [
    (lambda s: s[[0, -6]], IndexError, "no row -6"),
    (lambda s: s[[True, False]], IndexError, "2 were given for 5 rows"),
    (lambda s: s[True], TypeError, "bool"),
    (lambda s: s[[True, 2]], TypeError, "bools"),
    (lambda s: s[np.ma.array([0, 1], mask=[1, 0])], ValueError, "rows .* masked"),
    (lambda s: s[0.5], TypeError, "float64"),
    (lambda s: s["a"], TypeError, "<U1"),
    (lambda s: s[[[0]]], TypeError, "nested list"),
    (lambda s: s.observation_tensor([0, 1, 2, 3, 0]), ValueError, "viewer got 3 in row 3"),
    (lambda s: s.observation_tensor(-1), ValueError, "viewer got -1"),
    (lambda s: s.observation_tensor(1.0), TypeError, "viewer"),
    (lambda s: s.observation_tensor("0"), ValueError, "viewer"),
    (lambda s: s[0].observation_tensor("mover"), ValueError, "player"),
    (lambda s: s.observation_tensor(dtype="float64"), ValueError, "dtype"),
    (lambda s: s.observation_tensor(out=[0]), TypeError, "out"),
    (lambda s: s.observation_tensor(out=np.zeros((287, 5), np.int8).T), ValueError, "out .*contiguous"),
    (lambda s: s.observation_tensor(out=locked((5, 287))), ValueError, "out .*writeable"),
    (lambda s: s.observation_tensor(num_threads=0), ValueError, "num_threads got 0"),
    (lambda s: s.legal_actions_mask(out=np.zeros((5, 7), np.int8)), ValueError, r"out .*\(5, 130\)"),
    (lambda s: s.legal_actions_mask(out=locked((5, 130))), ValueError, "out .*writeable"),
    (lambda s: s.apply_actions([0] * 4), ValueError, r"actions .*\(5,\)"),
    (lambda s: s.apply_actions([0.5] * 5), TypeError, "actions .*float64"),
    (lambda s: s.apply_actions(np.ma.array([0] * 5, mask=[0, 0, 0, 1, 0])), ValueError, "actions .*masked"),
    (lambda s: s.apply_actions([True] * 5), TypeError, "actions .*bool"),
    (lambda s: s.apply_outcomes(np.zeros((5, 1), int)), ValueError, r"outcomes .*\(5,\)"),
    (lambda s: s.sample_chance(-1), ValueError, "seed got -1"),
    (lambda s: s.sample_chance(0, 2**64 - 1), ValueError, "first_row got 18446744073709551615"),
    (lambda s: s.successors(-1), ValueError, "max_rows got -1"),
    (lambda s: s.rollout(num_games=10**20, seed=0), ValueError, "num_games got 1000"),
    (lambda s: s.rollout("clever", 1, seed=0), ValueError, "clever"),
    (lambda s: sarai.States("sho", -1), ValueError, "n got -1"),
    (lambda s: sarai.States("sho", 10**9), ValueError, "n got 1000000000"),
    (lambda s: sarai.States("sho", 2.0), TypeError, "n must"),
    (lambda s: sarai.States("go", 2), ValueError, "'go'"),
    (lambda s: sarai.States.from_states([]), ValueError, "states"),
    (lambda s: sarai.States.from_states([s]), TypeError, "state 0"),
    (lambda s: sarai.States.from_states([s[0], sarai.States("sho(players=2)", 1)[0]]), ValueError, "state 1"),
    (lambda s: sarai.States.concatenate([s, sarai.States("sho(players=2)", 1)]), ValueError, "part 1"),
    (lambda s: sarai.States.concatenate([s[0]]), TypeError, "part 0"),
    (lambda s: sarai.make("sho").sample_states(num_games=2, first_game=-1, seed=0), ValueError, "first_game got -1"),
]  # fmt: skip


def locked(shape: tuple[int, int]) -> NDArray[np.int8]:
    """An array that cannot be written."""
    out = np.zeros(shape, np.int8)
    out.flags.writeable = False
    return out


@pytest.mark.parametrize(("call", "error", "word"), BAD, ids=range(len(BAD)))
def test_bad_input_is_refused(call: Callable[[sarai.States], Any], error: type[Exception], word: str) -> None:
    batch = sarai.States("sho", 5)
    with pytest.raises(error, match=word):
        call(batch)
    assert batch == sarai.States("sho", 5)


def test_states_without_end_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_core, "MAX_GAMES", 3)
    state = sarai.make("sho").new_initial_state()
    assert len(sarai.States.from_states(itertools.repeat(state, 3))) == 3
    endless = itertools.repeat(state, 5)
    with pytest.raises(ValueError, match="there are more than 3 states"):
        sarai.States.from_states(endless)
    assert len([*endless]) == 1, "no more were taken than needed"


@every_book
def test_sampled_states_are_decisions_of_their_games(book: tuple[str, str]) -> None:
    game = sarai.make(book[0], preset=book[1])
    batch = game.sample_states("random", 40, seed=6, num_threads=2)
    assert batch == game.sample_states(num_games=40, seed=6, num_threads=1)
    parts = [
        game.sample_states(num_games=15, seed=6),
        game.sample_states(num_games=25, seed=6, first_game=15),
    ]
    assert sarai.States.concatenate(parts) == batch
    for number, state in enumerate(batch[:10]):
        record = sarai.Record.play(game, seed=6, number=number)
        assert state in [known for known in record.states() if known.current_player() >= 0]


def test_sampled_states_are_drawn_uniformly() -> None:
    game = sarai.make("shah", max_turns=24)
    batch = game.sample_states(num_games=24_000, seed=1)
    # Every game of 24 placements has one decision a turn.
    counts = np.bincount(batch.turns_passed(), minlength=24)
    assert counts.sum() == 24_000
    assert len(counts) == 24
    # Chi-squared with 23 degrees of freedom: below 57 but for one seed in ten thousand.
    assert ((counts - 1000) ** 2 / 1000).sum() < 57


def test_policies_sample_the_games_that_they_play() -> None:
    batch = sarai.make("tshupu").sample_states([lowest, "random", lowest, "greedy"], 8, seed=2)
    for number, state in enumerate(batch):
        record = sarai.Record.play("tshupu", [lowest, "random", lowest, "greedy"], seed=2, number=number)
        assert state in record.states()


@every_book
def test_a_rollout_from_states_plays_each_game_on_its_own_numbers(book: tuple[str, str]) -> None:
    game = sarai.make(book[0], preset=book[1])
    batch = sarai.States.from_states(mixed(game, games=1))
    played = batch.rollout("random", 3, seed=8, num_threads=2)
    assert played == batch.rollout("random", 3, seed=8, num_threads=1)
    assert played != batch.rollout("random", 3, seed=9)
    for row, state in enumerate(batch):
        for turn in range(3):
            single = sarai.rollout(state, num_games=1, seed=8, first_game=row * 3 + turn)
            assert np.array_equal(played.returns[row, turn], single.returns[0])
            assert played.winner[row, turn] == single.winner[0]
            assert played.lengths[row, turn] == single.lengths[0]
    assert np.allclose(played.mean, played.returns.mean(axis=1))
    assert np.allclose(played.standard_error, played.returns.std(axis=1, ddof=1) / np.sqrt(3))
    assert np.isnan(batch.rollout(num_games=1, seed=0).standard_error).all()
    over = batch.is_terminal()
    assert np.array_equal(played.returns[over], np.repeat(batch.returns()[over][:, None], 3, axis=1))
    assert (played.lengths[over] == 0).all()


def test_threads_may_read_while_another_writes() -> None:
    """A batch is shared by threads as a list is: every answer is that of some whole state of it."""
    game = sarai.make("shah")
    batch = sarai.States(game, 20_000)
    sums = {int(mask.sum()) for mask in (batch.legal_actions_mask(), _placed(game, batch))}
    seen: set[int] = set()
    begun, stop = threading.Event(), threading.Event()

    def read() -> None:
        while not stop.is_set():
            seen.add(int(batch.legal_actions_mask(num_threads=1).sum()))
            begun.set()

    reader = threading.Thread(target=read)
    reader.start()
    assert begun.wait(60)
    batch.apply_actions([5] * 20_000)
    stop.set()
    reader.join(60)
    assert not reader.is_alive()
    assert seen <= sums


def _placed(game: sarai.Game, batch: sarai.States) -> Any:
    after = batch.copy()
    after.apply_actions([5] * len(batch))
    return after.legal_actions_mask()


def test_no_games_take_no_other_threads_than_some() -> None:
    with pytest.raises(ValueError, match="num_threads got 0"):
        sarai.make("sho").sample_states(num_games=0, num_threads=0)
