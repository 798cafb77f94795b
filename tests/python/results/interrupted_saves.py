"""Ctrl-C at every line of a save, one after the other: the program of a test. Prints how many lines there were."""

from __future__ import annotations

import itertools
import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

import sarai
from helpers.saved import RESULTS

WRITING = ("npz.py", "result.py", "record.py", "files.py")


class InterruptAt:
    """Raises KeyboardInterrupt at the n-th line that Python comes to in these files."""

    def __init__(self, place: int) -> None:
        self.place, self.seen = place, 0

    def __call__(self, frame: FrameType, event: str, argument: object) -> Any:
        if not frame.f_code.co_filename.endswith(WRITING):
            return None
        if event == "line":
            self.seen += 1
            if self.seen == self.place:
                raise KeyboardInterrupt
        return self


def interrupted(call: Callable[[], object], place: int) -> bool:
    """Whether the call was interrupted at this line; it ends before it otherwise."""
    sys.settrace(InterruptAt(place))
    try:
        call()
    except KeyboardInterrupt:
        return True
    finally:
        sys.settrace(None)
    return False


def interrupt_everywhere(name: str, path: Path, there: bool) -> int:
    """How many lines there were."""
    new, old = RESULTS[name], sarai.Record.from_steps("sho", [])
    for place in itertools.count(1):
        if there:
            old.save(path)
        else:
            path.unlink(missing_ok=True)
        again = interrupted(lambda: new.save(path), place)
        left = [file.name for file in path.parent.iterdir()]
        found = sarai.load(path) if path.exists() else None
        if left not in ([], [path.name]) or (found != new and found != (old if there else None)):
            raise SystemExit(f"line {place} of the save of {name}: there is {left}, and {found!r} in it")
        if not again:
            break
    if found != new:
        raise SystemExit(f"the save of {name} was never interrupted, and left {found!r}")
    return place


if __name__ == "__main__":
    folder = Path(sys.argv[1])
    for name in ("rollout", "json"):
        for there in (False, True):
            sys.stdout.write(f"{interrupt_everywhere(name, folder / 'kept', there)}\n")
