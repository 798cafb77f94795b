"""Draw the puzzles of Shah from games and exact tables, and write those of the package.

    python scripts/puzzles.py TABLES        # a folder that `sarai solve shah --stones 9 --out TABLES` fills
    python scripts/puzzles.py TABLES --seed 2 --games 100000 --out puzzles.json

A puzzle is a position in which exactly one turn wins. The positions are from games that agents play from the empty
board, up to a symmetry and the colours, so each can occur in play; they have up to twelve stones. Every value is exact.
Where the tables of the package do not reach, only wins are taken that a search of the package sees to their end, with
the values of the tables.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

import sarai
from sarai._exact.puzzling import FILE, VERSION, PuzzleTurn, ways
from sarai.exact import Tables

PLAYERS = {"random": 1.0, "epsilon:0.3[greedy]": 0.3, "epsilon:0.15[alphabeta:2]": 0.01}
"""Who plays the games, and how many of all."""

BANDS = {1: 2, 3: 8, 5: 11, 7: 14, 9: 14, 11: 13, 15: 11, 21: 8, 31: 6, 99: 3}
"""How many puzzles there are of each length: up to so many turns, and more than the one before."""

FEW = 4
"""The most stones of a side in the tables of the package."""

LONGEST_SEARCH = 13
"""The longest win beyond them."""

MOST_NODES = 3_000_000
"""The most positions that a search of it may look at: two seconds or so."""

LOOKED_AT = 150
"""How many positions of a pair and length are looked at closely."""

LINE = (
    "slide player=0 board={} hand=0,0 beginner=0 opening_removals=0 extra=false "
    "lifted=- no_capture=0 turn=26 winner=-"
)


class Found(NamedTuple):
    """A puzzle before the choice among them."""

    position: str
    pair: tuple[int, int]
    length: int
    line: list[str]
    others: list[PuzzleTurn]
    score: float
    """How well it hides its key."""


def boards(game: sarai.Game, games: int, seed: int, pairs: set[tuple[int, int]]) -> NDArray[np.int64]:
    """Boards of these pairs from games, each once up to symmetry: 1 for the side to move, 2 for the other."""
    symmetries = game.symmetries.action[:, :24]
    power = 3 ** np.arange(24)
    known = np.array([own * 16 + other for own, other in sorted(pairs)])
    found = set[int]()
    for agent, share in PLAYERS.items():
        for first in range(0, int(games * share), 100_000):
            many = min(100_000, int(games * share) - first)
            states = game.sample_states(agent, many, seed=seed, first_game=first)
            seen = states.observation_tensor().astype(np.int64)
            spec = {part["name"]: seen[:, part["slice"]] for part in game.observation_spec}
            own, other = spec["own"], spec["enemy"]
            # The fourth phase is that of slides.
            keep = (spec["phase"][:, 3] == 1) & (spec["extra"][:, 0] == 0)
            keep &= np.isin(own.sum(1) * 16 + other.sum(1), known)
            code = own[keep] + 2 * other[keep]
            smallest = np.min([(code[:, symmetry] * power).sum(1) for symmetry in symmetries], axis=0)
            found.update(smallest.tolist())
    rows = np.array(sorted(found))[:, None] // power % 3
    # The smallest of equal boards all have their stones at the top.
    ways = np.random.default_rng(seed).integers(len(symmetries), size=len(rows))
    return np.take_along_axis(rows, symmetries[ways], axis=1)


def candidates(
    game: sarai.Game, tables: Tables, given: NDArray[np.int64]
) -> Iterator[tuple[sarai.State, tuple[int, int], int]]:
    """The positions in which one turn wins, with their pairs and the lengths of the wins."""
    states = sarai.States.from_states(
        [game.parse(LINE.format("".join(".01"[point] for point in row))) for row in given]
    )
    values, lengths = tables.values(states)
    won = np.nonzero(values == 1)[0]
    after = states[won].afterstates()
    wins = after.states.is_terminal().copy()
    wins[~wins] = tables.values(after.states[~wins])[0] == -1
    # Captures that end the game are one turn, whatever they take.
    first = after.actions[after.action_offsets[:-1]]
    slides = np.unique(np.stack([after.parent[wins], first[wins]]), axis=1)
    several = np.bincount(after.parent[wins & ~after.states.is_terminal()], minlength=len(won)) > 1
    single = (np.bincount(slides[0], minlength=len(won)) == 1) & ~several
    for place in won[single]:
        row = given[place]
        yield (states[int(place)], (int((row == 1).sum()), int((row == 2).sum())), int(lengths[place]))


def line(tables: Tables, state: sarai.State) -> list[str]:
    """The whole turns of both sides with perfect play, of equal ones those with the smallest ids."""
    turns, at = [], state.clone()
    while not at.is_terminal():
        player, names = at.current_player(), []
        while not at.is_terminal() and at.current_player() == player:
            action = tables.moves(at)[0].action
            names.append(at.action_to_string(action))
            at.apply_action(action)
        turns.append(" ".join(names))
    return turns


def score(state: sarai.State, key: list[int], turns: list[str], can_draw: bool) -> float:
    """How well a puzzle hides its key."""
    points = float(can_draw)
    for agent in ("greedy", *(f"alphabeta:{depth}" for depth in range(1, 7))):
        points += sarai.choose(state, agent, seed=0) != key[0]
    quiet = len(key) == 1
    sacrifice = len(turns) > 1 and " x" in turns[1]
    return points + quiet + 2 * sacrifice


def is_played_exactly(state: sarai.State, length: int, tables: Tables) -> bool:
    """Whether the package's own search finds the values of the tables wherever the puzzle may lead.

    A turn of the side that wins has to be one of the quickest, and the other side answers as the search says.
    """
    for turn in ways(state):
        after = turn.state
        if after.is_terminal():
            continue
        true = tables.value(after)
        if true.value != -1 or true.turns is None:
            continue
        passed = after.turns_passed() - state.turns_passed()
        if true.turns + passed > length:
            continue
        left = length - passed
        found = sarai.analyse(after, f"alphabeta:{left}")
        best = found.moves[0]
        if (best.kind, best.value, best.turns) != ("exact", -1, true.turns) or found.nodes > MOST_NODES:
            return False
        at, player = after.clone(), after.current_player()
        while not at.is_terminal() and at.current_player() == player:
            at.apply_action(sarai.choose(at, f"alphabeta:{length}", seed=0))
        left -= at.turns_passed() - after.turns_passed()
        if at.is_terminal() or tables.value(at) != (1, left) or not is_played_exactly(at, left, tables):
            return False
    return True


def look(tables: Tables, state: sarai.State, pair: tuple[int, int], length: int) -> Found | None:
    """Everything about a puzzle; None where there is hardly a choice."""
    turns = line(tables, state)
    key = state.string_to_actions(turns[0])
    others = []
    for turn in ways(state):
        if turn.state.is_terminal() or turn.actions == key:
            continue
        value, left = tables.value(turn.state)
        passed = turn.state.turns_passed() - state.turns_passed()
        others.append(PuzzleTurn(turn.name, -value, None if left is None else left + passed))
    if len(others) < 3:
        return None
    return Found(
        str(state),
        pair,
        length,
        turns,
        others,
        score(state, key, turns, any(turn.value == 0 for turn in others)),
    )


def spread(found: list[Found], count: int, tables: Tables) -> list[Found]:
    """So many of them: from easy to hard where wins are short, and else of the harder ones."""
    found = sorted(found, key=lambda one: (one.score, one.position))
    if found and max(found[0].pair) > FEW:
        exact = (
            one
            for one in found[::-1]
            if is_played_exactly(tables.game.parse(one.position), one.length, tables)
        )
        return list(islice(exact, count))
    if found and found[0].length > 5:
        found = found[min(len(found) * 2 // 3, max(0, len(found) - count)) :]
    places = np.linspace(0, len(found) - 1, min(count, len(found))).round().astype(int)
    return [found[place] for place in places]


def main() -> None:
    """Write the puzzles."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("tables", type=Path)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--games", type=int, default=600_000, help="How many random games; others in proportion."
    )
    parser.add_argument("--out", type=Path, default=FILE)
    given = parser.parse_args()
    game = sarai.make("shah")
    tables = sarai.exact.load(game, given.tables, check=False)
    there = {(row.own, row.other) for row in tables.summary()}
    pairs = {(own, other) for own, other in there if (other, own) in there and own + other <= 12}
    cells: dict[tuple[int, tuple[int, int]], list[sarai.State]] = {}
    lengths: dict[str, int] = {}
    for state, pair, length in candidates(game, tables, boards(game, given.games, given.seed, pairs)):
        if max(pair) <= FEW or length <= LONGEST_SEARCH:
            band = next(band for band in BANDS if length <= band)
            cells.setdefault((band, pair), []).append(state)
            lengths[str(state)] = length
    chosen: list[Found] = []
    missing = 0
    # What there is too little of, there is more of among shorter wins.
    for band, count in reversed(BANDS.items()):
        count += missing
        found = {}
        for pair in sorted(pair for of, pair in cells if of == band):
            states = cells[band, pair]
            # They are in the order of their boards, which are alike where they are near.
            states = states[:: max(1, len(states) // LOOKED_AT)][:LOOKED_AT]
            looked = (look(tables, state, pair, lengths[str(state)]) for state in states)
            found[pair] = [one for one in looked if one is not None]
            print(f"up to {band} turns, {pair[0]}-{pair[1]}: {len(cells[band, pair])} positions", flush=True)
        share = dict.fromkeys(found, 0)
        # As even as there are puzzles.
        for _ in range(count):
            open_pairs = [pair for pair in share if share[pair] < len(found[pair])]
            if open_pairs:
                share[min(open_pairs, key=lambda pair: share[pair])] += 1
        before = len(chosen)
        for pair, several in share.items():
            chosen += spread(found[pair], several, tables)
        missing = count - (len(chosen) - before)
    chosen.sort(key=lambda one: (one.length, one.score, sum(one.pair), one.position))
    puzzles = []
    for one in chosen:
        draws = [turn.name for turn in one.others if turn.value == 0]
        loses: dict[str, list[str]] = {}
        for turn in one.others:
            if turn.value < 0:
                loses.setdefault(str(turn.turns), []).append(turn.name)
        entry: dict[str, Any] = {
            "position": one.position,
            "length": one.length,
            "line": one.line,
            "draws": draws,
            "loses": dict(sorted(loses.items(), key=lambda item: -int(item[0]))),
        }
        puzzles.append(json.dumps(entry, separators=(",", ":")))
    lines = ",\n".join(puzzles)
    text = f'{{"version":{VERSION},"game":"shah","puzzles":[\n{lines}\n]}}\n'
    given.out.write_text(text, encoding="utf-8")
    print(f"{given.out}: {len(puzzles)} puzzles, {len(text):,} bytes")


if __name__ == "__main__":
    main()
