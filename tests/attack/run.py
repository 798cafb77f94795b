"""Running groups: here, or in a process of its own whose end is a finding too."""

from __future__ import annotations

import gc
import importlib
import json
import os
import random
import selectors
import subprocess
import sys
import tempfile
import time
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Any

from attack.trial import Finding, FoundError, Trial, Unraised, shown

GROUPS = (
    *("rules", "positions", "verbs", "calls", "results", "policies", "making", "stepping", "interrupts"),
    *("rows", "thinking", "contests", "exactly"),
    *("files", "saves", "pictures", "terminal", "faults"),
)
"""The groups, each a module of this package."""

APART = ("files", "terminal", "faults")
"""Those that run in processes of their own, under limits as Linux sets them."""

PATIENCE = 120.0
"""Seconds without a new case after which `make attack` takes a process for one that hangs."""


@dataclass
class Report:
    """What came of a group: how many inputs it gave, how often what was met, and the findings."""

    group: str
    inputs: int = 0
    cases: int = 0
    met: Counter[str] = field(default_factory=Counter)
    findings: list[Finding] = field(default_factory=list)
    seconds: float = 0.0

    def add(self, other: dict[str, Any]) -> None:
        """Take in what another process has told."""
        self.inputs += other["inputs"]
        self.cases += other["cases"]
        self.met.update(other["met"])
        self.seconds += other["seconds"]


def module_of(group: str) -> ModuleType:
    """The module of a group."""
    return importlib.import_module(f"attack.{group}")


def is_apart(group: str) -> bool:
    """Whether a group endangers the process that it runs in."""
    return group in APART


def cases(first: int, only: int | None) -> Iterator[int]:
    """The numbers of the cases."""
    number = first if only is None else only
    yield number
    while only is None:
        number += 1
        yield number


def run_here(
    group: str,
    seed: int,
    inputs: int,
    *,
    first: int = 0,
    only: int | None = None,
    report: Report | None = None,
    begun: Callable[[int], None] = lambda case: None,
    found: Callable[[Finding], None] = lambda finding: None,
) -> Report:
    """Run a group in this process.

    Args:
        group: One of `GROUPS`.
        seed: What all that is random comes from.
        inputs: How many inputs; the last case may give a few more.
        first: The number of the first case.
        only: The number of the only case.
        report: Where it is told; None is a new one.
        begun: Called with the number of each case before it.
        found: Called with each finding at once.
    """
    report = report or Report(group)
    attack = module_of(group).attack
    gc.collect()  # what others left behind is not found here
    began = time.process_time()
    with warnings.catch_warnings(), Unraised() as unraised:
        warnings.simplefilter("error")
        # Errors in numpy 2; numpy 1 takes them, and warns.
        taken = ".*(scalars to be interpreted as an index|truth value of an empty array)"
        warnings.filterwarnings("ignore", taken, DeprecationWarning)
        # matplotlib's, where the fonts of this machine lack a letter: it is right to say so.
        warnings.filterwarnings("ignore", "Glyph .* missing from font", UserWarning)
        for case in cases(first, only):
            begun(case)
            trial = Trial(random.Random(f"{group} {seed} {case}"))
            trial.unraised = unraised.caught
            try:
                attack(trial)
            except FoundError as error:
                report.findings.append(Finding(group, seed, case, error.came, error.due))
            except KeyboardInterrupt:
                raise
            except BaseException as error:
                came = f"in between: {type(error).__name__}: {shown(str(error))} ({_where(error)})"
                report.findings.append(Finding(group, seed, case, came, "no error outside of what is tried"))
            if report.findings and report.findings[-1].case == case:
                found(report.findings[-1])
            unraised.caught.clear()
            report.cases += 1
            report.inputs += max(1, trial.met.total())
            report.met.update(trial.met)
            if report.inputs >= inputs:
                break
    report.seconds += time.process_time() - began
    return report


def _where(error: BaseException) -> str:
    trace, places = error.__traceback__, []
    while trace is not None:
        places.append(f"{Path(trace.tb_frame.f_code.co_filename).name}:{trace.tb_lineno}")
        trace = trace.tb_next
    return " > ".join(places[-6:])


def run_apart(
    group: str,
    seed: int,
    inputs: int,
    *,
    first: int = 0,
    patience: float | None = None,
    found: Callable[[Finding], None] = lambda finding: None,
) -> Report:
    """Run a group in processes of its own: where one ends, that is a finding, and another goes on.

    So it is where one says nothing for so many seconds; without `patience` a process that hangs is waited for.
    """
    report = Report(group)
    while report.inputs < inputs:
        first = _worker(report, seed, inputs - report.inputs, first, patience, found) + 1
    return report


def _worker(
    report: Report,
    seed: int,
    inputs: int,
    first: int,
    patience: float | None,
    found: Callable[[Finding], None],
) -> int:
    """One process, up to its end; the number of its last case comes back."""
    words = ["--group", report.group, "--seed", str(seed), "--inputs", str(inputs), "--first", str(first)]
    home = Path(__file__).resolve().parent
    ended: dict[str, Any] | None = None
    case, begun = first, 0
    with (
        tempfile.TemporaryFile() as errors,
        # Some input is a relative path to write to.
        tempfile.TemporaryDirectory() as standing,
        subprocess.Popen(
            [sys.executable, "-X", "faulthandler", str(home), "--worker", *words],
            cwd=standing,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=errors,
        ) as process,
    ):
        try:
            for line in _lines(process, patience):
                kind, _, rest = line.partition(" ")
                if kind == "case":
                    case, begun = int(rest), begun + 1
                elif kind == "found":
                    report.findings.append(Finding(**json.loads(rest)))
                    found(report.findings[-1])
                elif kind == "end":
                    ended = json.loads(rest)
        finally:
            process.kill()
            process.wait()
        errors.seek(0)
        said = errors.read().decode(errors="replace")
    came = None
    if ended is None:
        status = "hangs" if process.returncode == -9 else f"ends with status {process.returncode}"
        came = f"the process {status}: {shown(said[-600:])}"
        report.inputs += max(1, begun)
        report.cases += begun
    elif "panicked" in said:
        came = f"a panic on stderr: {shown(said[said.index('panicked') - 60 :][:600])}"
    if ended is not None:
        report.add(ended)
    if came is not None:
        report.findings.append(Finding(report.group, seed, case, came, "the process goes on, and no panic"))
        found(report.findings[-1])
    return case


def _lines(process: subprocess.Popen[bytes], patience: float | None) -> Iterator[str]:
    """The lines that a process writes, up to its end or until it has been silent for too long."""
    assert process.stdout is not None
    file = process.stdout.fileno()
    kept = b""
    with selectors.DefaultSelector() as selector:
        selector.register(file, selectors.EVENT_READ)
        while selector.select(patience):
            read = os.read(file, 65536)
            if not read:
                process.wait()
                return
            *lines, kept = (kept + read).split(b"\n")
            yield from (line.decode() for line in lines)


def work(group: str, seed: int, inputs: int, first: int) -> None:
    """What a worker does: run a group, and tell of it on what was stdout when it began."""
    told = os.dup(1)
    prepare = getattr(module_of(group), "prepare", None)
    if prepare is not None:
        prepare()
    report = run_here(
        group,
        seed,
        inputs,
        first=first,
        begun=lambda case: _tell(told, f"case {case}"),
        found=lambda finding: _tell(told, f"found {json.dumps(finding.__dict__)}"),
    )
    numbers = {
        "inputs": report.inputs,
        "cases": report.cases,
        "met": report.met,
        "seconds": time.process_time(),
    }
    _tell(told, f"end {json.dumps(numbers)}")


def _tell(file: int, line: str) -> None:
    os.write(file, f"{line}\n".encode())
