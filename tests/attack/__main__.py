"""`python -m attack`, or `python tests/attack`: run the attack, and print what came of it."""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from pathlib import Path

if __package__ in (None, ""):
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from attack.run import GROUPS, PATIENCE, Report, module_of, run_apart, run_here, work
from attack.trial import Finding


def main(words: list[str] | None = None) -> int:
    """Run it; 0 is no finding, 1 is some."""
    parser = argparse.ArgumentParser(prog="python -m attack", description=__doc__)
    parser.add_argument("--seed", type=int, default=0, help="what all that is random comes from (default 0)")
    parser.add_argument(
        "--inputs", type=int, default=1000, metavar="N", help="how many in each group (default 1000)"
    )
    parser.add_argument(
        "--group", action="append", choices=GROUPS, help="only this one; may be given many times"
    )
    parser.add_argument("--forever", action="store_true", help="go on with the next seed, until Ctrl-C")
    parser.add_argument("--case", type=int, metavar="N", help="only this case of the group, in this process")
    parser.add_argument("--patience", type=float, default=PATIENCE, help="seconds after which a case hangs")
    parser.add_argument("--worker", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--first", type=int, default=0, help=argparse.SUPPRESS)
    given = parser.parse_args(words)
    groups = given.group or GROUPS
    if given.worker:
        work(groups[0], given.seed, given.inputs, given.first)
        return 0
    if given.case is not None:
        return again(groups[0], given.seed, given.case)
    seed, status = given.seed, 0
    while True:
        reports: list[Report] = []
        try:
            for group in groups:
                report = run_apart(group, seed, given.inputs, patience=given.patience, found=tell)
                reports.append(report)
        except KeyboardInterrupt:
            sys.stdout.write("interrupted\n")
            given.forever = False
        status |= any(report.findings for report in reports)
        table(seed, reports)
        if not given.forever:
            return int(status)
        seed += 1


def again(group: str, seed: int, case: int) -> int:
    """Run one case once more."""
    prepare = getattr(module_of(group), "prepare", None)
    if prepare is not None:
        prepare()
    report = run_here(group, seed, 1, only=case, found=tell)
    table(seed, [report])
    return int(bool(report.findings))


def tell(finding: Finding) -> None:
    """Print a finding at once."""
    sys.stdout.write(f"{finding.line()}\n")
    sys.stdout.flush()


def table(seed: int, reports: list[Report]) -> None:
    """Print how much was tried, and what came of it."""
    lines = [f"seed {seed}", f"{'group':<12}{'inputs':>8}{'found':>7}{'seconds':>9}  what came"]
    whole: Counter[str] = Counter()
    for report in reports:
        came = ", ".join(f"{kind} {count}" for kind, count in report.met.most_common())
        lines.append(
            f"{report.group:<12}{report.inputs:>8}{len(report.findings):>7}{report.seconds:>9.1f}  {came}"
        )
        whole.update(report.met)
    inputs, found = sum(r.inputs for r in reports), sum(len(r.findings) for r in reports)
    lines.append(f"{'all':<12}{inputs:>8}{found:>7}{sum(r.seconds for r in reports):>9.1f}")
    sys.stdout.write("\n".join(lines) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
