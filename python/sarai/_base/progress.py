"""Progress of a long call: a bar in a terminal, a bar in a notebook, a line now and then in a log.

Every display is a context manager over a callable `report(done)`, which the engine calls about ten times
a second and once at the end. A display opens with the first report, not before: a call that is refused
for its arguments leaves no empty bar behind.
"""

from __future__ import annotations

import html
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from typing import Any, TextIO, TypeAlias, cast

import numpy as np

from sarai._base.terminal import is_terminal, size

Report: TypeAlias = Callable[[int], None]
ProgressOption: TypeAlias = bool | Report
"""True shows a bar, False nothing; a callable is called with the number of games (or series) done so far."""


def check_callback(name: str, given: object) -> None:
    """Refuse what cannot be called, before there is work that would be lost.

    Raises:
        TypeError: It is neither callable nor None.

    >>> check_callback("report", print)
    >>> check_callback("report", 5)
    Traceback (most recent call last):
    ...
    TypeError: report must be a callable or None, not int
    """
    if given is not None and not callable(given):
        raise TypeError(f"{name} must be a callable or None, not {type(given).__name__}")


class _Silent:
    """A stream that falls silent once nobody listens: that nothing can be told of a long call does not end it."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    def write(self, text: str) -> int:
        with suppress(OSError):
            self._stream.write(text)
        return len(text)

    def flush(self) -> None:
        with suppress(OSError):
            self._stream.flush()


@contextmanager
def shown(progress: ProgressOption, label: str, total: int, unit: str = "games") -> Iterator[Report | None]:
    """What `progress=` means in Python: a bar on a terminal's stderr or in a notebook, silence elsewhere.

    Raises:
        TypeError: `progress` is neither a bool nor callable.
    """
    if isinstance(progress, bool | np.bool_):
        if not progress:
            yield None
        elif in_notebook():
            with notebook_bar(label, total, unit) as report:
                yield report
        elif is_terminal(sys.stderr):
            with terminal_bar(label, total, unit) as report:
                yield report
        else:
            yield None
    elif callable(progress):
        yield progress
    else:
        raise TypeError(
            "progress must be True, False or a callable that takes the number of games done, "
            f"not {type(progress).__name__}"
        )


@contextmanager
def shown_in_shell(
    label: str, total: int, unit: str = "games", *, quiet: bool = False
) -> Iterator[ProgressOption]:
    """For the command line: a bar on a terminal, where stderr is a file or a pipe a few plain lines; or nothing."""
    if quiet:
        yield False
    elif is_terminal(sys.stderr):
        with terminal_bar(label, total, unit) as report:
            yield report
    elif sys.stderr is None:
        yield False
    else:
        yield plain_lines(label, total, sys.stderr, unit=unit)


def in_notebook() -> bool:
    """Whether this runs in a Jupyter kernel. Where that is so IPython is loaded: nothing is imported here."""
    ipython = sys.modules.get("IPython")
    if ipython is None:
        return False
    return getattr(ipython.get_ipython(), "kernel", None) is not None


@contextmanager
def terminal_bar(label: str, total: int, unit: str = "games") -> Iterator[Report]:
    """A bar by rich on stderr, which stays on the screen when all is done."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeElapsedColumn

    columns, rows = size(sys.stderr)
    bar = Progress(
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn(unit),
        TimeElapsedColumn(),
        console=Console(file=cast(TextIO, _Silent(sys.stderr)), width=columns, height=rows),
    )
    tasks: list[TaskID] = []

    def report(done: int) -> None:
        if not tasks:
            tasks.append(bar.add_task(label, total=total))
            bar.start()
        bar.update(tasks[0], completed=done)

    try:
        yield report
    finally:
        if tasks:
            bar.stop()


@contextmanager
def notebook_bar(label: str, total: int, unit: str = "games") -> Iterator[Report]:
    """A bar in a notebook's output cell.

    It is a bare HTML element: rich's own notebook display warns unless ipywidgets is installed.
    """
    display: Any = import_module("IPython.display")
    name = html.escape(label)
    handles: list[Any] = []

    def report(done: int) -> None:
        text = f"{name} <progress value='{done}' max='{total}'></progress> {done:,} of {total:,} {unit}"
        content = display.HTML(text)
        if handles:
            handles[0].update(content)
        else:
            handles.append(display.display(content, display_id=True))

    yield report


def plain_lines(
    label: str,
    total: int,
    stream: TextIO,
    clock: Callable[[], float] = time.monotonic,
    unit: str = "games",
) -> Report:
    """Lines for a log: one a tenth of the games, some between where a tenth takes long, and the last.

    They are few however long or short the call is: at most one a second, and between the tenths the first
    comes after 2 s without any, the next after 4 s and so on up to one a minute.
    """
    silent = _Silent(stream)
    start = clock()
    last_time = start
    last_tenth = 0
    patience = 2.0

    def report(done: int) -> None:
        nonlocal last_time, last_tenth, patience
        now = clock()
        waited = now - last_time
        tenth = 10 * done // max(total, 1)
        if done < total:
            if waited < 1 or (tenth == last_tenth and waited < patience):
                return
            if tenth == last_tenth:
                patience = min(2 * patience, 60)
        last_time, last_tenth = now, tenth
        percent = 100 * done // total if total else 100
        silent.write(f"{label}: {done:,} of {total:,} {unit} ({percent}%) after {now - start:.0f} s\n")
        silent.flush()

    return report
