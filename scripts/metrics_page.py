"""Write the table of docs/metrics.md from sarai._results.measures: what each metric is, its formula and its source.

python scripts/metrics_page.py            # rewrites the page
python scripts/metrics_page.py --check    # says whether it is as it should be
"""

from __future__ import annotations

import argparse
import sys
import textwrap
from pathlib import Path

from sarai._results.measures import MEASURES, Measure

PAGE = Path(__file__).resolve().parent.parent / "docs" / "metrics.md"
BEGIN, END = "<!-- metrics: begin -->\n", "<!-- metrics: end -->\n"


def section(measure: Measure) -> str:
    """What the page says of one metric."""
    judged = " It needs an evaluator." if measure.judged else ""
    parts = [
        f"{measure.meaning} Unit: {measure.unit}.{judged}",
        f"Formula: {measure.formula}",
        f"Example: {measure.example}",
        f"Source: {measure.source.rstrip('.')}.",
    ]
    if measure.ludii:
        parts.append(f"Elsewhere: {measure.ludii}")
    lines = "\n\n".join(textwrap.fill(part, 110, break_on_hyphens=False) for part in parts)
    return f"### `{measure.name}`\n\n{lines}\n"


def generated() -> str:
    """What stands between the marks."""
    return "\n" + "\n".join(section(measure) for measure in MEASURES) + "\n"


def page(text: str) -> str:
    """The page with what is generated."""
    before, rest = text.split(BEGIN)
    _, after = rest.split(END)
    return before + BEGIN + generated() + END + after


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--check", action="store_true")
    known = PAGE.read_text(encoding="utf-8")
    wanted = page(known)
    if not parser.parse_args().check:
        PAGE.write_text(wanted, encoding="utf-8")
    elif known != wanted:
        sys.exit(f"{PAGE.name} is not what the definitions say: run python scripts/metrics_page.py")


if __name__ == "__main__":
    main()
