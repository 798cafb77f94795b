"""Where the numbers on docs/games/shah.md come from: options, positions that are played, and the ids of moves."""

from __future__ import annotations

import inspect
from functools import cache, partial
from itertools import combinations

import sarai
from games.shah.table import FULL, REST, Table, moving, new_game, place_all, placing
from helpers.page_facts import Fact, accepted, bounds, cited, default, examples, id_of, pictured

STONES = default("shah", "pieces")


@cache
def points() -> list[str]:
    """The names of the points by their numbers: on the empty board each may be placed on."""
    state = new_game().state
    assert state.legal_actions() == list(range(len(state.legal_actions())))
    return [state.action_to_string(action) for action in state.legal_actions()]


def at(names: str) -> set[int]:
    """The points of "a7 d7"."""
    return {points().index(name) for name in names.split()}


def joined(line: tuple[int, ...]) -> str:
    return "-".join(points()[point] for point in line)


@cache
def mills() -> list[tuple[int, ...]]:
    """The lines: three points, the last of which a stone may be placed on to capture."""
    found: list[tuple[int, ...]] = []
    for a, b, c in combinations(range(len(points())), 3):
        black = [point for point in range(5) if point not in (a, b, c)][:2]
        t = placing({a, b}, set(black), (10, 10), placement_captures=True, opening_removals="none")
        if t.play(points()[c])["phase"] == "remove":
            found.append((a, b, c))
    return found


@cache
def edges() -> dict[str, int]:
    """The ids of all moves of a stone by their names."""
    found = {}
    for point in range(len(points())):
        near = {other for line in mills() if point in line for other in line}
        far = [other for other in range(len(points())) if other not in near]
        t = moving({point, *far[:2]}, set(far[2:5]))
        for name in t.moves():
            if name.startswith(f"{points()[point]}-"):
                found[name] = id_of(t.state, name)
    return found


def closed(stones: set[int], point: int) -> list[tuple[int, ...]]:
    """The mills that a stone on a point belongs to."""
    return [line for line in mills() if point in line and set(line) <= stones]


def squares() -> int:
    """The sides above the centre: each has one point on the file in the middle."""
    files = sorted({name[0] for name in points()})
    middle = len(files) // 2
    return sum(name[0] == files[middle] and int(name[1]) > middle + 1 for name in points())


def row() -> int:
    (length,) = {len(line) for line in mills()}
    return length


def drawn() -> tuple[str, ...]:
    return tuple(f"{number} {name}" for number, name in enumerate(points()))


def ranks() -> tuple[int, int]:
    return int(points()[0][1]), int(points()[-1][1])


def picture() -> tuple[int, int]:
    state = pictured("shah")
    d = state.to_dict()
    assert d["phase"] == "remove"
    (victim,) = {d["board"][points().index(state.action_to_string(a)[1:])] for a in state.legal_actions()}
    assert any({d["board"][point] for point in line} == {str(d["player"])} for line in mills())
    return d["player"], int(victim)


def mills_at_once() -> int:
    """How many mills a placement closes that changes nothing of who begins."""
    white, point = at("d7 g7 a4 a1"), 0
    t = placing(white, at("b6 d6 f6 c3"), (8, 8), beginner=1).play(points()[point])
    assert t["beginner"] == 1
    return len(closed(t.stones(0), point))


def mills_that_no_move_closes() -> int:
    """One more than a move along a line can close, whatever else stands."""
    most = 0
    for name in edges():
        source, target = (points().index(point) for point in name.split("-"))
        most = max(most, len(closed(set(range(len(points()))) - {source}, target)))
    return most + 1


def mills_by_a_placement() -> int:
    """How many mills a placement closes that removes a stone, and no second."""
    t = placing(
        at("d7 g7 a4 a1"), at("b6 d6 f4 c3"), (8, 8), placement_captures=True, opening_removals="none"
    ).play("a7")
    white = t.stones(0)
    assert t["phase"] == "remove"
    assert t.play("xb6").to_move(1, phase="place")
    return len(closed(white, 0))


def against(enemy: str) -> Table:
    """A mill closed against these stones, and one of them removed."""
    t = moving(at("a7 d7 c5 g4"), at(enemy)).play("g4-g7")
    return t.play(min(t.moves()))


def stones_that_lose() -> int:
    t = against("b6 d6 g1")
    assert t.over(winner=0)
    return len(t.stones(1))


def stones_that_play_on() -> int:
    t = against("b6 d6 f2 g1")
    assert not t.state.is_terminal()
    return len(t.stones(1))


def stones_that_fly() -> int:
    """With how many stones one is lifted."""
    own = ["a7", "d7", "c5", "g4", "d1"]
    (number,) = (
        n
        for n in range(3, 6)
        if all(
            name.startswith("fly ")
            for name in moving(at(" ".join(own[:n])), at("b6 d6 f6 g1"), flying=True).moves()
        )
    )
    return number


def wins_in_a_row() -> int:
    parameters = inspect.signature(sarai.play_series).parameters
    assert parameters["consecutive"].default is True
    value: int = parameters["target"].default
    return value


def pieces_with_removals() -> int:
    low, high = bounds("shah", "pieces")
    (found,) = (n for n in range(low, high + 1) if accepted(partial(sarai.make, "shah", pieces=n)))
    return found


def placements() -> tuple[int | str, ...]:
    ids = new_game().state.legal_actions()
    return ids[0], ids[-1], points()[0]


def slides() -> tuple[int | str, ...]:
    by_id = sorted(edges().items(), key=lambda edge: edge[1])
    ids = [action for _, action in by_id]
    assert ids == list(range(ids[0], ids[-1] + 1))
    return ids[0], ids[-1], by_id[1][0], len(ids)


def removals() -> tuple[int | str, ...]:
    """The ids of removals from those of an opening removal: the first and the last point have an enemy."""
    t = place_all(new_game(), FULL, REST)
    if t["player"] == 1:
        t.play(min(t.moves()))
    ids = {int(point): id_of(t.state, f"x{points()[point]}") for point in t.stones(1)}
    (less,) = {action - point for point, action in ids.items()}
    (name,) = t.moves() & {"xb6"}
    return ids[0], ids[len(points()) - 1], name, less


def flights() -> tuple[int | str, ...]:
    t = moving(at("a7 d7 g1"), at("b6 d6 f6 a1"), flying=True)
    ids = {point: id_of(t.state, f"fly {points()[point]}") for point in t.stones(0)}
    (less,) = {action - point for point, action in ids.items()}
    return ids[0], ids[len(points()) - 1], f"fly {points()[0]}", less


def gains() -> tuple[int, int]:
    won, lost = against("b6 d6 g1").state.returns()
    return int(won), int(-lost)


def marks() -> tuple[int, ...]:
    """The first and the last point of the line of text, and what stands there for each player's stone."""
    t = new_game().play("a7", "g1")
    board = t["board"]
    return board.index(board[0]), len(board) - 1, int(board[0]), int(board[-1])


def first_mill() -> tuple[int, int]:
    t = new_game().play("a7", "b6", "d7", "d6")
    first = t["player"]
    t.play("g7")
    assert t["beginner"] == first
    second = t["player"]
    assert closed(t.play("f6").stones(second), 5)
    assert t["beginner"] == first
    return first, second


def moves_and_a_mill() -> tuple[int | str, ...]:
    t = moving(at("a7 d7 c5 g4"), at("b6 d6 f6 f2 g1"))
    moves = t.moves()
    (closing,) = (name for name in moves if t.copy().play(name)["phase"] == "remove")
    t.play(closing)
    assert closed(t.stones(0), 0) == [(0, 1, 2)]
    (mill,) = (line for line in mills() if set(line) <= t.stones(1))
    assert {f"x{points()[point]}" for point in mill} <= t.moves()
    return len(moves), closing, len(t.moves()), joined(mill)


def let_out() -> tuple[int | str, ...]:
    t = moving(at("d7 a4 g4 d3 d1"), at("a7 g7 a1"), extra=True)
    (stays,) = (point for point in t.stones(0) if not any(n.startswith(points()[point]) for n in t.moves()))
    useless = [name.split("-")[1] for name in edges() if name.startswith(f"{points()[stays]}-")]
    player = t["player"]
    return 1 - player, len(t.stones(1)), player, *sorted(useless), points()[stays]


def captures_nothing() -> tuple[int | str, ...]:
    move = "a4-b4"
    t = moving(at("d7 b6 a4 g4 b2 d1"), at("a7 g7 a1"), extra=True).play(move)
    (mill,) = closed(t.stones(0), points().index("b4"))
    assert t["phase"] == "slide"
    return move, joined(mill), t["player"]


FACTS: list[Fact] = [
    ("{} stones a side on {} joined squares", lambda: (STONES, squares())),
    ("captured by rows of {}.", row),
    # History
    ("{} squares, one inside the other", squares),
    (
        "Shah has {} stones a side in place of {}",
        lambda: (STONES, sarai.presets("shah")["nine_mens_morris"]["pieces"]),
    ),
    ("The row of {} stones is called", row),
    ("DLP.Evidence.{}", lambda: cited("shah", r"DLP\.Evidence\.(\d+)")),
    ("games of the Somali in {}, calls", lambda: cited("shah", r"Institute 61 \((\d+)\)")),
    ("Institute* {} ({}), {}-{}.", lambda: cited("shah", r"Institute (\d+) \((\d+)\), (\d+)-(\d+)")),
    # Board
    (
        "{} points on {} squares, {} lines of {} points, {} edges",
        lambda: (len(points()), squares(), len(mills()), row(), len(edges()) // 2),
    ),
    ("ranks {} to {} from the top", ranks),
    (
        "```text {} ---------- {} ---------- {} | {} ------ {} ------ {} | | | {} -- {} -- {} | | "
        "{} {} {} {} {} {} | | {} - {} - {} | | | {} ----- {} ----- {} | {} --------- {} --------- {} ```",
        drawn,
    ),
    ("Player {} has closed a mill and is to remove a stone of player {}.", picture),
    # Rules
    ("**R1.** {} play", lambda: new_game().game.num_players),
    ("`pieces` stones each, {} by default", lambda: STONES),
    ("Who first makes a row of {}, a *mill*", row),
    ("later mills, or {} at once, earn nothing more", mills_at_once),
    ("no move can close {} at once", mills_that_no_move_closes),
    ("Who leaves the opponent {} stones wins", stones_that_lose),
    ("{} won in a row win the series", wins_in_a_row),
    ("target={}, consecutive=True", wins_in_a_row),
    ("fewer than {} stones, a loss", stones_that_play_on),
    ("a placement that makes a mill, or {}, removes", mills_by_a_placement),
    ("a player with exactly {} stones", stones_that_fly),
    # Options and presets
    ('`opening_removals="both"` needs {} `pieces`', pieces_with_removals),
    # Actions
    ("| {} to {} | `{}` | a stone is placed", placements),
    ("| {} to {} | `{}` | a stone moves along a directed edge: the {} pairs", slides),
    ("| {} to {} | `{}` | the enemy stone on point `id - {}`", removals),
    ("| {} to {} | `{}` | the stone on point `id - {}`", flights),
    # Returns
    ("The winner gets {} and the other player -{}.", gains),
    # Notation
    ("from point {} to point {}: `{}` and `{}` are stones", marks),
    # Worked positions
    ("with player {} to move", lambda: examples("shah")["shah"]("a7 d7 c5", "b6 d6 f6").current_player()),
    ("Player {} closes the top row while placing", lambda: first_mill()[0]),
    ("a mill of player {} afterwards", lambda: first_mill()[1]),
    (
        "Of the {} moves {} closes the top row. Any of the {} stones may go, those in the mill {} too",
        moves_and_a_mill,
    ),
    (
        "Player {} is shut up in {} corners, so player {} makes an extra move, and only those that open a way are "
        "legal. {}, {} and {} would not help, so {} stays.",
        let_out,
    ),
    ("{} closes {}, and player {} moves next", captures_nothing),
    ("**{} stones left (R8).**", stones_that_lose),
    ("A mill against {} stones wins", lambda: stones_that_lose() + 1),
    ("With `flying` {} stones may go", stones_that_fly),
]
