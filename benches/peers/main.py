"""`make bench-peers`: our engine and other people's in one run, one thread each, as one table of ratios.

    python benches/peers/main.py target/peers/release/sarai-peers --rounds 7 --only backgammon

Another engine is another module with `rows()` and `NOTES`, added in `main`.
"""

from __future__ import annotations

import argparse
import platform
from importlib import import_module
from pathlib import Path

import rust_rows
import sarai
import step_rows
from table import Row, cells, measure, table

ROUNDS = 7

# The modules of rows that stand on a Python package: what they import, and what it is called.
PEERS = {
    "open_spiel_rows": ("pyspiel", "OpenSpiel"),
    "envpool_rows": ("envpool", "EnvPool"),
    "pgx_rows": ("pgx", "pgx"),
}


def python_rows(name: str, module: str, library: str) -> tuple[list[Row], list[str]]:
    """The rows of a module here and its notes; a note alone where the library that it imports is not installed."""
    try:
        peer = import_module(name)
    except ModuleNotFoundError as error:
        if error.name != module:
            raise
        return [], [f"Left out: {library}, which has no wheel for this Python and machine."]
    return peer.rows(), peer.NOTES


def main() -> None:
    """Measure row by row; a line appears when its row is done, and the table at the end."""
    parser = argparse.ArgumentParser(
        description="Our engine's speed and other engines', as one table of ratios."
    )
    parser.add_argument("program", type=Path, help="the built program of benches/peers")
    parser.add_argument(
        "--rounds", type=int, default=ROUNDS, help="measurements of each side (default %(default)s)"
    )
    parser.add_argument("--only", default="", help="only rows with this in their name")
    options = parser.parse_args()
    if options.rounds < 1:
        parser.error("--rounds must be at least 1")

    rows: list[Row] = []
    notes: list[str] = []
    for name, (module, library) in PEERS.items():
        more, told = python_rows(name, module, library)
        rows += more
        notes += told
    rows += [*rust_rows.rows(options.program), *step_rows.rows()]
    notes += [*rust_rows.NOTES, *step_rows.NOTES]

    wanted = [row for row in rows if options.only in row.what]
    if not wanted:
        parser.error(f"no row has {options.only!r} in its name")
    lines = []
    for row in wanted:
        print(f"measuring: {row.what}", flush=True)
        lines.append(cells(measure(row, options.rounds)))
    print()
    print(table(lines))
    print(
        f"\nsarai {sarai.__version__}, Python {platform.python_version()}, {platform.platform()}, one thread."
    )
    print(f"Medians of {options.rounds} rounds in which both sides take turns; the ratio is that of a round.")
    print("\n".join(notes))


if __name__ == "__main__":
    main()
