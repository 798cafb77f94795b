"""Write docs/solved.md and its pictures from a folder of tables of Shah: how far it is solved, and the longest wins.

    python scripts/solved_page.py TABLES                  # a folder that `sarai solve shah --out TABLES` fills
    python scripts/solved_page.py TABLES --sample 1000    # also checks every thousandth position, and says so

Everything on the page comes from the tables but for the text around it, and, where they are given, --hours and
--machine: what making the tables took. The page says how many of all tables there are, so it can be written while
they are still being made. Once the turns before the moving phase are solved too, it says who wins Shah.
"""

from __future__ import annotations

import argparse
import json
import textwrap
from pathlib import Path
from typing import Any

import sarai
from sarai import _core
from sarai.exact import Tables, TableSummary, verify

ROOT = Path(__file__).resolve().parent.parent
LEAST, MOST = 3, 11
ALL = (MOST - LEAST + 1) ** 2

PAGE = """\
# {title}

{value}## What is claimed

**{count} tables of the moving phase are solved**: {positions} positions, of which the side to move
wins {won}, loses {lost}
and draws {drawn}. {missing}

{open}- A position is drawn here if neither side can force a win, however long it takes. Tables ignore the move
  limits `no_capture_limit` and `max_turns`: under a limit, a win that takes too long ends as a draw.
- The rules of Shah are as the [rule book](games/shah.md) reads the sources. Where the sources leave something open, the
  tables follow the reading that the options name. Of the options, only `mill_protection`, `flying` and `blocked` affect
  the values of the moving phase.

{privilege}## The longest win

{longest}

![The longest win, move by move](solved.svg)

## How it was done

By retrograde analysis, pair by pair of stone counts, from few stones to many: [exact play](exact.md) explains the
numbering, the passes and the files, and why the result is right.

## Verification

{verified}

In the tests, two independent slow solvers, in Python and in Rust, find the same values for all positions of 3 against
3. Perfect play by the tables wins every decided position tested there in exactly the tabulated number of turns against
itself, and never later against any other agent.

## How to reproduce it

    sarai solve shah --stones 11 --out tables
    sarai solve shah --placing --out tables
    sarai solve shah --verify --sample 1000 --out tables
    python scripts/solved_page.py tables

If a solve is stopped, run it again to make the missing tables. {took}
The {files} files here take {bytes} together. The last command writes this page.

## The tables

### The moving phase

Tables are named by their numbers of stones: first those of the side to move, then those of the other. A side with only
two stones has lost. Symmetric positions are counted separately. The longest win is in turns, counting both sides.

{table}

{placing}### The longest win, move by move

As `sarai replay` reads it:

```text
{record}
```

### Digests

The SHA-256 of each table covers its values and turns in the order of its places, two bytes each. It does not depend on
the machine, the number of threads or the compression.

{digests}
"""


def share(part: int, whole: int) -> str:
    """A part in percent."""
    return f"{part:,} ({part / whole:.1%})"


def rows(summary: list[TableSummary]) -> str:
    """The table of all tables."""
    lines = ["| own | other | positions | won | lost | drawn | longest win |", "| ---: " * 7 + "|"]
    for row in summary:
        cells = row.own, row.other, row.positions, row.won, row.lost, row.drawn, row.longest_win
        lines.append("| " + " | ".join(f"{cell:,}" for cell in cells) + " |")
    return "\n".join(lines)


def layer_rows(layers: list[dict[str, Any]]) -> str:
    """The table of the turns before the moving phase."""
    lines = ["| turns | own | other | positions | won | lost | drawn | longest win |", "| ---: " * 8 + "|"]
    names = ("positions", "won", "lost", "drawn", "longest_win")
    for row in layers:
        cells = row["layer"], *row["pair"], *(row["summary"][name] for name in names)
        lines.append("| " + " | ".join(f"{cell:,}" for cell in cells) + " |")
    return "\n".join(lines)


def digests(summary: list[TableSummary], layers: list[dict[str, Any]]) -> str:
    """The digests of all tables, as Markdown shows them unchanged."""
    lines = [f"{row.own}-{row.other} {row.digest}" for row in summary]
    lines += [f"turn {row['layer']}, {'-'.join(map(str, row['pair']))} {row['digest']}" for row in layers]
    return "\n".join(f"    {line}" for line in lines)


def longest(tables: Tables, summary: list[TableSummary]) -> tuple[str, sarai.Record]:
    """What is said of the longest win, and its game."""
    most = max(row.longest_win for row in summary)
    row = next(row for row in summary if row.longest_win == most)
    state = tables.longest_win((row.own, row.other))
    steps, at = [], state.clone()
    while not at.is_terminal():
        steps.append(tables.moves(at)[0].action)
        at.apply_action(steps[-1])
    said = (
        f"{row.own} stones against {row.other}, and {most} turns to the end with perfect play by both sides. Among\n"
        "equally good moves, the line takes the one with the smallest id."
    )
    return said, sarai.Record.from_steps(state, steps, agents=["perfect", "perfect"])


def missing(summary: list[TableSummary]) -> str:
    """What is missing of the tables."""
    there = {(row.own, row.other) for row in summary}
    pairs = [(own, other) for own in range(LEAST, MOST + 1) for other in range(LEAST, own + 1)]
    left = [f"{own}-{other}" for own, other in pairs if not {(own, other), (other, own)} <= there]
    if not left:
        return "The moving phase is solved completely."
    return textwrap.fill(f"Missing, with the mirrored pairs: {', '.join(left)}.", 116, break_on_hyphens=False)


WINNERS = {1: "the first player wins", 0: "neither player can force a win", -1: "the second player wins"}

VALUE = """\
**Shah is solved: from the empty board, {winner}{turns}.** {line} {firsts}{limits}

![A whole game with perfect play, move by move](solved_game.svg)

[The openings](openings.md) have a page of their own.

"""

PRIVILEGE = """\
## Does the right to begin decide?

The privileged side begins the moving phase, and acts first after the last placement: the side that made the first mill,
or, if there is no mill, the side that placed last. Of all {boards} boards that 24 stones can make, it wins
{won}, loses {lost} and draws {drawn}. So the privilege is worth
much, but does not decide: in the game above, the {privileged} player has it, and {outcome}.

"""

PLACING = """\
### The turns before the moving phase

Positions are grouped by the turns that have passed: placements up to turn {full}, then a removal for each side. Won,
lost and drawn are from the view of the side to act. If either side may begin the moving phase from the same stones, the
position is counted twice.

{table}

### The game with perfect play

```text
{record}
```

"""


def firsts(tables: Tables, empty: sarai.State) -> str:
    """What is said of the first placements: those that a symmetry makes equal have the same value."""
    moves = tables.moves(empty)
    ways: dict[int, list[str]] = {}
    for value, turns in dict.fromkeys((move.value, move.turns) for move in moves):
        names = [
            empty.action_to_string(move.action)
            for move in moves
            if (move.value, move.turns) == (value, turns)
        ]
        end = "" if turns is None else f"in {turns} turns "
        ways.setdefault(value, []).append(f"{end}after {', '.join(names[:-1])} or {names[-1]}")
    parts = [f"{WINNERS[value]} {', '.join(after)}" for value, after in ways.items()]
    best = moves[0].value
    keep = sum(move.value == best for move in moves)
    how_many = "All" if keep == len(moves) else f"{keep} of the"
    return f"{how_many} {len(moves)} first placements keep that result: {'; '.join(parts)}."


def perfect_game(tables: Tables, empty: sarai.State) -> sarai.Record:
    """A game in which both sides play their best, to its end, or where that is a draw until a position comes again."""
    steps: list[int] = []
    at, seen = empty.clone(), set[str]()
    # What stands before the clock.
    while not at.is_terminal() and (position := str(at).partition(" no_capture=")[0]) not in seen:
        seen.add(position)
        steps.append(tables.moves(at)[0].action)
        at.apply_action(steps[-1])
    return sarai.Record.from_steps(empty, steps, agents=["perfect", "perfect"])


def placing(
    game: sarai.Game, tables: Tables, layers: list[dict[str, Any]]
) -> tuple[str, str, str, sarai.Record]:
    """What is said of the value of the game, of the privilege, and of the turns before the moving phase; and a game."""
    empty = game.new_initial_state()
    found = tables.value(empty)
    usual = sarai.make("shah").rules
    limits = ""
    if found.turns is not None and found.turns <= min(usual["no_capture_limit"], usual["max_turns"]):
        limits = " This is before any limit of the default rules ends the game, so it holds under them too."
    full = 2 * game.rules["pieces"]
    ended = next(row["summary"] for row in layers if row["layer"] == full)
    record = perfect_game(tables, empty)
    privileged = next(state.current_player() for state in record.states() if state.turns_passed() == full)
    line = (
        "With perfect play, the winner takes the shortest win, and the loser delays it; among equally good moves, the "
        "game below takes the one with the smallest id."
        if found.turns
        else "Both sides keep the draw. The game is shown until a position repeats."
    )
    value = VALUE.format(
        winner=WINNERS[found.value],
        turns="" if found.turns is None else f" in {found.turns} turns, counting both sides",
        line=line,
        firsts=firsts(tables, empty),
        limits=limits,
    )
    value = "\n\n".join(textwrap.fill(part, 116) for part in value.strip().split("\n\n")) + "\n\n"
    privilege = PRIVILEGE.format(
        boards=f"{ended['positions']:,}",
        **{name: share(ended[name], ended["positions"]) for name in ("won", "lost", "drawn")},
        privileged=("first", "second")[privileged],
        outcome="wins" if record.winner == privileged else "loses" if found.value else "draws",
    )
    said = PLACING.format(full=full, table=layer_rows(layers), record=record.to_text().rstrip())
    return value, privilege, said, record


def main() -> None:
    """Write the page and the picture."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("tables", type=Path)
    parser.add_argument("--sample", type=int, help="Check every so many'th position.")
    parser.add_argument("--hours", type=float, help="How many hours of the processor making the tables took.")
    parser.add_argument("--machine", default="one processor core", help="On what.")
    parser.add_argument("--out", type=Path, default=ROOT / "docs", help="The folder of the page.")
    given = parser.parse_args()
    # Without a limit of turns that the longest line could reach.
    game = sarai.make("shah", no_capture_limit=0, max_turns=10_000)
    tables = sarai.exact.load(game, given.tables, check=False)
    summary = list(tables.summary())
    said, record = longest(tables, summary)
    positions = sum(row.positions for row in summary)
    verified = (
        "`sarai solve --verify` compares every position, or a sample, with the best of its moves by the rules of the\n"
        "game itself. "
    )
    if given.sample is not None:
        found = verify(given.tables, sample=given.sample)
        if found.wrong:
            raise SystemExit(f"{found.wrong:,} positions are wrong, the first: {found.first}")
        looked = f"one place in {given.sample:,}, {found.positions:,} in all"
        verified += f"For this page it checked {looked}, and found no difference."
    files = sorted(given.tables.glob("shah-*.exact"))
    layers = json.loads(_core.exact_layers_summary_json(game, str(given.tables)))
    whole = None
    value, privilege, before = "", "", ""
    left = ["- Nothing is said of the tables that are missing above."] if len(summary) < ALL else []
    if layers and layers[0]["layer"] == 0:
        value, privilege, before, whole = placing(game, tables, layers)
    else:
        left.insert(0, "- Nothing is said of the placing phase: who wins from the empty board is open.")
    page = PAGE.format(
        title="Shah, solved" if whole is not None and len(summary) == ALL else "Shah solved so far",
        value=value,
        privilege=privilege,
        placing=before,
        open="".join(f"{line}\n" for line in left),
        count=f"All {ALL}" if len(summary) == ALL else f"{len(summary)} of the {ALL}",
        positions=f"{positions:,}",
        won=share(sum(row.won for row in summary), positions),
        lost=share(sum(row.lost for row in summary), positions),
        drawn=share(sum(row.drawn for row in summary), positions),
        missing=missing(summary),
        table=rows(summary),
        longest=said,
        record=record.to_text().rstrip(),
        verified=verified.strip(),
        took=""
        if given.hours is None
        else f"Making them took about {given.hours:.1f} hours of {given.machine}.",
        bytes=f"{sum(file.stat().st_size for file in files) / 1e9:.2f} GB",
        files=len(files),
        digests=digests(summary, layers),
    )
    (given.out / "solved.md").write_text(page, encoding="utf-8")
    (given.out / "solved.svg").write_text(record.animate(by_turn=True, size=360), encoding="utf-8")
    if whole is not None:
        (given.out / "solved_game.svg").write_text(whole.animate(by_turn=True, size=360), encoding="utf-8")
    print(f"{given.out / 'solved.md'}: {len(summary)} of {ALL} tables, the longest win {len(record)} actions")


if __name__ == "__main__":
    main()
