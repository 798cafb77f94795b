"""Where the numbers on docs/games/sho.md come from: options, chance outcomes, and positions that are played."""

from __future__ import annotations

from functools import cache, partial
from itertools import combinations
from typing import Any

import numpy as np

import sarai
from games.sho.table import DICE, Table, flexible, new_game, overflow, s1, sho
from helpers.page_facts import (
    Fact,
    accepted,
    bounds,
    default,
    examples,
    id_of,
    names_of_throws,
    pictured,
    weights,
)

SHELLS = default("sho", "num_shells")
COINS = default("sho", "coins")


def throws() -> list[str]:
    return names_of_throws(new_game().state)


def dashed(throw: str) -> str:
    """A throw of the table as the page has it, the larger die first."""
    return "-".join(sorted(throw, reverse=True))


@cache
def pa_ra() -> str:
    """The throw after which the dice are thrown again before anything moves."""
    (found,) = (throw for throw in DICE if new_game().roll(throw)["phase"] == "reroll")
    return dashed(found)


def cleared() -> Table:
    return sho(f"h{COINS} cleared", "20:1 h8", six_three=True)


def enters_whole(table: Table) -> set[str]:
    return {name for name in table.moves() if name.endswith(" all")}


@cache
def six_three() -> str:
    """The throw with which a cleared side enters with all its coins."""
    (found,) = (throw for throw in DICE if throw != "11" and enters_whole(cleared().roll(throw)))
    return dashed(found)


def nine() -> int:
    """Where it enters."""
    (name,) = enters_whole(cleared().roll("36"))
    return int(name.removeprefix("hand/").removesuffix(" all"))


@cache
def positions() -> tuple[int, int]:
    """The least and the greatest position on which a stack may stand."""
    found = [p for p in range(100) if accepted(partial(sho, f"{p}:1 h8", "h9"))]
    assert found == list(range(found[0], found[-1] + 1))
    return found[0], found[-1]


def hand_source() -> int:
    """The source that stands for the hand."""
    (action,) = new_game().roll("66").state.legal_actions()
    return int(action)


def distance_to_be_off() -> int:
    """The least sum of position and throw that finishes."""
    sums = [p + 10 for p in range(40, 64) if f"{p}/off" in sho(f"{p}:1 h8", "h9").roll("55").moves()]
    return min(sums)


def picture() -> tuple[int | str, ...]:
    state = pictured("sho")
    d = state.to_dict()
    low, high = d["pool"]
    assert Table(sarai.make("sho"), state).values() == [low, high, low + high]
    state.apply_action(id_of(state, f"value {low}"))
    (target,) = (
        state.action_to_string(action).split("/")[1].removesuffix("*")
        for action in state.legal_actions()
        if state.action_to_string(action).endswith("*")
    )
    (victims,) = (side["stacks"][target] for side in d["sides"][1:] if target in side["stacks"])
    return d["player"], pa_ra(), high, low, high, low, victims, int(target)


def team_players() -> int:
    """With how many players teams can be had."""
    low, high = bounds("sho", "players")
    (found,) = (
        n for n in range(low, high + 1) if accepted(partial(sarai.make, "sho", players=n, teams=True))
    )
    return found


def teams() -> tuple[int, ...]:
    sides = sarai.make("sho", players=team_players(), teams=True).sides
    return tuple(seat for side in (0, 1) for seat, own in enumerate(sides) if own == side)


def another_pa_ra() -> int:
    """What one more 1-1 adds to the pool."""
    t = new_game().roll("11", "11")
    first, second = t["pool"]
    assert (t["phase"], first) == ("reroll", second)
    return int(second)


def fullest_pool() -> int:
    """How many values a pool has when 1-1 is not thrown again."""
    t = new_game().roll("11")
    while t["phase"] == "reroll":
        t.roll("11")
    return len(t["pool"])


def dearest_sum() -> int:
    """The greatest sum that is offered, of a pool that comes to more and of which every sum can be played."""
    t = sho("1:1 10:1 h7", "h9", pool=(4, 7, 12, 12, 12, 12)).roll("66")
    pool = t["pool"]
    sums = {sum(part) for n in range(1, len(pool) + 1) for part in combinations(pool, n)}
    assert max(sums) > max(t.values())
    assert {total for total in sums if total <= max(t.values())} == set(t.values())
    return max(t.values())


def parts_of_the_same_sum() -> int:
    """The parts that come to 10 of a pool in which the choice among them shows."""
    t = sho("10:1 20:1 h7", "40:1 h8", pool=(2, 5, 5)).roll("44")
    pool = t["pool"]
    parts = {part for n in range(1, len(pool) + 1) for part in combinations(pool, n) if sum(part) == 10}
    # Of as few values as 5 and 5, those with the larger value are spent.
    assert t.play("value 10", "10/20+")["pool"] == [5, 5]
    return len(parts)


def least_track_with_six_three() -> int:
    """The shortest track on which a cleared side may enter whole."""

    def enters(num_shells: int) -> bool:
        t = sho(f"h{COINS} cleared", "1:1 h8", six_three=True, num_shells=num_shells)
        return bool(enters_whole(t.roll("36")))

    low, high = bounds("sho", "num_shells")
    return min(n for n in range(low, high + 1) if enters(n))


def entry_from_a_pool() -> int:
    """The value of a pool with which a cleared side enters whole."""
    t = sho(f"h{COINS} cleared", "20:1 h8", six_three=True).roll("11", "36")
    (value,) = (v for v in t.values() if any(name.endswith(" all") for name in t.sources(v)))
    split = sho(f"h{COINS} cleared", "20:1 h8", six_three=True, pa_ra="flexible").roll("11", "36")
    assert not any(name.endswith(" all") for v in split.values() for name in split.sources(v))
    return value


def split_in() -> tuple[int, int]:
    """How many stacks a split moves, and the least first part."""
    t = flexible("10:1 20:1 h7", "h9").roll("11", "23")
    least = min(t.values())
    t.play(f"value {least}", f"10/{10 + least}")
    assert f"{10 + least}/{10 + 7}" not in t.moves()
    source = next(name for name in sorted(t.moves()) if name.startswith("20/"))
    moved = {"10", source.split("/")[0]}
    t.play(source)
    assert t.turn_ended()
    return len(moved), least


def plain_pa_ra() -> int:
    t = new_game(pa_ra="none").roll("11")
    return int(t["value"])


def value_ids() -> tuple[int, int, int]:
    """The ids of the least and the greatest value, and the difference of id and value."""
    least = flexible("10:1 20:1 h7", "h9").roll("11", "23")
    greatest = sho("1:1 10:1 h7", "h9", pool=(2, 2, 2, 11, 12, 12, 12)).roll("56")
    ids = [
        id_of(t.state, f"value {v}") for t in (least, greatest) for v in (min(t.values()), max(t.values()))
    ]
    low, high = min(ids), max(ids)
    (difference,) = {id_of(t.state, f"value {v}") - v for t in (least, greatest) for v in t.values()}
    return low, high, difference


def named(table: Table, wanted: str) -> str:
    """The name of a legal action that begins so."""
    (found,) = (name for name in table.moves() if name.startswith(wanted))
    return found


def value_named() -> str:
    return "value " + str(s1().values()[1])


def names_of_moves() -> tuple[str, ...]:
    by_one = flexible("10:1 20:1 h7", "h9").roll("11", "23").play("value 1")
    kill = s1().play("value 2")
    stack = s1().play("value 2", "10/12*").roll("34").play("value 11")
    finish = sho("60:1 h8", "h9").roll("23")
    return named(by_one, "10/"), named(kill, "10/"), named(stack, "12/"), named(finish, "60/")


def decline() -> int:
    t = overflow("30:7 59:2", "h9").roll("56").play("59/off")
    return id_of(t.state, "decline")


def ends_of_throws() -> tuple[int, int]:
    outcomes = [outcome for outcome, _ in new_game().state.chance_outcomes()]
    return outcomes[0], outcomes[-1]


def listed_throws() -> str:
    t = throws()
    return f"{t[0]}, {t[1]}, ... {t[5]}, {t[6]}, ... {t[-1]}"


def cells_of_sides(**options: Any) -> tuple[int, int]:
    """In which part of the track seat 0 sees its own coins, and in which those of seat 1."""
    own, enemy = (
        sho(*coins, **options).state.observation_tensor(0)[:256].reshape(4, -1)
        for coins in (("10:1 h8", "h9"), ("h9", "10:1 h8"))
    )
    return int(np.flatnonzero(own[:, 10])[0]), int(np.flatnonzero(enemy[:, 10])[0])


def stakes_of_the_winner() -> int:
    """How many stakes fewer than there are players the winner gets."""
    t = sho("63:1 off8", "h9", "h9", "h9", stake=2.5).roll("23").play("63/off")
    gains = t.state.returns()
    assert list(gains[1:]) == [-2.5] * 3
    return int(4 - gains[0] / 2.5)


def example_of_two() -> tuple[int, int]:
    state = examples("sho")["sho"]("hand=9 off=0 cleared=false", "hand=9 off=0 cleared=false")
    return len(state.returns()), state.to_dict()["player"]


def carried_over() -> tuple[int | str, ...]:
    thrown = "56"
    t = sho("10:1 23:2 h6", "12:1 40:2 h6").roll("11", thrown)
    choice = t.values()
    (killing,) = (v for v in choice if any(name.endswith("*") for name in t.sources(v)))
    source = next(name for name in t.sources(killing) if name.endswith("*"))
    (kept,) = t.play(f"value {killing}", source)["pool"]
    assert any(name.endswith("+") for name in t.roll("34").sources(kept))
    return pa_ra(), "-".join(thrown), *choice, killing, kept


def size_decides() -> tuple[int, ...]:
    """Two coins against stacks of two and of three, 4 and 7 away."""
    own, enemy = "5:2 h7", "9:2 12:3 h4"
    kills = sho(own, enemy).roll("22")
    assert "5/9*" in kills.moves()
    cannot = sho(own, enemy).roll("34")
    assert cannot.moves() == {"hand/7"}
    stacks = [kills.side(1)["stacks"][p] for p in ("9", "12")]
    return kills.side(0)["stacks"]["5"], *stacks, cannot["value"]


def as_words(throw: str) -> tuple[int, int]:
    high, low = throw.split("-")
    return int(high), int(low)


def ordinary_nine() -> tuple[str, int]:
    thrown = "45"
    t = cleared().roll(thrown)
    assert not enters_whole(t)
    return dashed(thrown), t["value"]


def to_spare() -> tuple[int, int, int]:
    source = 59
    t = overflow(f"30:7 {source}:2", "h9").roll("56")
    thrown = t["value"]
    return source, thrown, t.play(f"{source}/off")["value"]


def flexible_split() -> tuple[int | str, ...]:
    thrown, first = "56", 4
    t = flexible("10:1 20:1 h7", "h9").roll("11", thrown)
    whole = sum(t["pool"])
    t.play(f"value {first}", f"10/{10 + first}")
    return pa_ra(), "-".join(thrown), whole, first, t["value"]


FACTS: list[Fact] = [
    # History
    ("by {} to {}; {} is the most usual", lambda: (*bounds("sho", "players"), default("sho", "players"))),
    ("and {} mostly play as {} teams", lambda: (team_players(), len(teams()) // 2)),
    ("as a rule {}, around a pad", lambda: SHELLS),
    ("the {} dice is slammed", lambda: len(throws()[0].split("-"))),
    # Board
    ("with {} shells they are {} to {}", lambda: (SHELLS, *positions())),
    ("Position {} is the hand", hand_source),
    ("a coin that would reach {} or more is off", distance_to_be_off),
    (
        "Player {} threw {} and then a {}, and chooses {}, {} or both together. A {} would kill the {} coins on {}.",
        picture,
    ),
    # Rules
    ("**R1.** {} to {} play", lambda: bounds("sho", "players")),
    ("(`players`), {} by default", lambda: default("sho", "players")),
    ("{} play each for themselves", team_players),
    ("with `teams`, seats {} and {} against {} and {};", teams),
    ("`coins` coins, {} by default", lambda: COINS),
    ("**R5.** {} {}-sided dice", lambda: (len(throws()[0].split("-")), max(int(t[-1]) for t in throws()))),
    ("except with {} (R9, R13) and {} (R12)", lambda: (pa_ra(), six_three())),
    ("The throw of {} is called *pa ra*", pa_ra),
    ("Another {} adds another {}. Of {} parts", lambda: (pa_ra(), another_pa_ra(), parts_of_the_same_sum())),
    ("a pool holds at most {} values (a {} that fills it", lambda: (fullest_pool(), pa_ra())),
    ("no sum above {} is offered", dearest_sum),
    ("may use {} to bring all coins as one stack to position {}", lambda: (six_three(), nine())),
    ("The ordinary move to {} stays legal", nine),
    ("the {} may come from a pool", entry_from_a_pool),
    ("the track needs {} shells or more", least_track_with_six_three),
    ("The totals after {} are added up", pa_ra),
    ("split freely between {} different stacks: `a`, from {} up", split_in),
    ("Another {} adds {} and is thrown again", lambda: (pa_ra(), another_pa_ra())),
    ('`pa_ra="none"` makes {} a plain {}', lambda: (pa_ra(), plain_pa_ra())),
    ("With `entry_coins` above {}", lambda: default("sho", "entry_coins")),
    # Options and presets
    ('preset="lhasa", players={})` changes', lambda: bounds("sho", "players")[0]),
    ("`teams` needs {} players", team_players),
    # Actions
    ("| {} | `{}` | a hand coin", lambda: (hand_source(), named(sho("h9", "h9").roll("56"), "hand/"))),
    ("| {} to {} | `{}`, `{}`, `{}`, `{}` |", lambda: (*positions(), *names_of_moves())),
    (
        "| {} to {} | `{}` | the value `id - {}`",
        lambda: (*value_ids()[:2], value_named(), value_ids()[2]),
    ),
    (
        "| {} | `{}` | all coins come from the hand to {} ",
        lambda: (
            id_of(cleared().roll("36").state, "hand/9 all"),
            *enters_whole(cleared().roll("36")),
            nine(),
        ),
    ),
    ("| {} | `decline`", decline),
    ("chance outcomes {} to {}: {}, of", lambda: (*ends_of_throws(), listed_throws())),
    (
        "doubles weigh {} and all others {}.",
        lambda: (weights(new_game().state, doubles=True), weights(new_game().state, doubles=False)),
    ),
    # Observation layout
    ("Side {} is the viewer's own", lambda: cells_of_sides()[0]),
    ("in a team game side {} is the other team", lambda: cells_of_sides(players=4, teams=True)[1]),
    # Returns
    ("`(players - {}) * stake`", stakes_of_the_winner),
    # Notation
    ("`reroll` (the throw after {})", pa_ra),
    # Worked positions
    ("`sho` is a position of {} with player {} to throw", example_of_two),
    (
        "{} and {} leave a choice of {}, {} and {}. The {} kills; the {} that was not used",
        carried_over,
    ),
    ("{} coins kill {}. Against {} the move is illegal, so that only the hand can use a {}.", size_decides),
    ("**{}-{} (R12).**", lambda: as_words(six_three())),
    ("A cleared side throws {} and may enter", six_three),
    ("{} is a {} too, but an ordinary one", ordinary_nine),
    ("From {} an {} finishes with {} to spare", to_spare),
    ("{} and {} make {}, here split into {} and {}.", flexible_split),
]
