"""Solve Shah under every reading of a disputed rule, and print a table of what each changes.

    python scripts/readings.py --stones 3 4 5 6 7 --out readings
    python scripts/readings.py --stones 9 10 11 12 --readings default --out readings    # four hours of a processor

Every rule book is the default with one option changed; only with all twelve stones are stones removed before the moving
phase, and not if placements capture. A line for each is written to OUT/readings.jsonl, with a digest of its tables.
These are in OUT/tables until the next reading needs others: rule books that agree in the moving phase share its tables,
and those of the default (`sarai solve shah --all`) may be put there before. A run that was stopped goes on after the
last line.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import shutil
import time
from pathlib import Path
from typing import Any

import sarai
from sarai import _core

READINGS: dict[str, dict[str, Any]] = {
    "default": {},
    'begin="first_player"': {"begin": "first_player"},
    "placement_captures": {"placement_captures": True},
    'mill_protection="unless_all_in_mills"': {"mill_protection": "unless_all_in_mills"},
    "flying": {"flying": True},
    'blocked="loses"': {"blocked": "loses"},
}
"""Those that share the tables of the moving phase one after another."""
MOVING = {"mill_protection", "flying", "blocked"}
"""What the tables of the moving phase depend on."""
VERDICTS = {1: "first player, {} turns", 0: "draw", -1: "second player, {} turns"}


def solved(stones: int, options: dict[str, Any], folder: Path) -> dict[str, Any]:
    """What the tables of a rule book say."""
    has_removals = stones == 12 and "placement_captures" not in options
    removals = "both" if has_removals else "none"
    game = sarai.make("shah", pieces=stones, opening_removals=removals, **options)
    most = stones - has_removals
    begun, processor = time.monotonic(), time.process_time()
    sarai.exact.solve(game, (most, most), folder, progress=False)
    tables = sarai.exact.solve(game, None, folder, placing=True, progress=False)
    start = game.new_initial_state()
    value, moves = tables.value(start), tables.moves(start)
    summary = list(tables.summary())
    positions = sum(table.positions for table in summary)
    layers = json.loads(_core.exact_layers_summary_json(game, str(folder)))
    digests = [table.digest for table in summary] + [row["digest"] for row in layers]
    return {
        "game": str(game),
        "value": value.value,
        "turns": value.turns,
        "keep": sum(move.value == value.value for move in moves),
        "longest_win": max(table.longest_win or 0 for table in summary),
        "drawn": sum(table.drawn for table in summary) / positions,
        "positions": positions,
        "seconds": round(time.monotonic() - begun),
        "processor_seconds": round(time.process_time() - processor),
        "sha256": hashlib.sha256("".join(digests).encode()).hexdigest(),
    }


def main() -> None:
    """Solve what is missing, and print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--stones", type=int, nargs="+", default=[3, 4, 5], choices=range(3, 13))
    parser.add_argument(
        "--out", type=Path, required=True, help="the folder of results, and of tables meanwhile"
    )
    parser.add_argument("--readings", nargs="+", default=[*READINGS], choices=READINGS)
    given = parser.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    kept = given.out / "readings.jsonl"
    lines = [json.loads(line) for line in kept.read_text().splitlines()] if kept.exists() else []
    found = {(line["stones"], line["reading"]): line for line in lines}
    for stones in given.stones:
        for reading in given.readings:
            options = READINGS[reading]
            if (stones, reading) in found:
                continue
            folder, of = given.out / "tables", given.out / "tables.txt"
            moving = " ".join(set(options) & MOVING) or "default"
            if of.exists() and of.read_text() != moving:
                shutil.rmtree(folder, ignore_errors=True)
            of.write_text(moving)
            for path in folder.glob("*-turn-*"):
                path.unlink()
            line = {"stones": stones, "reading": reading, **solved(stones, options, folder)}
            with kept.open("a") as file:
                print(json.dumps(line), file=file)
            found[stones, reading] = line
    print("| stones | reading | who wins | first placements that keep it | longest win | drawn | processor |")
    print("| ---: | --- | --- | ---: | ---: | ---: | ---: |")
    for (stones, reading), line in sorted(found.items(), key=lambda item: item[0][0]):
        verdict = VERDICTS[line["value"]].format(line["turns"])
        print(
            f"| {stones} | {reading} | {verdict} | {line['keep']} of 24 | {line['longest_win']} "
            f"| {line['drawn']:.2%} | {line['processor_seconds']:,} s |"
        )


if __name__ == "__main__":
    main()
