"""Make the suite of `sarai.benchmark`: positions from play, the exact value of every action, and rated opponents.

    python scripts/benchmark_suite.py SHAH MORRIS PARTS

SHAH and MORRIS are folders of tables: those of `sarai solve shah --all --out SHAH` and then `sarai solve shah
--placing --out SHAH`, and of `sarai solve shah --preset nine_mens_morris --stones 6 --out MORRIS`. Everything else is
solved here, in a quarter of an hour. PARTS is a folder in which the positions of each finished game are kept, and not
made again; opponents are rated each time. Put the digest that is printed into `python/sarai/_benchmark/suite.py`.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import cycle, islice, tee
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import sarai
from sarai._benchmark.suite import FOLDER, UNIT

NAME = "sarai-1"
SEED = 1
EACH = 200
"""The positions of a stratum, half of them hard if there are enough."""
FEW_GOOD = 1 / 3
"""A position is hard if no more than this share of its actions is best."""
LEAST = 0.001
"""A position in which all actions are worth the same to within this many points is left out."""
RATED_GAMES = 400
"""The games of each two anchors for their ratings."""

Moves = Callable[[sarai.State], list[Any] | None]
"""The exact values of a state's actions; None where they are not known."""


class Part(NamedTuple):
    """A stratum of a game's positions."""

    name: str
    positions: Iterator[sarai.State]
    moves: Moves
    fits: Callable[[sarai.State], bool] = lambda state: True
    each: int = EACH


class Entry(NamedTuple):
    """A game of the suite."""

    name: str
    game: sarai.Game
    anchors: tuple[str, ...]
    parts: Callable[[], Iterable[Part]]
    random_plies: int = 0


def played(game: sarai.Game, starts: Sequence[str], agents: Sequence[str]) -> Iterator[sarai.State]:
    """One decision, drawn uniformly, of each of many games from these starts, by one agent after another."""
    players = [sarai.agents.parse(agent) for agent in agents]
    rng = np.random.default_rng(SEED)
    for number, player in enumerate(cycle(players)):
        state = game.parse(starts[int(rng.integers(len(starts)))])
        seen = []
        while not state.is_terminal():
            if state.is_chance_node():
                state.sample_chance(seed=int(rng.integers(2**63)))
                continue
            seen.append(state.clone())
            state.apply_action(player.choose(state, seed=int(rng.integers(2**63))))
        if seen:
            yield seen[int(rng.integers(len(seen)))]
        if number >= 5_000:
            return


def sampled(game: sarai.Game, agents: Sequence[str], most: int) -> Iterator[sarai.State]:
    """One decision of each of many games from the beginning, by one agent after another."""
    for first, agent in zip(range(0, most, 500), cycle(agents), strict=False):
        yield from game.sample_states(agent, 500, seed=SEED, first_game=first)


def chosen(part: Part) -> list[tuple[str, list[int]]]:
    """The positions of a stratum, half of them hard, each once."""
    found: dict[bool, dict[str, list[int]]] = {True: {}, False: {}}
    for state in part.positions:
        if min(map(len, found.values())) >= part.each // 2:
            break
        moves = part.moves(state) if part.fits(state) else None
        if moves is None or len(moves) < 2:
            continue
        worth = {move.action: round(move.value * UNIT) for move in moves}
        values = [worth[action] for action in state.legal_actions()]
        if max(values) - min(values) < LEAST * UNIT:
            continue
        hard = values.count(max(values)) <= FEW_GOOD * len(values)
        if len(found[hard]) < (part.each // 2 if hard else part.each):
            found[hard].setdefault(str(state), values)
    hard_ones = [*found[True].items()]
    print(part.name, len(hard_ones), len(found[False]), flush=True)
    return [*hard_ones, *islice(found[False].items(), part.each - len(hard_ones))]


def stones(state: sarai.State) -> int:
    """The stones of the side that has more of them."""
    return max(Counter(state.to_dict()["board"])[side] for side in "01")


MIXED = (*("random",) * 4, *("epsilon:0.3[greedy]",) * 2, "epsilon:0.15[alphabeta:2]")
MIXED_DICE = ("random", "greedy", "epsilon:0.2[expectimax:1]", "mcts:20")


PHASES = {"place": "placing", "remove": "removals"}


def phase(state: sarai.State) -> str:
    """The stratum of a position of Shah."""
    found = str(state).split()[0]
    low = next(low for low in (9, 7, 5, 0) if stones(state) >= low)
    bands = {0: "3 to 4 stones", 5: "5 to 6 stones", 7: "7 to 8 stones", 9: "9 to 12 stones"}
    return PHASES.get(found, bands[low])


def by_phase(game: sarai.Game, folder: Path, phases: Sequence[str]) -> Iterator[Part]:
    """The phases of Shah; that of slides by the stones of the side that has more."""
    tables = sarai.exact.load(game, folder, check=False)

    def moves(state: sarai.State) -> list[Any] | None:
        return tables.moves(state) if tables.covers(state, moves=True) else None

    # Tables ignore clocks, so play that is about to end as a draw is left out.
    def fits(wanted: str) -> Callable[[sarai.State], bool]:
        return lambda state: (
            phase(state) == wanted
            and state.to_dict()["no_capture"] < 40
            and game.rules["max_turns"] - state.turns_passed() >= 100
        )

    # Games from the beginning rarely come so far, so these begin at random endings.
    pairs = ((4, 4), (4, 3), (3, 4), (3, 3))
    starts = [str(state) for pair in pairs for state in tables.sample_states(500, pair, seed=SEED)]
    few = "3 to 4 stones"
    yield Part(few, played(game, starts, MIXED), moves, fits(few))
    for wanted, states in zip(phases, tee(sampled(game, MIXED, 60_000), len(phases)), strict=True):
        yield Part(wanted, states, moves, fits(wanted))


def placings(pieces: int, most: int, count: int, rng: np.random.Generator) -> Iterator[str]:
    """So many pieces on random points up to the highest, as a position has them; the others are off."""
    for _ in range(count):
        points = Counter(rng.integers(1, most + 1, pieces).tolist())
        placed = " ".join(f"{point}:{points[point]}" for point in sorted(points, reverse=True))
        yield f"bar=0 off={15 - pieces} {placed}"


def tables_game(game: sarai.Game) -> Iterator[Part]:
    """The last pieces of Shuanglu and backgammon."""
    rng = np.random.default_rng(SEED)
    line = "roll player=0 turn=60 dice=- winner=- points_won=0 | {} | {}"
    bear_off = sarai.exact.solve_bear_off(game, 6)

    def race(pieces: int) -> list[str]:
        return [line.format(*placings(pieces, 6, 2, rng)) for _ in range(2000)]

    def race_moves(state: sarai.State) -> list[Any] | None:
        return bear_off.moves(state) if bear_off.covers(state) else None

    for pieces in (3, 6):
        yield Part(f"bearing off, {pieces} pieces", played(game, race(pieces), MIXED_DICE), race_moves)
    for one, other in ((1, 1), (2, 1)):
        starts = [line.format(*placings(one, 24, 1, rng), *placings(other, 24, 1, rng)) for _ in range(2000)]
        # Two on one point of both sides cannot be: such a start is refused.
        starts = [start for start in starts if _is_position(game, start)]
        solution = sarai.exact.solve_small(game, states=list(map(game.parse, starts)))
        yield Part(f"contact, {one} against {other}", played(game, starts, MIXED_DICE), solution.moves)


def _is_position(game: sarai.Game, text: str) -> bool:
    try:
        game.parse(text)
    except ValueError:
        return False
    return True


def sho(game: sarai.Game) -> Iterator[Part]:
    """The last coins of Sho."""
    rng = np.random.default_rng(SEED)
    line = (
        "roll player=0 turn=60 pool=- value=- moved=- six_three_roll=false winner=- "
        "| hand=0 off={} cleared=false {} | hand=0 off={} cleared=false {}"
    )
    for name, first, last in (("near home", 40, 63), ("whole way", 1, 63)):
        starts = []
        for _ in range(2000):
            a, b, c = sorted(rng.choice(np.arange(first, last + 1), 3, replace=False).tolist())
            two, one = (f"{a}:1 {c}:1", f"{b}:1") if rng.integers(2) else (f"{a}:1 {b}:1", f"{c}:1")
            starts.append(line.format(7, two, 8, one))
        solution = sarai.exact.solve_small(game, states=list(map(game.parse, starts)))
        yield Part(f"2 coins against 1, {name}", played(game, starts, MIXED_DICE), solution.moves)


def tshupu(game: sarai.Game) -> Iterator[Part]:
    """The last pieces of T'shu-p'u."""
    rng = np.random.default_rng(SEED)
    for name, seats, pieces, first in (
        ("1 piece of two players", 2, 1, 1),
        ("2 pieces of two players", 2, 2, 26),
        ("1 piece of four players", 4, 1, 26),
    ):
        starts = []
        for _ in range(500):
            rows = [[33] * 4 for _ in range(4)]
            for row in rows[:seats]:
                row[:pieces] = sorted(rng.integers(first, 33, pieces).tolist())
            own = " | ".join(" ".join(map(str, row)) for row in rows)
            starts.append(f"roll player=0 turn=40 dice=- moved=- winner=- | {own}")
        starts = [start for start in starts if _is_position(game, start)]
        solution = sarai.exact.solve_small(game, states=list(map(game.parse, starts)))
        yield Part(name, played(game, starts, MIXED_DICE), solution.moves)


def ratings(entry: Entry) -> dict[str, float]:
    """The anchors with their ratings; that of "random" is 0."""
    found = sarai.arena(
        entry.game, entry.anchors, RATED_GAMES, seed=SEED, random_plies=entry.random_plies
    ).ratings
    return {name: round(found[name].value - found["random"].value, 1) for name in entry.anchors}


def strata(entry: Entry, path: Path) -> dict[str, list[tuple[str, list[int]]]]:
    """The positions of a game, from the file if it has them."""
    if not path.exists():
        path.write_text(json.dumps({part.name: chosen(part) for part in entry.parts()}))
    found: dict[str, list[tuple[str, list[int]]]] = json.loads(path.read_text())
    return found


def made(entry: Entry, folder: Path) -> dict[str, Any]:
    """A game as the suite has it."""
    print(entry.name, flush=True)
    found = {
        "name": entry.name,
        "game": str(entry.game),
        "random_plies": entry.random_plies,
        "anchors": ratings(entry),
        "strata": strata(entry, folder / f"{entry.name}.json"),
    }
    print(found["anchors"], flush=True)
    return found


def main() -> None:
    """Write the suite."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("shah", type=Path)
    parser.add_argument("morris", type=Path)
    parser.add_argument("parts", type=Path)
    parser.add_argument("--out", type=Path, default=FOLDER / f"{NAME}.json.z")
    given = parser.parse_args()
    shah, morris = sarai.make("shah"), sarai.make("shah(preset=nine_mens_morris)")
    shuanglu, backgammon = sarai.make("shuanglu"), sarai.make("shuanglu(preset=backgammon)")
    two, teams = sarai.make("sho(players=2,pa_ra=none)"), sarai.make("sho(preset=teams,pa_ra=none)")
    table = sarai.make("tshupu")
    dice = ("random", "greedy", "expectimax:1")
    search = ("random", "greedy", "alphabeta:4")
    entries = (
        Entry(
            "shah",
            shah,
            (*search, "alphabeta:4,net=shah"),
            lambda: by_phase(
                shah, given.shah, ["5 to 6 stones", "7 to 8 stones", "9 to 12 stones", *PHASES.values()]
            ),
            6,
        ),
        Entry(
            "nine_mens_morris",
            morris,
            (*search, "alphabeta:3,net=nine_mens_morris"),
            lambda: by_phase(morris, given.morris, ["5 to 6 stones"]),
            6,
        ),
        Entry("shuanglu", shuanglu, (*dice, "net:shuanglu"), lambda: tables_game(shuanglu)),
        Entry("backgammon", backgammon, (*dice, "net:backgammon"), lambda: tables_game(backgammon)),
        Entry("sho", two, (*dice, "net:sho_two_players"), lambda: sho(two)),
        Entry("sho_teams", teams, dice, lambda: sho(teams)),
        Entry("tshupu", table, (*dice, "net:tshupu"), lambda: tshupu(table)),
    )
    given.parts.mkdir(parents=True, exist_ok=True)
    told = [made(entry, given.parts) for entry in entries]
    content = json.dumps(told, separators=(",", ":")).encode()
    given.out.write_bytes(zlib.compress(content, 9))
    print(hashlib.sha256(content).hexdigest(), f"{given.out.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
