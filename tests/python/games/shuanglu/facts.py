"""Where the numbers on docs/games/shuanglu.md come from: chance outcomes, ids, and positions that are played."""

from __future__ import annotations

import re
from functools import cache
from itertools import pairwise
from typing import Any

import sarai
from games.shuanglu.table import Table, new_game, shuanglu
from helpers.page_facts import Fact, cited, default, examples, id_of, names_of_throws, pictured, weights
from sarai.render import draw

GAME = sarai.make("shuanglu")
PIECES = sum(new_game()["points"][0])
POINTS = len(new_game()["points"][0])
# An enemy who has borne off nothing, with all pieces at home, and one whose pieces are where they bar no entry.
HOME, FAR = "6:15", "12:15"


def opening() -> list[str]:
    return names_of_throws(new_game().state)


def later() -> Table:
    return shuanglu("24:2 13:5 8:3 6:5", "24:2 13:5 8:3 6:5")


def faces() -> tuple[int, ...]:
    return tuple(sorted({int(face) for throw in names_of_throws(later().state) for face in throw.split("-")}))


def dice() -> int:
    (number,) = {len(throw.split("-")) for throw in names_of_throws(later().state)}
    return number


def dashed(throw: str) -> str:
    return "-".join(sorted(throw, reverse=True))


@cache
def entries() -> dict[int, tuple[int, int]]:
    """Where each die enters, and the id of that."""
    found = {}
    for die in faces():
        t = shuanglu("bar1 6:14", FAR).roll(f"{die}{die}")
        (name,) = t.moves()
        found[die] = int(name.removeprefix("bar/")), id_of(t.state, name)
    return found


def borne_off() -> tuple[int, int]:
    """The highest and the lowest point from which pieces are borne off."""
    own = " ".join(f"{point}:2" for point in range(1, 7)) + " 24:3"
    assert not any("off" in name for name in shuanglu(own, "12:15").roll("12").moves())
    found = [
        point
        for point in range(1, POINTS + 1)
        for die in faces()
        if f"{point}/off"
        in shuanglu(f"{point}:15", "12:15" if point != 13 else "11:15").roll(f"{die}{die}").moves()
    ]
    return max(found), min(found)


def both_numbers() -> int:
    """The sum of both players' numbers of a point, from a hit."""
    t = shuanglu("6:15", "20:1 2:14").roll("12")
    (hit,) = (name for name in t.moves() if name.endswith("*"))
    return int(hit.split("/")[1].removesuffix("*")) + 20


def less_die() -> int:
    (total,) = {die + point for die, (point, _) in entries().items()}
    return total


def numbers(first: int, last: int) -> str:
    step = 1 if first < last else -1
    return " ".join(map(str, range(first, last + step, step)))


def drawn() -> tuple[str, ...]:
    """The four runs of points, as a player numbers them."""
    half, home = POINTS // 2, borne_off()[0]
    enter = max(point for point, _ in entries().values()) - len(faces()) + 1
    return (
        numbers(half + 1, enter - 1),
        numbers(enter, POINTS),
        numbers(half, home + 1),
        numbers(home, 1),
    )


def setup(**options: str) -> list[tuple[int, int]]:
    """The points at the start with their pieces, the highest first."""
    points = new_game(**options)["points"]
    assert points[0] == points[1]
    return [(point, n) for point, n in reversed(list(enumerate(points[0], 1))) if n]


def setup_in_words() -> tuple[int, ...]:
    return tuple(number for point, pieces in setup() for number in (pieces, point))


def lines_of_numbers() -> tuple[int, ...]:
    """The players by how far out their numbers stand in the picture."""
    svg = draw(pictured("shuanglu").view())
    heights = {}
    for player in range(GAME.num_players):
        label = re.escape(f"points as player {player} counts them")
        heights[player] = min(
            float(y)
            for y in re.findall(rf'{label}.*?<text[^>]* y="([\d.]+)"[^>]*>player {player}<', svg, re.DOTALL)
        )
    return tuple(sorted(heights, key=lambda player: heights[player]))


def numbers_to_play() -> int:
    return len(new_game().open("35")["dice"])


def moves_of_doubles() -> tuple[int, int]:
    english = sarai.presets("shuanglu")["backgammon"]["doubles"]
    assert len(shuanglu("6:15", HOME, doubles=english).roll("11")["dice"]) == english
    assert len(later().roll("11")["dice"]) == default("shuanglu", "doubles")
    return default("shuanglu", "doubles"), english


def pieces_that_bar() -> int:
    """The fewest enemy pieces on which no step can end."""
    return min(n for n in range(1, 15) if not any(m.startswith("13/12") for m in in_the_way(n).moves()))


def in_the_way(pieces: int) -> Table:
    """A 1 to play from 13 while so many stand on the next point."""
    return shuanglu("13:15", f"13:{pieces} 1:{15 - pieces}").roll("11")


def points_won(enemy: str, **options: Any) -> int:
    t = shuanglu("1:1 off14", enemy, **options).roll("11").play("1/off")
    return int(t["points_won"])


def counts_more(point: int) -> int:
    """What a gammon counts with a piece of the loser on that point, by the winner's numbers."""
    last = 2 if point == 1 else 1
    others = 10 if less_die() - point == 8 else 8
    t = shuanglu(f"{last}:1 off14", f"{less_die() - point}:1 {others}:14", scoring="gammon")
    return int(t.roll(f"{last}{last}").play(f"{last}/off")["points_won"])


def gammons() -> tuple[int, ...]:
    """What a win counts: at first, then with a piece of the loser on the bar or on some of the winner's points."""
    plain, more = points_won(HOME, scoring="gammon"), points_won("bar1 6:14", scoring="gammon")
    there = [point for point in range(1, POINTS + 1) if counts_more(point) == more]
    assert there == list(range(there[0], there[-1] + 1))
    return plain, more, there[0], there[-1]


def wins_of_backgammon() -> tuple[int, ...]:
    """What a win over a player with nothing off counts in the preset: as it is, and with its gammons."""
    plain = points_won(HOME, preset="backgammon")
    return plain, *gammons_of("backgammon")


def gammons_of(preset: str) -> tuple[int, int]:
    given = {"preset": preset, "scoring": "gammon"}
    return points_won(HOME, **given), points_won("bar1 6:14", **given)


def step_ids() -> tuple[int, int]:
    """An id is (die - first) * second, for a piece from the bar."""
    ids = [action for _, action in entries().values()]
    (each,) = {after - before for before, after in pairwise(ids)}
    assert all(ids[die - 1] == (die - 1) * each for die in faces())
    ((first, _),) = [(die, action) for die, action in zip(faces(), ids, strict=True) if action == 0]
    # A piece from a point has the number of the point on top.
    t = later().roll("35")
    assert id_of(t.state, "13/8") == (5 - first) * each + 13
    return first, each


def entering_names() -> tuple[str, str]:
    (free,) = shuanglu("bar1 6:14", FAR).roll("44").moves()
    (hit,) = shuanglu("bar1 6:14", "4:1 12:14").roll("44").moves()
    return free, hit


def moving_names() -> tuple[str, ...]:
    plain = later().roll("35").moves() & {"13/8"}
    hit = shuanglu("13:15", "17:1 6:14").roll("35").moves() & {"13/8*"}
    off = shuanglu("6:15", HOME).roll("66").moves()
    (high,) = shuanglu("4:15", HOME, bear_off="overshoot").roll("66").moves()
    return *plain, *hit, *off, high


def all_ids() -> tuple[int, int, int]:
    """How many ids there are, the least and the greatest: the last is of the largest die from the last point."""
    last = shuanglu("24:15", HOME).roll("66")
    (greatest,) = last.state.legal_actions()
    return GAME.num_actions, min(action for _, action in entries().values()), greatest


def opening_outcomes() -> tuple[int | str, ...]:
    outcomes = [outcome for outcome, _ in new_game().state.chance_outcomes()]
    assert len({round(chance, 9) for _, chance in new_game().state.chance_outcomes()}) == 1
    t = opening()
    # Whose die is the larger begins.
    second = new_game().open("35")["player"]
    first = new_game().open("53")["player"]
    listed = f"{t[0]}, {t[1]}, ... {t[4]}, {t[5]}, {t[6]}, ... {t[-1]}"
    return outcomes[0], outcomes[-1], first, second, listed


def later_outcomes() -> tuple[int | str, ...]:
    state = later().state
    outcomes = [outcome for outcome, _ in state.chance_outcomes()]
    t = names_of_throws(state)
    listed = f"{t[0]}, {t[1]}, ... {t[5]}, {t[6]}, ... {t[-1]}"
    heavy = weights(state, doubles=True), weights(state, doubles=False)
    return outcomes[0], outcomes[-1], listed, *heavy


def returned() -> tuple[int, int]:
    """The least and the greatest gain of a winner."""
    low, high = sarai.make("shuanglu", scoring="gammon").returns_range
    assert low == -high
    assert gammons()[1] == high
    return points_won(HOME), int(high)


def who_begins() -> tuple[int, ...]:
    throws = (3, 5)
    t = new_game().open("".join(map(str, throws)))
    player = t["player"]
    assert sorted(t["dice"]) == sorted(throws)
    return 1 - player, throws[1 - player], player, throws[player]


def double_fives() -> tuple[int, ...]:
    plain, english = (
        later().roll("55"),
        shuanglu("24:2 13:5 8:3 6:5", "24:2 13:5 8:3 6:5", doubles=4).roll("55"),
    )
    (five,) = {*plain["dice"], *english["dice"]}
    return five, len(plain["dice"]), english.game.rules["doubles"], len(english["dice"])


def from_the_bar() -> tuple[int | str, ...]:
    own, enemy = "bar1 13:5 8:4 6:5", "13:5 6:2 5:2 4:2 3:2 2:2"
    t = shuanglu(own, enemy)
    held = [point for point, _ in entries().values() if t["points"][1][less_die() - point - 1] > 1]
    entering = [die for die, (point, _) in entries().items() if point not in held]
    throw = "14"
    played = t.copy().roll(throw)
    assert played.moves() == {"bar/24"}
    (then,) = played.play("bar/24")["dice"]
    assert shuanglu(own, enemy).roll("56").passed()
    return min(held), max(held), *entering, then, dashed("56")


def larger_die() -> tuple[int, ...]:
    own, enemy = "20:1 2:7 1:7", "13:2 6:5 4:4 3:4"
    either = shuanglu(own, enemy, larger_die=False).roll("35")
    larger, smaller = either["dice"]
    assert either.moves() == {f"20/{20 - larger}", f"20/{20 - smaller}"}
    assert len(either.play(f"20/{20 - smaller}")["dice"]) == 0
    (must,) = shuanglu(own, enemy).roll("35").moves()
    source, target = map(int, must.split("/"))
    return larger, smaller, source, source - target


def nothing_on_six() -> tuple[int, int]:
    """The highest point without a piece, and the die that does nothing there."""
    t = shuanglu("5:2 3:2 2:3 off8", HOME)
    empty = max(point for point in range(1, borne_off()[0] + 1) if not t["points"][0][point - 1])
    (die,) = (die for die in faces() if t.copy().roll(f"{die}{die}").passed() and die > 5)
    over = shuanglu("5:2 3:2 2:3 off8", HOME, bear_off="overshoot").roll(f"{die}{die}")
    assert over.moves() == {f"5/off({die})"}
    return empty, die


def last_piece() -> str:
    throw = "12"
    t = shuanglu("2:1 off14", HOME).roll(throw).play("2/off")
    assert t["winner"] == 0
    return dashed(throw)


FACTS: list[Fact] = [
    ("# Shuanglu Double {}:", lambda: faces()[-1]),
    # History
    ("{} are painted red and {} left", lambda: (PIECES, PIECES)),
    ("to move {} pieces when doublets", lambda: default("shuanglu", "doubles")),
    ("DLP.Evidence.{}", lambda: cited("shuanglu", r"DLP\.Evidence\.(\d+)")),
    ("the game in {} as it is known", lambda: cited("shuanglu", r"Korean Games\" \((\d+)\)")),
    ("Games* ({}), {}-{}", lambda: cited("shuanglu", r"Korean Games\" \((\d+)\), (\d+)-(\d+)")),
    ('Dominoes" ({}), {}-{}', lambda: cited("shuanglu", r"Dominoes\" \((\d+)\), (\d+)-(\d+)")),
    # Board
    ("One track of {} points", lambda: POINTS),
    (
        "enter on {} to {}, move to smaller numbers, and are borne off from {} to {}.",
        lambda: (max(entries().values())[0], min(entries().values())[0], *borne_off()),
    ),
    ("number of a point is {} minus", both_numbers),
    ("own numbers {} | {} <- from the bar {} | {} -> off", drawn),
    ("each has {} pieces on {}, {} on {}, {} on {} and {} on {}.", setup_in_words),
    (
        'that is {}, {}, {} and {}, `setup="from_origin"`',
        lambda: tuple(sorted(point for point, _ in setup(setup="from_origin"))),
    ),
    ("The outer numbers are those of player {}, the inner ones those of player {}.", lines_of_numbers),
    # Rules
    (
        "**R1.** {} play, with {} pieces each and {} {}-sided dice.",
        lambda: (GAME.num_players, PIECES, dice(), len(faces())),
    ),
    ("plays the {} numbers thrown", numbers_to_play),
    ("`doubles` says, {} or, as in the English game, {}, and", moves_of_doubles),
    ("where {} or more enemy pieces stand", pieces_that_bar),
    ("on the point `{} - v`", less_die),
    ("stand on his points {} to {}, he may bear off", lambda: borne_off()[::-1]),
    ("where either of {} dice can be used", dice),
    ("a win counts {} if the loser has borne off nothing, and {} if", lambda: gammons()[:2]),
    ("on the winner's points {} to {} besides", lambda: gammons()[2:]),
    # Options and presets
    ("so that every win counts {}; with", lambda: wins_of_backgammon()[0]),
    ("a gammon counts {} and a backgammon {}.", lambda: wins_of_backgammon()[1:]),
    # Actions
    ("| `(die - {}) * {}` | `{}`, `{}` |", lambda: (*step_ids(), *entering_names())),
    (
        "| `(die - {}) * {} + point` | `{}`, `{}`, `{}`, `{}` | a piece moves from that point, {} to {} by",
        lambda: (*step_ids(), *moving_names(), borne_off()[1], POINTS),
    ),
    ("{} ids, {} to {}.", all_ids),
    (
        "The opening throw has outcomes {} to {}, the die of seat {} and that of seat {}: {}, equally likely.",
        opening_outcomes,
    ),
    ("Later throws are {} to {}: {}, of which doubles weigh {} and all others {}.", later_outcomes),
    # Returns
    ("what he has won, {} or by R9 up to {},", returned),
    # Worked positions
    (
        "with player {} to throw, each",
        lambda: examples("shuanglu")["shuanglu"]("bar=0 off=0 6:15", "bar=0 off=0 6:15").to_dict()["player"],
    ),
    ("Player {} throws {}, player {} throws {}, and begins", who_begins),
    ("**Double {} (R3).** From the start they are {} moves, or with `doubles={}` {}.", double_fives),
    (
        "The enemy holds {} to {}, so that only a {} enters. The {} is then played by another piece; with {} the",
        from_the_bar,
    ),
    (
        "The {} and the {} can each be played by the piece on {}, but not both. The {} must be",
        larger_die,
    ),
    ("With nothing on {} a {} bears off nothing", nothing_on_six),
    ("{} bears it off", last_piece),
]
