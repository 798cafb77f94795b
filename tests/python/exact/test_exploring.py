"""`Tables.explore` and `sarai explore`: moves up to symmetry, their values, and where the tables end."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest

import sarai
from sarai._cli import main
from sarai.exact import Tables

RULES = {"pieces": 3, "opening_removals": "none", "no_capture_limit": 0}
WORDS = [word for name, value in RULES.items() for word in ("--option", f"{name}={value}")]
Captured = pytest.CaptureFixture[str]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Tables of a whole small rule book."""
    folder = tmp_path_factory.mktemp("tables")
    game = sarai.make("shah", rules=RULES)
    sarai.exact.solve(game, (3, 3), folder, progress=False)
    sarai.exact.solve(game, None, folder, placing=True, progress=False)
    return folder


@pytest.fixture(scope="module")
def tables(folder: Path) -> Tables:
    return sarai.exact.load(sarai.make("shah", rules=RULES), folder)


def at(*names: str) -> sarai.State:
    """The position after these moves."""
    state = sarai.make("shah", rules=RULES).new_initial_state()
    for name in names:
        state.apply_action(state.string_to_action(name))
    return state


POINTS = [at().action_to_string(action) for action in range(24)]


def maps() -> list[dict[str, str]]:
    """The sixteen symmetries from the shape of the board alone: three squares around d4, three points a side."""
    found = []
    for number in range(16):

        def image(point: str, number: int = number) -> str:
            across, up = ord(point[0]) - ord("d"), int(point[1]) - 4
            if number & 1:
                across = -across
            if number & 2:
                up = -up
            if number & 4:
                across, up = up, across
            if number & 8:  # the inner and the outer square change places
                ring = max(abs(across), abs(up))
                across, up = across * (4 - ring) // ring, up * (4 - ring) // ring
            return f"{chr(across + ord('d'))}{up + 4}"

        found.append({point: image(point) for point in POINTS})
    return found


def stones(state: sarai.State) -> dict[str, str]:
    board = re.search(r" board=(\S+)", str(state))
    assert board is not None
    return dict(zip(POINTS, board[1], strict=True))


def images(state: sarai.State, name: str) -> set[str]:
    """The moves that some symmetry of the stones makes of a move, itself included."""
    board = stones(state)
    return {
        re.sub(r"[a-g]\d", lambda point, to=to: to[point[0]], name)  # type: ignore[misc]
        for to in maps()
        if all(board[to[point]] == board[point] for point in POINTS)
    }


def test_moves_share_a_row_exactly_if_a_symmetry_of_the_board_makes_them_the_same(tables: Tables) -> None:
    assert len({tuple(to.values()) for to in maps()}) == 16
    states = [at(), at("b6"), at("b6", "f6"), at("d6", "d2"), at("b6", "f2", "f6"), at("a7", "c5")]
    states += sarai.make("shah", rules=RULES).sample_states(num_games=60, seed=3)
    sizes = set()
    for state in states:
        if state.is_terminal():
            continue
        rows = tables.explore(state)
        names = {state.action_to_string(action) for action in state.legal_actions()}
        for row in rows:
            assert {row.name, *row.images} == images(state, row.name)
            assert state.string_to_action(row.name) == row.action
            sizes.add(1 + len(row.images))
        assert sorted(name for row in rows for name in (row.name, *row.images)) == sorted(names)
    assert {1, 2, 4, 8} <= sizes


def test_values_and_replies_are_those_of_moves(tables: Tables) -> None:
    for state in [at(), at("b6"), *sarai.make("shah", rules=RULES).sample_states(num_games=40, seed=4)]:
        if state.is_terminal():
            continue
        worth = {state.action_to_string(move.action): move[1:] for move in tables.moves(state)}
        rows = tables.explore(state)
        assert rows.state == state
        for row in rows:
            assert {worth[name] for name in (row.name, *row.images)} == {(row.value, row.turns)}
            after = state.child(row.action)
            if after.is_terminal():
                assert row.replies == ()
                continue
            moves = tables.moves(after)
            best = {after.action_to_string(move.action) for move in moves if move[1:] == moves[0][1:]}
            # One of each kind, and every best one is an image of it.
            assert {name for reply in row.replies for name in images(after, reply)} == best
            assert sum(len(images(after, reply)) for reply in row.replies) == len(best)
        order = [(-row.value, row.value * (row.turns or 0), row.action) for row in rows]
        assert order == sorted(order)


def test_an_exploration_is_a_table(tables: Tables) -> None:
    rows = tables.explore(at("b6"))
    lines = str(rows).splitlines()
    assert re.split(r"  +", lines[0]) == ["move", "images", "value", "best replies"]
    assert re.split(r"  +", lines[1])[:3] == ["d7", "d5 a4 c4", "wins in 8 turns"]
    assert len(lines) == len(rows) + 1
    frame = rows.to_pandas()
    assert frame["name"].tolist() == [row.name for row in rows]
    assert frame["images"].tolist() == [" ".join(row.images) for row in rows]
    assert frame["turns"].isna().tolist() == [row.turns is None for row in rows]
    assert rows.to_arrow().num_rows == len(rows)
    assert "<td" in rows._repr_html_()


def test_only_what_the_tables_have_is_explored(tables: Tables) -> None:
    shipped = sarai.exact.load("shah")
    last = sarai.make("shah").new_initial_state()
    for _ in range(7):
        assert shipped.covers(last, moves=True)
        last.apply_action(last.legal_actions()[0])
    # The values of what follows are those of the next turn.
    assert shipped.covers(last)
    assert not shipped.covers(last, moves=True)
    with pytest.raises(ValueError, match="do not have"):
        shipped.explore(last)
    assert tables.covers(at(), moves=True)


def run(capsys: Captured, *words: str, status: int = 0) -> str:
    assert main(["explore", *words]) == status
    out, errors = capsys.readouterr()
    return errors if status else out


def test_the_command_prints_the_moves_once(folder: Path, tables: Tables, capsys: Captured) -> None:
    words = [*WORDS, "--tables", str(folder)]
    out = run(capsys, *words)
    assert "The second player (X) wins in 9 turns.\n" in out
    listed = [line.split()[1] for line in out.splitlines() if re.match(r" *\d+ +[a-g]\d  ", line)][-4:]
    assert listed == [row.name for row in tables.explore(at())]
    after = run(capsys, "shah", *words, "--moves", "b6 f6 f4 g4")
    assert str(at("b6", "f6", "f4", "g4")) in after
    # The same from a position, and by numbers and beginnings of names.
    assert run(capsys, "shah", *words, "--position", str(at("b6", "f6")), "--moves", "f4 g4") == after
    assert str(at("a7", "d6")) in run(capsys, *words, "--moves", "1 1")
    found = json.loads(run(capsys, "shah", *words, "--json", "--moves", "b6"))
    rows = tables.explore(at("b6"))
    assert (found["position"], found["value"], found["turns"]) == (str(at("b6")), 1, 8)
    assert found["moves"] == json.loads(json.dumps([row._asdict() for row in rows]))


def test_a_line_can_end(folder: Path, tables: Tables, capsys: Captured) -> None:
    names: list[str] = []
    state = at()
    while not state.is_terminal():
        names.append(tables.explore(state)[0].name)
        state = at(*names)
    words = [*WORDS, "--tables", str(folder), "--moves", " ".join(names)]
    assert run(capsys, *words).endswith("The game is over: the second player (X) has won.\n")
    found = json.loads(run(capsys, *words, "--json"))
    assert (found["value"], found["moves"], found["current_player"]) == (None, [], -4)


def test_where_the_tables_end_is_a_sentence(folder: Path, tmp_path: Path, capsys: Captured) -> None:
    for path in folder.iterdir():
        if "turn-2" not in path.name:
            shutil.copy(path, tmp_path)
    words = [*WORDS, "--tables", str(tmp_path)]
    assert "wins in 9 turns" in run(capsys, *words)
    out = run(capsys, *words, "--moves", "b6")
    assert "The second player (X) wins in 8 turns.\nThe tables do not have what follows. To get more," in out
    out = run(capsys, *words, "--moves", "b6 f6")
    assert "The tables do not have this position. To get more," in out
    assert "sarai solve" in " ".join(out.split())
    found = json.loads(run(capsys, *words, "--moves", "b6 f6", "--json"))
    assert (found["value"], found["moves"]) == (None, [])
    # Further on there are tables again.
    assert "wins in" in run(capsys, *words, "--moves", "b6 f6 d6")


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--moves", "b6 b6", *WORDS, "--tables", "HERE"], "--moves: 'b6' is no legal move"),
        (["--moves", "b6 99", *WORDS, "--tables", "HERE"], "--moves: '99' is no number in the list"),
        (["--moves", "²", *WORDS, "--tables", "HERE"], "--moves: "),
        (["--tables", "HERE"], "of other rules"),
        (["--tables", "nowhere"], "there is no folder nowhere"),
        (["--option", "blocked=loses"], "--tables DIR"),
        (["sho"], "no tables for 'sho'"),
        (["chess"], "chess"),
        (["--position", "nonsense"], "nonsense"),
    ],
)
def test_what_is_refused(words: list[str], says: str, folder: Path, capsys: Captured) -> None:
    told = run(capsys, *(str(folder) if word == "HERE" else word for word in words), status=2)
    assert says in told
    assert told.count("\n") == 1


def test_a_damaged_table_is_named(folder: Path, tmp_path: Path, capsys: Captured) -> None:
    shutil.copytree(folder, tmp_path, dirs_exist_ok=True)
    path = tmp_path / "shah-turn-1-0-1.exact"
    content = bytearray(path.read_bytes())
    content[-1] ^= 1
    path.write_bytes(content)
    assert path.name in run(capsys, *WORDS, "--tables", str(tmp_path), status=2)
