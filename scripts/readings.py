"""Solve small Shah under every reading of a disputed rule, and print a table of what each changes.

    python scripts/readings.py --stones 3 4 5 6 7 --out readings

Every rule book is the default with one option changed; with fewer than twelve stones nothing is removed before the
moving phase. Its tables are deleted once its line is written to OUT/readings.jsonl, with a digest of their bytes. A
run that was stopped goes on after the last line.
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

READINGS: dict[str, dict[str, Any]] = {
    "default": {},
    'mill_protection="unless_all_in_mills"': {"mill_protection": "unless_all_in_mills"},
    "flying": {"flying": True},
    'blocked="loses"': {"blocked": "loses"},
    'begin="first_player"': {"begin": "first_player"},
    "placement_captures": {"placement_captures": True},
}
VERDICTS = {1: "first player, {} turns", 0: "draw", -1: "second player, {} turns"}


def solved(stones: int, options: dict[str, Any], folder: Path) -> dict[str, Any]:
    """What the tables of a rule book say."""
    game = sarai.make("shah", pieces=stones, opening_removals="none", **options)
    begun = time.process_time()
    sarai.exact.solve(game, (stones, stones), folder, progress=False)
    tables = sarai.exact.solve(game, None, folder, placing=True, progress=False)
    spent = time.process_time() - begun
    start = game.new_initial_state()
    value = tables.value(start)
    summary = list(tables.summary())
    positions = sum(table.positions for table in summary)
    digest = hashlib.sha256()
    for path in sorted(folder.glob("*.exact")):
        digest.update(hashlib.sha256(path.read_bytes()).digest())
    return {
        "game": str(game),
        "value": value.value,
        "turns": value.turns,
        "keep": sum(move.value == value.value for move in tables.moves(start)),
        "longest_win": max(table.longest_win or 0 for table in summary),
        "drawn": sum(table.drawn for table in summary) / positions,
        "positions": positions,
        "processor_seconds": round(spent),
        "sha256": digest.hexdigest(),
    }


def main() -> None:
    """Solve what is missing, and print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--stones", type=int, nargs="+", default=[3, 4, 5], choices=range(3, 12))
    parser.add_argument(
        "--out", type=Path, required=True, help="the folder of results, and of tables meanwhile"
    )
    given = parser.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    kept = given.out / "readings.jsonl"
    lines = [json.loads(line) for line in kept.read_text().splitlines()] if kept.exists() else []
    found = {(line["stones"], line["reading"]): line for line in lines}
    for stones in given.stones:
        for reading, options in READINGS.items():
            if (stones, reading) in found:
                continue
            folder = given.out / "tables"
            line = {"stones": stones, "reading": reading, **solved(stones, options, folder)}
            shutil.rmtree(folder)
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
