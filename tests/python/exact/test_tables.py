"""Tables in use: values, moves, summaries, and what is refused."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import sarai
from helpers.folders import pairs_of_shah
from sarai._exact.tables import SHIPPED

WHEEL = 3_000_000


def state(board: str, player: int = 0, extra: bool = False, **rules: object) -> sarai.State:
    """A state of the moving phase."""
    return sarai.make("shah", **rules).parse(  # type: ignore[arg-type]
        f"slide player={player} board={board} hand=0,0 beginner=0 opening_removals=0 extra={str(extra).lower()} "
        "lifted=- no_capture=0 turn=90 winner=-"
    )


def between() -> sarai.State:
    """A state of the turns of which no tables ship."""
    at = sarai.make("shah").new_initial_state()
    for _ in range(9):
        at.apply_action(at.legal_actions()[0])
    return at


def test_what_ships_is_small_and_is_what_is_loaded() -> None:
    files = [path for path in SHIPPED.rglob("*") if path.is_file()]
    assert sum(path.stat().st_size for path in files) < WHEEL
    for preset in ("shah", "nine_mens_morris"):
        summary = sarai.exact.load(sarai.make("shah", preset=preset)).summary()
        assert [row[:2] for row in summary] == [(3, 3), (3, 4), (4, 3), (4, 4)]
        for row in summary:
            assert row.positions == row.won + row.lost + row.drawn
        assert summary[0].positions == 2_691_920


def test_the_first_turns_ship() -> None:
    tables = sarai.exact.load("shah")
    at = sarai.make("shah").new_initial_state()
    assert tables.value(at) == (1, 62)
    # Perfect play up to the last turn that is there: each side loses a turn at a time, none by mistake.
    for turn in range(7):
        best = tables.moves(at)[0]
        assert best.turns == 62 - turn
        at.apply_action(best.action)
        assert tables.value(at) == (-best.value, 61 - turn)
    at.apply_action(at.legal_actions()[0])
    assert not tables.covers(at)
    # They are those of the default rules, unlike the tables of the moving phase.
    other = sarai.make("shah", begin="first_player")
    assert not sarai.exact.load(other).covers(other.new_initial_state())


def test_moves_come_best_first() -> None:
    tables = sarai.exact.load("shah")
    at = state("00.....0...1....1......1")
    moves = tables.moves(at)
    assert {move.action for move in moves} == set(at.legal_actions())
    keys = [(-move.value, move.value * (move.turns or 0), move.action) for move in moves]
    assert keys == sorted(keys)
    assert tables.value(at) == (moves[0].value, moves[0].turns)


def test_who_makes_extra_moves_has_the_value() -> None:
    tables = sarai.exact.load("shah")
    shut = state("111.0....0....0.........", player=0, extra=True)
    assert tables.covers(shut)
    value, turns = tables.value(shut)
    best = tables.moves(shut)[0]
    assert (value, turns) == (best.value, best.turns)


def test_every_move_of_a_game_keeps_its_promise() -> None:
    """Played by the best moves, a game ends after as many turns as the first value said."""
    tables = sarai.exact.load("shah")
    generator = np.random.default_rng(5)
    lengths = []
    while len(lengths) < 40:
        points = generator.permutation(24)
        board = ["."] * 24
        for seat, chosen in (("0", points[:4]), ("1", points[4:7])):
            for point in chosen:
                board[point] = seat
        try:
            at = state("".join(board), player=int(generator.integers(2)), no_capture_limit=0)
        except ValueError:
            continue  # the player is blocked
        value, turns = tables.value(at)
        if not value:
            continue
        first, began = at.current_player(), at.to_dict()["turn"]
        while not at.is_terminal():
            assert tables.covers(at)
            at.apply_action(tables.moves(at)[0].action)
        # A win leaves its turn uncounted.
        assert at.to_dict()["turn"] + 1 - began == turns
        assert at.returns()[first] == value
        lengths.append(turns)
    assert max(lengths) > 5


def test_many_states_are_one_at_a_time() -> None:
    tables = sarai.exact.load("shah")
    first = state("00...0.0...1....1......1")
    states = sarai.States.from_states([first]).successors().states
    values, turns = tables.values(states)
    assert (values.dtype, turns.dtype, values.shape) == (np.dtype("int8"), np.dtype("int16"), (len(states),))
    for row in range(len(states)):
        value, number = tables.value(states[row])
        assert (values[row], turns[row]) == (value, -1 if number is None else number)
    assert [array.tolist() for array in tables.values(states, num_threads=1)] == [
        values.tolist(),
        turns.tolist(),
    ]
    outside = sarai.States.from_states([between()] * 2)
    with pytest.raises(ValueError, match="row 0"):
        tables.values(outside)
    for none in ([first], None):
        with pytest.raises(TypeError, match=r"states must be sarai\.States, not (list|NoneType)"):
            tables.values(none)  # type: ignore[arg-type]


def test_what_is_not_covered() -> None:
    tables = sarai.exact.load("shah")
    assert not tables.covers(between())
    for ask in (tables.value, tables.moves):
        with pytest.raises(ValueError, match="place player=1"):
            ask(between())
    with pytest.raises(ValueError, match="flying=false"):
        tables.value(state("00...0.0...1....1......1", flying=True))
    with pytest.raises(ValueError, match="another game"):
        tables.value(sarai.make("sho").new_initial_state())
    with pytest.raises(ValueError, match="come with the package"):
        sarai.exact.load("shah(blocked=loses)")
    with pytest.raises(ValueError, match="'sho'"):
        sarai.exact.load("sho")


@pytest.mark.parametrize("alone", [False, True])
def test_a_flipped_bit_is_seen_at_load(alone: bool, tmp_path: Path) -> None:
    folder = tmp_path / "tables"
    if alone:
        sarai.exact.load("shah").save_values(folder)
    else:
        pairs_of_shah(folder)
    assert len(sarai.exact.load("shah", folder).summary()) == 4
    path = folder / "shah-4-4.exact"
    whole = path.read_bytes()
    for at in (5, 20, 40, 3000, len(whole) // 2, len(whole) - 1):
        path.write_bytes(whole[:at] + bytes([whole[at] ^ 4]) + whole[at + 1 :])
        with pytest.raises(ValueError, match=r"is no sound table|is of other rules"):
            sarai.exact.load("shah", folder)
    with pytest.raises(ValueError, match="has no tables of shah"):
        sarai.exact.load("shah", tmp_path)


@pytest.mark.parametrize(
    "header",
    [
        b"{}",
        b"7",
        b"[" * 100_000,
        b'{"fingerprint": {}}',
        b'{"fingerprint": 7}',
        b'{"fingerprint": {"game": "shah", "rules": 7}}',
        b'{"fingerprint": {"game": "shah", "rules": {"flying": 7}}}',
        b'{"fingerprint": {"game": "shah", "rules": {"flying": "7"}}}',
        b'{"fingerprint": {"game": "shah", "rules": {"max_turns": "' + b"7" * 5000 + b'"}}}',
        b'{"fingerprint": {"game": [], "rules": {}}}',
        b'{"fingerprint": {"game": "go", "rules": {}}}',
        b"\xff",
    ],
)
def test_a_damaged_header_is_no_table(header: bytes, tmp_path: Path) -> None:
    (tmp_path / "a.exact").write_bytes(b"sarai exact\n" + len(header).to_bytes(4, "little") + header)
    with pytest.raises(ValueError, match=r"a\.exact is no sound table"):
        sarai.exact.verify(tmp_path)


def test_a_path_that_no_system_takes_is_not_quoted_whole(tmp_path: Path) -> None:
    long = "[" * 15_000
    tables = sarai.exact.load("shah")
    calls: list[Callable[[], object]] = [
        lambda: sarai.exact.load("shah", long),
        lambda: tables.save_values(long),
        lambda: sarai.rollout("shah", f"perfect:{long}", 1, seed=0),
        lambda: sarai.rollout("shah", f"alphabeta:3,tables={long}", 1, seed=0),
        lambda: sarai.agents.Network(long),
    ]
    for call in calls:
        with pytest.raises(ValueError, match=r"\[{60}") as refused:
            call()
        assert len(str(refused.value)) < 4000
    # But one that may be somebody's is: its end says which file it is.
    path = tmp_path / ("a" * 200) / "none.safetensors"
    with pytest.raises(
        ValueError, match=r"none\.safetensors': No such file|none\.safetensors': .*cannot find"
    ):
        sarai.agents.Network(str(path))


def test_a_summary_shows_itself() -> None:
    summary = sarai.exact.load("shah").summary()
    lines = str(summary).splitlines()
    assert lines[0].split() == ["own", "other", "positions", "won", "lost", "drawn", "longest", "win"]
    assert lines[1].split() == ["3", "3", "2,691,920", "1,442,044", "635,752", "614,124", "39"]
    assert summary._repr_html_().count("<tr>") == 5


def test_what_is_kept_in_memory_changes_no_answer() -> None:
    """With no room at all every block is read anew, and states are looked up block by block."""
    states = sarai.exact.load("shah").sample_states(300, seed=6)
    # In the middle of a turn as well.
    mixed = sarai.States.concatenate([states, states.successors().states[:2000]])
    mixed = mixed[~mixed.is_terminal()]
    usual = sarai.exact.load("shah").values(mixed)
    for cache_mb in (0, 1):
        tables = sarai.exact.load("shah", cache_mb=cache_mb)
        for threads in (1, 2):
            for array, known in zip(tables.values(mixed, num_threads=threads), usual, strict=True):
                assert np.array_equal(array, known)
        outside = sarai.States.from_states([between()])
        rows = sarai.States.concatenate([mixed[:50], outside, mixed[50:100], outside])
        with pytest.raises(ValueError, match="row 50"):
            tables.values(rows)


def test_a_sample_is_of_the_tables() -> None:
    tables = sarai.exact.load("shah")
    four = tables.sample_states(20_000, (4, 3), seed=1)
    assert four[:100] == tables.sample_states(100, (4, 3), seed=1)
    values, _ = tables.values(four)
    row = next(row for row in tables.summary() if row[:2] == (4, 3))
    # Three standard errors of a sample of this size.
    assert abs((values == 1).mean() - row.won / row.positions) < 3 * (0.06 * 0.94 / 20_000) ** 0.5
    states = tables.sample_states(2000, seed=2)
    own = [str(state).split("board=")[1][:24].count("0") for state in states]
    assert set(own) == {3, 4}
    with pytest.raises(ValueError, match="has no table 5-3"):
        tables.sample_states(1, (5, 3))


def test_pairs_are_two_numbers() -> None:
    tables = sarai.exact.load("shah")
    due = (
        tables.sample_states(5, (3, 4), seed=1),
        tables.longest_win((3, 4)),
        sarai.exact.plan("shah", (3, 4)),
    )
    for pair in ([3, 4], np.array([3, 4])):
        assert tables.sample_states(5, pair, seed=1) == due[0]
        assert tables.longest_win(pair) == due[1]
        assert sarai.exact.plan("shah", pair) == due[2]
    for none in ((3,), [3, 4, 5], "34", 3, {3: 4}, np.zeros(())):
        given: Any = none
        for name, ask in (
            ("pair", lambda: tables.sample_states(1, given)),  # noqa: B023
            ("pair", lambda: tables.longest_win(given)),  # noqa: B023
            ("stones", lambda: sarai.exact.plan("shah", given)),  # noqa: B023
        ):
            with pytest.raises(TypeError, match=name):
                ask()


def test_the_longest_win_takes_as_long_as_the_summary_says() -> None:
    for preset in ("shah", "nine_mens_morris"):
        tables = sarai.exact.load(sarai.make("shah", preset=preset))
        for row in tables.summary():
            assert tables.value(tables.longest_win(row[:2])) == (1, row.longest_win)
    with pytest.raises(ValueError, match="has no win of 6-6"):
        tables.longest_win((6, 6))


def test_the_board_shows_what_moves_are_worth() -> None:
    tables = sarai.exact.load("shah")
    at = state("11.........1....1..0..00")
    drawn = tables.draw(at)
    for words in (
        "d1-a1: won in 7",
        "g1-g4: won in 11",
        "d2-b2: lost in 14",
        "player 0 wins in 7 turns: d1-a1",
    ):
        assert words in drawn
    for text in (">+7<", ">+11<", ">\N{MINUS SIGN}14<", ">\N{MINUS SIGN}8<"):
        assert text in drawn
    assert "the best 2 of 4 moves" in tables.draw(at, most=2, theme="dark", size=300)
    due = next(child for child in map(at.child, at.legal_actions()) if child.current_player() == 1)
    assert tables.draw(due) == tables.draw(due)
    told = sarai.analyse(at, "perfect", seed=0).draw()
    assert "1. d1-a1: +1.000 (in 7 turns)" in told
    for values, words in (
        ({"d1-a1": (2, 3)}, "must be a pair of 1, 0 or -1"),
        ({"d1-a1": (0, 3)}, "must be a pair of 1, 0 or -1"),
        ({"x": (0, None)}, "names no action"),
        ([], "values must be a dict"),
    ):
        with pytest.raises(ValueError, match=words):
            sarai.render.draw(at, values=values)


def test_values_alone_are_those_of_the_tables(tmp_path: Path) -> None:
    for preset in ("shah", "nine_mens_morris"):
        tables = sarai.exact.load(sarai.make("shah", preset=preset))
        told: list[dict[str, object]] = []
        small = tables.save_values(tmp_path / preset, tell=told.append)
        assert [table["pair"] for table in told] == [[3, 3], [3, 4], [4, 3], [4, 4]]
        for row, full in zip(small.summary(), tables.summary(), strict=True):
            assert row == full._replace(has_turns=False)
        states = tables.sample_states(20_000, seed=3)
        values, turns = small.values(states)
        assert np.array_equal(values, tables.values(states)[0])
        assert (turns == -1).all()
        # Moves are in the order of their values; a win at once comes first, since its turns are in no table.
        for at in (states[row] for row in range(50)):
            moves = small.moves(at)
            assert {move.action: move.value for move in moves} == {
                move.action: move.value for move in tables.moves(at)
            }
            assert [move.value for move in moves] == sorted((move.value for move in moves), reverse=True)
            if (1, 1) in {move[1:] for move in moves}:
                assert moves[0].turns == 1
        won = states[values == 1]
        assert "+" in str(small.draw(won[0]))
        size = sum(path.stat().st_size for path in (tmp_path / preset).iterdir())
        assert size < sum(path.stat().st_size for path in tables.folder.iterdir())


def test_values_alone_are_refused_where_turns_are_needed(tmp_path: Path) -> None:
    tables = sarai.exact.load("shah")

    def stop(table: dict[str, object]) -> None:
        if table["pair"] == [3, 4]:
            raise LookupError("enough")

    # What was stopped goes on.
    with pytest.raises(LookupError, match="enough"):
        tables.save_values(tmp_path, tell=stop)
    assert [path.name for path in tmp_path.iterdir()] == ["shah-3-3.exact"]
    small = tables.save_values(tmp_path)
    at = tables.longest_win((4, 4))
    assert small.value(at) == (1, None)
    calls: list[Callable[[], object]] = [
        lambda: small.longest_win((4, 4)),
        lambda: sarai.exact.verify(tmp_path),
        lambda: sarai.choose(at, sarai.agents.Perfect(small), seed=0),
        lambda: sarai.exact.solve("shah", (5, 3), tmp_path, progress=False),
        lambda: small.save_values(tmp_path / "again"),
    ]
    for call in calls:
        with pytest.raises(ValueError, match="holds values without turns"):
            call()
    assert small.save_values(tmp_path).summary() == small.summary()


def test_values_do_not_replace_turns(tmp_path: Path) -> None:
    pairs_of_shah(tmp_path / "shah")
    tables = sarai.exact.load("shah", tmp_path / "shah")
    before = {path: path.read_bytes() for path in tables.folder.iterdir()}
    for source in (tables, sarai.exact.load("shah")):
        with pytest.raises(ValueError, match="has turns"):
            source.save_values(tables.folder)
    assert {path: path.read_bytes() for path in tables.folder.iterdir()} == before
