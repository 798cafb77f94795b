"""Write docs/nine_mens_morris.md from a folder of tables of nine men's morris: our results beside those of others.

    python scripts/nine_mens_morris_page.py TABLES --sample 1000

TABLES is what `sarai solve "shah(preset=nine_mens_morris)" --all --out TABLES` fills, and then the same with
`--placing`.
The numbers of boards are those that `tests/engine/nine_mens_counts.rs` counts; all else comes from the tables.
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
from solved_page import ROOT, WINNERS, digests, firsts, layer_rows, rows, share

LEAST, MOST = 3, 9

COUNTS = {
    "3-3": (56_922, 56_922), "4-3": (1_520_796, 1_520_796), "4-4": (3_225_597, 3_225_597),
    "5-3": (5_160_780, 5_160_780), "5-4": (20_620_992, 20_620_992), "5-5": (30_914_424, 30_914_424),
    "6-3": (13_750_640, 13_750_640), "6-4": (51_531_584, 51_531_584), "6-5": (144_232_144, 144_232_144),
    "6-6": (156_229_360, 156_229_360), "7-3": (29_451_376, 29_451_376), "7-4": (103_033_056, 103_033_056),
    "7-5": (267_821_792, 267_821_792), "7-6": (535_586_576, 535_586_576), "7-7": (420_793_096, 420_793_096),
    "8-3": (51_527_672, 51_527_672), "8-4": (167_411_596, 167_411_596), "8-5": (401_705_976, 401_705_976),
    "8-6": (736_411_032, 735_881_740), "8-7": (1_051_958_800, 1_046_697_920), "8-8": (591_726_690, 568_867_453),
    "9-3": (74_418_456, 73_827_320), "9-4": (223_195_224, 216_131_860), "9-5": (490_958_496, 452_410_480),
    "9-6": (818_213_480, 692_192_560), "9-7": (1_051_958_800, 778_332_176), "9-8": (1_051_958_800, 608_860_826),
    "9-9": (409_106_740, 95_978_501),
}  # fmt: skip
"""For each pair of stone counts the boards up to symmetry, and those that play can reach, as Takeda and Hoki have."""

PAGE = """\
# Nine men's morris, against the literature

Nine men's morris is a relative of Shah, the preset `nine_mens_morris`, and the [solver of Shah](exact.md) solves it
as it is. Others have solved it before, so it shows whether our numbers can be trusted.

{value}

## Ours and theirs

| | ours | theirs |
| --- | --- | --- |
{compared}

## The number of positions

Counts are up to the sixteen symmetries of the board, for 3 against 3 up to the 48 of a board on which both sides
fly; both orders of a pair are added.

| stones | boards | reachable | Takeda and Hoki |
| --- | ---: | ---: | ---: |
{counts}

The boards are counted by Burnside's lemma. What can be reached follows from one sentence: a move that closes mills
captures one stone, and closes one mill, or two that cross where it ends. So a side that has captured k stones has
on the board at most the mills of k such moves; with nine stones against nine, nobody has made a mill. Every count
is met to the unit, so we take it that this is also their rule. `tests/engine/nine_mens_counts.rs` repeats all of
these counts. The tables have the boards that cannot be reached too.

## The values of the moving phase

Symmetric positions are counted separately, as in the [tables of Shah](solved.md). Won, lost and drawn are from the
view of the side to move, which has the `own` stones; the longest win is in turns, counting both sides.

{table}

{verified}

{before}## How to reproduce it

    sarai solve "shah(preset=nine_mens_morris)" --all --out tables
    sarai solve "shah(preset=nine_mens_morris)" --placing --out tables
    sarai solve "shah(preset=nine_mens_morris)" --verify --sample 1000 --out tables
    python scripts/nine_mens_morris_page.py tables

{took}

Gasser's and Gévay and Danner's articles are in the [bibliography](bibliography.md).

## Digests

The SHA-256 of each table covers its values and turns in the order of its places, two bytes each. It does not depend
on the machine, the number of threads or the compression.

{digests}
"""

BEFORE = """\
## The turns before the moving phase

Positions are grouped by the turns that have passed. Won, lost and drawn are from the view of the side to act.

{table}

"""


def opening(tables: Tables, start: sarai.State, layers: list[dict[str, Any]]) -> str:
    """What is said of the first placements."""
    if tables.value(start).value:
        return firsts(tables, start)
    decided = next(row for row in layers if row["summary"]["drawn"] < row["summary"]["positions"])
    summary = decided["summary"]
    return (
        f"The first placement that can be a mistake is number {decided['layer']}: it loses in "
        f"{summary['won']:,} of {summary['positions']:,} positions."
    )


def compared(
    summary: list[TableSummary], layers: list[dict[str, Any]], value: int | None
) -> list[tuple[str, str, str]]:
    """What others have found too."""
    positions = sum(row.positions for row in summary)
    won = sum(row.won for row in summary)
    found = [
        (
            "positions of the moving phase, up to symmetry",
            "8,904,480,897 boards, of which 7,673,755,215 can be reached",
            "7,673,759,269 (Gasser 1996); 7,673,755,215 (Takeda and Hoki, in 2020)",
        ),
        ("pairs of stone counts with the same number of positions", "28 of 28", "those of Takeda and Hoki"),
        (
            "won by the side to move",
            f"{won / positions:.2%} of all positions of the moving phase",
            "46.55% (Stahlhacke; we do not know of which positions)",
        ),
    ]
    if layers:
        places = sarai.exact.plan(sarai.make("shah", preset="nine_mens_morris"), placing=True).places
        theirs = "17,874,891,168 states (2026)"
        found.insert(
            1, ("the turns before it", f"{places:,} places of tables; symmetric boards have several", theirs)
        )
    if value is not None:
        game = "a draw" if value == 0 else WINNERS[value]
        found.insert(0, ("the empty board", game, "a draw (Gasser 1996; Gévay and Danner 2014)"))
    return found


def main() -> None:
    """Write the page."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("tables", type=Path)
    parser.add_argument("--sample", type=int, help="Check every so many'th position.")
    parser.add_argument("--took", default="", help="What making the tables took, as a sentence.")
    parser.add_argument("--out", type=Path, default=ROOT / "docs", help="The folder of the page.")
    given = parser.parse_args()
    game = sarai.make("shah", preset="nine_mens_morris", no_capture_limit=0, max_turns=10_000)
    tables = sarai.exact.load(game, given.tables, check=False)
    assert isinstance(tables, Tables)
    summary = list(tables.summary())
    layers = json.loads(_core.exact_layers_summary_json(game, str(given.tables)))
    assert len(summary) == (MOST - LEAST + 1) ** 2, f"{len(summary)} tables of the moving phase"
    value, before, empty = "", "", None
    if layers and layers[0]["layer"] == 0:
        start = game.new_initial_state()
        empty = tables.value(start).value
        value = textwrap.fill(
            f"**From the empty board, {WINNERS[empty]}**, as others have found. {opening(tables, start, layers)}",
            116,
        )
        before = BEFORE.format(table=layer_rows(layers))
    positions = sum(row.positions for row in summary)
    most = max(summary, key=lambda row: row.longest_win)
    said = ", ".join(
        f"{share(sum(getattr(row, name) for row in summary), positions)} are {name}"
        for name in ("won", "lost", "drawn")
    )
    verified = textwrap.fill(
        f"Of {positions:,} positions, {said}. The longest win takes {most.longest_win} turns, with {most.own} stones "
        f"against {most.other}.",
        116,
    )
    if given.sample is not None:
        found = verify(given.tables, sample=given.sample)
        if found.wrong:
            raise SystemExit(f"{found.wrong:,} positions are wrong, the first: {found.first}")
        verified += "\n\n" + textwrap.fill(
            f"For this page, one place in {given.sample:,} was compared with the best of its moves by the rules of the "
            f"game, {found.positions:,} in all, without a difference. All places up to 6 against 6 were compared too.",
            116,
        )
    totals = [sum(column) for column in zip(*COUNTS.values(), strict=True)]
    counted = [*COUNTS.items(), ("all", totals)]
    files = sorted(given.tables.glob("shah-*.exact"))
    took = (
        f"{given.took} The {len(files)} files take {sum(file.stat().st_size for file in files) / 1e9:.2f} GB."
    )
    page = PAGE.format(
        value=value,
        compared="\n".join(f"| {' | '.join(row)} |" for row in compared(summary, layers, empty)),
        counts="\n".join(f"| {pair} | {all_:,} | {met:,} | {met:,} |" for pair, (all_, met) in counted),
        table=rows(summary),
        verified=verified,
        before=before,
        took=textwrap.fill(took.strip(), 116),
        digests=digests(summary, layers),
    )
    (given.out / "nine_mens_morris.md").write_text(page, encoding="utf-8")
    print(given.out / "nine_mens_morris.md")


if __name__ == "__main__":
    main()
