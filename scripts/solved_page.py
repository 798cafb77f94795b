"""Write docs/solved.md and docs/solved.svg from a folder of tables of Shah: how far it is solved, and the longest win.

    python scripts/solved_page.py TABLES                  # a folder that `sarai solve shah --out TABLES` fills
    python scripts/solved_page.py TABLES --sample 1000    # also checks every thousandth position, and says so

Everything on the page comes from the tables but for the text around it, and, where they are given, --hours and
--machine: what making the tables took. The page says how many of all tables there are, so it can be written while
they are still being made.
"""

from __future__ import annotations

import argparse
import textwrap
from pathlib import Path

import sarai
from sarai.exact import Tables, TableSummary, verify

ROOT = Path(__file__).resolve().parent.parent
LEAST, MOST = 3, 11
ALL = (MOST - LEAST + 1) ** 2

PAGE = """\
# Shah solved so far

This page is written by `scripts/solved_page.py` from a folder of tables.

**{count} of the {all} tables of the moving phase are solved**: {positions} positions, of which the side to move
wins {won}, loses {lost} and draws {drawn}.

{missing}

A position belongs to the table of its stones: first those of the side to move, then those of the other. A side that
has come down to two stones has lost. The rules are those of Shah as it is played by default; of the options, the
values depend on `mill_protection`, `flying` and `blocked` alone ([rules](games/shah.md)).

## How many positions are won

Positions that a symmetry of the board makes equal are counted each. The longest win is in turns of both sides
together, when the winner hurries and the loser delays.

{table}

## The longest win

{longest}

![The longest win, move by move](solved.svg)

The whole line, which `sarai replay` reads back:

```text
{record}
```

## How it was done

By retrograde analysis, pair by pair of stone counts, from few stones to many: [exact play](exact.md) explains the
numbering, the passes and the files, and why the outcome is right.

## Verification

{verified}

In the tests an independent slow solver in Python finds the same values of all positions of 3 against 3, and another
in Rust. Perfect play by the tables wins every decided position that is tried there in exactly
the promised number of turns against itself, and never later against any other agent.

## How to reproduce it

    sarai solve shah --stones 11 --out tables
    sarai solve shah --verify --sample 1000 --out tables
    python scripts/solved_page.py tables

A solve that is stopped goes on with the tables that are missing. {took}The {count} files here take {bytes}
together.

The SHA-256 of each table: of its values and turns in the order of its places, two bytes each. They do not depend on
the machine, the number of threads or the compression.

{digests}

## What is not claimed

- Nothing is said of the placing phase: who wins from the empty board is open.
- Nothing is said of the tables that are missing above.
- A position is drawn here if neither side can force a win, however long it takes. The clock of a game,
  `no_capture_limit` and `max_turns`, is no part of it: under a limit, a win that takes too long ends as a draw.
- The rules of Shah are as the [rule book](games/shah.md) reads the sources. Where they leave something open, the
  tables are of the reading that the options name.
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
        f"{row.own} stones against {row.other}, and {most} turns to the end when both sides play their best. Where\n"
        "several moves are equally good, this is the one with the smallest number."
    )
    return said, sarai.Record.from_steps(state, steps, agents=["perfect", "perfect"])


def missing(summary: list[TableSummary]) -> str:
    """What is missing of the tables."""
    there = {(row.own, row.other) for row in summary}
    pairs = [(own, other) for own in range(LEAST, MOST + 1) for other in range(LEAST, own + 1)]
    left = [f"{own}-{other}" for own, other in pairs if not {(own, other), (other, own)} <= there]
    if not left:
        return "That is all of the moving phase."
    return textwrap.fill(
        f"Missing are, with the turned pairs: {', '.join(left)}.", 116, break_on_hyphens=False
    )


def block(text: str) -> str:
    """Text as Markdown shows it unchanged."""
    return "\n".join(f"    {line}".rstrip() for line in text.splitlines())


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
        verified += f"For this page it looked at {looked}, and found no difference."
    files = sorted(given.tables.glob("shah-*.exact"))
    page = PAGE.format(
        count=len(summary),
        all=ALL,
        positions=f"{positions:,}",
        won=share(sum(row.won for row in summary), positions),
        lost=share(sum(row.lost for row in summary), positions),
        drawn=share(sum(row.drawn for row in summary), positions),
        missing=missing(summary),
        table=rows(summary),
        longest=said,
        record=record.to_text().rstrip(),
        verified=verified.strip(),
        took="" if given.hours is None else f"Making them took {given.hours:.1f} hours on {given.machine}. ",
        bytes=f"{sum(file.stat().st_size for file in files) / 1e9:.2f} GB",
        digests=block("\n".join(f"{row.own}-{row.other} {row.digest}" for row in summary)),
    )
    (given.out / "solved.md").write_text(page, encoding="utf-8")
    (given.out / "solved.svg").write_text(record.animate(by_turn=True, size=360), encoding="utf-8")
    print(f"{given.out / 'solved.md'}: {len(summary)} of {ALL} tables, the longest win {len(record)} actions")


if __name__ == "__main__":
    main()
