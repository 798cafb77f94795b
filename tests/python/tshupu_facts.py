"""Where the numbers on docs/games/tshupu.md come from: chance outcomes, positions that are played, and the picture.

The engine knows no coordinates: those of the squares are where the picture of the board has them.
"""

from __future__ import annotations

from functools import cache

import sarai
from page_facts import Fact, cited, examples, id_of, names_of_throws, weights
from sarai.render.games.tshupu import cross
from sarai.render.games.tshupu.view import PLACES
from tshupu_table import ALL_OFF, DICE, Table, new_game, tshupu

SEATS = ("south", "west", "north", "east")
GAME = sarai.make("tshupu")
SIDES = GAME.sides


def throws() -> list[str]:
    return names_of_throws(new_game().state)


def ends_of_throws() -> tuple[int, int]:
    outcomes = [outcome for outcome, _ in new_game().state.chance_outcomes()]
    return outcomes[0], outcomes[-1]


def faces() -> tuple[int, ...]:
    return tuple(sorted({int(face) for throw in throws() for face in throw.split("-")}))


def dashed(throw: str) -> str:
    return "-".join(throw)


def bare(seat: int, **given: str) -> Table:
    """A seat about to throw, the seats that are not named with one piece in hand and no others."""
    pieces = {name: given.pop(name, "0 33 33 33") for name in SEATS}
    return tshupu(**pieces, **given, player=seat)


def landing(seat: int, target: int, enemy: int, progress: int, **options: str) -> str | None:
    """The name of the move by a die that shows 1 to a square while an enemy has a piece of that progress."""
    pieces = {SEATS[seat]: " ".join([str(target - 1)] * 4), SEATS[enemy]: f"{progress} 33 33 33"}
    source = "hand" if target == 1 else str(target - 1)
    moves = bare(seat, **pieces, **options).roll("11").moves()
    found = moves & {f"{source}/{target}", f"{source}/{target}*"}
    return found.pop() if found else None


def hits(seat: int, target: int, enemy: int, progress: int) -> bool:
    return (landing(seat, target, enemy, progress) or "").endswith("*")


@cache
def standing_on(enemy: int, square: int) -> tuple[int, ...]:
    """At which progress an enemy's pieces stand where south's have that progress."""
    return tuple(progress for progress in range(1, 33) if hits(0, square, enemy, progress))


@cache
def round_again() -> int:
    """The progress of a piece that is back on its start square: there it can be hit as on progress 1."""
    first, again = standing_on(3, 8)
    assert first == 1
    return again


def loop() -> int:
    return round_again() - 1


@cache
def start(seat: int) -> int:
    """The square of the loop on which a seat's pieces start, counted from where south's do."""
    if seat == 0:
        return 0
    if SIDES[seat] != SIDES[0]:
        return (8 - standing_on(seat, 8)[0]) % loop()
    # A partner is not hit: one square on which east is hit by both says how their courses differ.
    south, partner = ([p for p in range(2, loop() + 1) if hits(by, p, 3, 2)] for by in (0, seat))
    assert len(south) == len(partner) == 1
    return (south[0] - partner[0]) % loop()


@cache
def crosscuts(**options: str) -> tuple[int, ...]:
    """The squares by their progress on which an enemy bars the way, the same in every course."""
    courses = []
    for seat in range(4):
        enemy = (seat + 1) % 4
        ahead = (start(enemy) - start(seat)) % loop()
        moves = {
            progress: landing(seat, progress, enemy, (progress - 1 - ahead) % loop() + 1, **options)
            for progress in range(1, loop() + 1)
        }
        assert all(name is None or name.endswith("*") for name in moves.values())
        courses.append(tuple(progress for progress, name in moves.items() if name is None))
    assert len(set(courses)) == 1
    return courses[0]


def drawn_loop() -> str:
    """The squares of the loop as the page lists them, cross-cuts in brackets."""
    assert len(cross.LOOP) == loop()
    listed = []
    for square, (x, y) in enumerate(cross.LOOP):
        text = f"L{square} ({x},{y})"
        listed.append(f"[{text}]" if square + 1 in crosscuts() else text)
    return " ".join(listed)


def seat_row(place: str) -> tuple[int, ...]:
    seat = PLACES.index(place)
    first, second = cross.COLUMNS[seat]
    assert cross.STARTS[seat] == start(seat)
    return seat, SIDES[seat], start(seat), *first, *second


def arms() -> tuple[int, ...]:
    """How many arms the drawn board has, and how many squares they have across and along."""
    squares = {*cross.LOOP, *(square for column in cross.COLUMNS for square in column)}
    across = {x for x, y in squares if y > 5}
    along = {y for x, y in squares if y > 5}
    number, rest = divmod(len(squares), len(across) * len(along))
    assert rest == 0
    return number, len(across), len(along)


def grid() -> tuple[int, int]:
    return max(x for x, _ in cross.LOOP) + 1, max(y for _, y in cross.LOOP) + 1


def southern_end() -> int:
    """The square in the middle of the southern end."""
    return cross.LOOP.index((grid()[0] // 2, grid()[1] - 1))


def hand() -> int:
    return id_of(tshupu("0 33 33 33").roll("13").state, "hand/4 (both)") - total_ids()[0]


@cache
def centre_and_off() -> tuple[int, int]:
    """The progress from which pieces are borne off, and the one that they then have."""
    (centre,) = (
        progress
        for progress in range(1, 33)
        if f"{progress}/off" in tshupu(" ".join([str(progress)] * 4)).roll("11").moves()
    )
    t = tshupu(f"{centre} 1 1 1").roll("16").play(f"{centre}/off")
    return centre, max(t.seat(0))


def on_start() -> int:
    (progress,) = {p for seat in new_game()["pieces"] for p in seat}
    return int(progress)


def course() -> tuple[int, ...]:
    centre, off = centre_and_off()
    column = range(round_again() + 1, centre)
    return hand(), on_start(), round_again() - 1, round_again(), *column, centre, off


def order_of_seats() -> tuple[int, ...]:
    t = new_game()
    order = []
    for _ in range(4):
        order.append(t["player"])
        t.roll("34").play("1/4", "1/5")
    return tuple(order)


def ways_to_play() -> int:
    """With one piece, or with two."""
    return len({len(sequence) for sequence in new_game().roll("36").sequences()})


def pieces_of_a_split() -> int:
    t = new_game().roll("36").play("1/4", "1/7")
    return sum(progress != on_start() for progress in t.seat(0))


def bearing_off() -> int:
    """The die that bears off."""
    (face,) = (face for face in faces() if "32/off" in tshupu("32 32 32 32").roll(f"{face}{face}").moves())
    return face


@cache
def lowest_ids() -> tuple[int, ...]:
    """The first id of each die, and that of the total."""
    entering = [id_of(tshupu("0 0 0 0").roll(f"{face}{face}").state, f"hand/{face}") for face in faces()]
    return *entering, total_ids()[0]


@cache
def total_ids() -> tuple[int, int]:
    """The first id of the total, that of a piece in hand, and the last."""
    t = tshupu("10 10 10 10").roll("36")
    return id_of(t.state, "10/19 (both)") - 10, GAME.num_actions - 1


def ids(index: int) -> tuple[int, int]:
    """The ids of a row."""
    ends = [*(low - 1 for low in lowest_ids()[1:]), total_ids()[1]]
    return lowest_ids()[index], ends[index]


def names_by_one() -> tuple[str, ...]:
    entering = tshupu("0 0 0 0").roll("11").moves() & {"hand/1"}
    hitting = tshupu("10 10 10 10", west="18 1 1 1").roll("11").moves() & {"10/11*"}
    off = tshupu("32 32 32 32").roll("11").moves() & {"32/off"}
    return *entering, *hitting, *off


def row_of_a_die(index: int) -> tuple[int | str, ...]:
    face = faces()[index]
    t = tshupu("0 0 0 0").roll(f"{face}{face}")
    (name,) = (name for name in t.moves() if not name.endswith("(both)"))
    at = f"10/{10 + face}"
    less = id_of(tshupu("10 10 10 10").roll(f"{face}{face}").state, at) - 10
    return *ids(index), name, less, face


def names_by_the_total() -> tuple[str, ...]:
    by_nine = tshupu("10 10 10 10").roll("36").moves()
    by_seven = new_game().roll("34").moves()
    (first,) = (name for name in by_nine if name.endswith("(both)"))
    (second,) = (name for name in by_seven if name.endswith("(both)"))
    return first, second


def seats_of_teams() -> tuple[int, ...]:
    own = [seat for seat in range(4) if SIDES[seat] == SIDES[0]]
    return *own, *(seat for seat in range(4) if seat not in own)


def shift() -> tuple[int, int, int]:
    """By how much the courses of neighbours differ, the length of the loop, and its first progress."""
    each = (start(0) - start(1)) % loop()
    assert all((start(0) - start(seat)) % loop() == each * seat for seat in range(4))
    return each, loop(), on_start()


def gains() -> tuple[int, int]:
    t = tshupu("32 33 33 33", north=ALL_OFF).roll("16").play("32/off")
    won, lost, *_ = t.state.returns()
    return int(won), int(-lost)


def first_throw() -> tuple[str | int, ...]:
    throw = "34"
    t = new_game().roll(throw)
    assert "1/8* (both)" in t.moves()
    t.play("1/8* (both)")
    return dashed(throw), max(t.seat(0)) - on_start(), t.seat(3).count(0)


def choice_of_ways() -> tuple[int | str, ...]:
    throw = "36"
    t = tshupu("0 10 10 10").roll(throw)
    entering = {turn for turn in t.turns() if "hand" in turn}
    moving = {turn for turn in t.turns() if "10/" in turn}
    assert entering - moving
    assert moving - entering
    assert entering & moving
    return t.seat(0).count(10), 10, dashed(throw)


def safe_crosscut() -> tuple[int | str, ...]:
    """What the last piece on its start does against an enemy on the first cross-cut."""
    first = crosscuts()[0]
    there = (first - 1 - start(3)) % loop() + 1
    assert landing(0, first, 3, there) is None
    table = tshupu("1 33 33 33", east=f"{there} 1 1 1")
    barred = [throw for throw in DICE if 1 + sum(map(int, throw)) == first]
    over = [throw for throw in ("13",) if table.copy().roll(throw).turns() == {"1/5 (both)"}]
    assert all(table.copy().roll(throw).sequences() == {("1/2",)} for throw in barred)
    return table["player"], first, dashed(barred[0]), dashed(over[0])


def several_hit() -> tuple[int, int]:
    t = tshupu("1 33 33 33", west="12 1 1 1", north="19 1 1 1", east="26 26 1 1").roll("13")
    t.play("1/5* (both)")
    assert t.seat(1).count(0) == 1
    assert t.seat(2).count(0) == 0
    return t.seat(0)[0], t.seat(3).count(0)


def exact_throw() -> tuple[int | str, ...]:
    """From 29: a throw of which either die may be played, and one that passes."""
    source, either, passes = 29, "13", "46"
    table = tshupu(f"{source} 33 33 33")
    assert len(table.copy().roll(either).sequences()) == 2
    assert all(len(sequence) == 1 for sequence in table.copy().roll(either).sequences())
    assert table.copy().roll(passes).turn_ended()
    return source, dashed(either), dashed(passes)


def team_that_won() -> int:
    t = tshupu("32 33 33 33", north=ALL_OFF).roll("16").play("32/off")
    return int(t["winner"])


FACTS: list[Fact] = [
    ("race: {} teams of {} bring", lambda: (len(set(SIDES)), SIDES.count(0))),
    # History
    ("a description of the game in {} points", lambda: cited("tshupu", r"rules in (\w+) points")),
    # Board
    ("A cross of {} arms, {} by {} squares each", arms),
    ("The loop of {} squares", loop),
    ("`L{}` is the middle of the southern end", southern_end),
    ("grid of {} by {}.", grid),
    ("```text {} ```", drawn_loop),
    ("| {} | south, red | {} | L{} | ({},{}), ({},{}) |", lambda: seat_row("south")),
    ("| {} | west, yellow | {} | L{} | ({},{}), ({},{}) |", lambda: seat_row("west")),
    ("| {} | north, green | {} | L{} | ({},{}), ({},{}) |", lambda: seat_row("north")),
    ("| {} | east, black | {} | L{} | ({},{}), ({},{}) |", lambda: seat_row("east")),
    (
        "{} in hand, {} on the start square, {} before it is back there, {} on it again, {} and {} in the own "
        "column, {} in the centre, {} off",
        course,
    ),
    ("the cross-cuts are {}, {}, {}, {}, {}, {}, {} and {}.", crosscuts),
    # Rules
    ("**R1.** {} play in {} teams", lambda: (GAME.num_players, len(set(SIDES)))),
    (
        "The {} dice have {} sides, numbered {}, {}, {} and {}.",
        lambda: (len(throws()[0].split("-")), len(faces()), *faces()),
    ),
    ("start square of their owner, progress {}.", on_start),
    ("clockwise, seats {}, {}, {}, {}, while", order_of_seats),
    ("played in one of {} ways", ways_to_play),
    ("or {} pieces move, one by each die", pieces_of_a_split),
    (
        "the {} start squares too",
        lambda: len(set(crosscuts(crosscuts="sides_and_ends")) - set(crosscuts())),
    ),
    ("A die that shows {} may bear off", bearing_off),
    # Actions
    (
        "| {} to {} | `{}`, `{}`, `{}` | a piece whose progress is `id` moves by the die that shows {};",
        lambda: (*ids(0), *names_by_one(), faces()[0]),
    ),
    *(
        ("| {} to {} | `{}` | a piece on `id - {}` moves by {} |", lambda index=index: row_of_a_die(index))
        for index in (1, 2, 3)
    ),
    (
        "| {} to {} | `{}`, `{}` | a piece on `id - {}` moves by the total |",
        lambda: (*ids(4), *names_by_the_total(), total_ids()[0]),
    ),
    ("chance outcomes {} to {}: {}, of which", lambda: (*ends_of_throws(), ", ".join(throws()))),
    (
        "doubles weigh {} and all others {}.",
        lambda: (weights(new_game().state, doubles=True), weights(new_game().state, doubles=False)),
    ),
    # Observation layout
    ("{} is the viewer, {} the partner, and {} and {} are the enemies", seats_of_teams),
    ("`p - {}k` in the viewer's, plus {} where that is below {}", shift),
    # Returns
    ("Each winner gets {}, each loser -{}.", gains),
    # Worked positions
    ("a position with seat {} to throw", lambda: examples("tshupu")["south"]("1 1 1 1").to_dict()["player"]),
    ("{} may be split, or one piece moves all {} and hits the {} pieces", first_throw),
    ("**A choice of {} ways", ways_to_play),
    ("one piece in hand and {} on {}, {} can be played by entering", choice_of_ways),
    (
        "The last piece of seat {} stands on its start and an enemy on the cross-cut {}. With {} the total is "
        "barred, and there is no second piece: one die is played alone. With {} it passes over.",
        safe_crosscut,
    ),
    ("On progress {} stand {} of east's", several_hit),
    ("From {} a {} cannot be played in full, so either die may be played; with {} the turn", exact_throw),
    ("a {} bears off what is left: team {} has won", lambda: (bearing_off(), team_that_won())),
]
