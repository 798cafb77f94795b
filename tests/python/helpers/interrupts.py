"""Ctrl-C at every point of a call, one after the other, without a clock and without a signal.

A trace function raises KeyboardInterrupt before the n-th instruction that Python code of `sarai`, Gymnasium or
PettingZoo carries out. CPython itself looks for a signal at some of these points only: where a function begins, where a
loop goes round, after each call and, up to and including 3.10, where an exception is caught.
"""

from __future__ import annotations

import dis
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import gymnasium
import pettingzoo

import sarai

TRACED = tuple(str(Path(module.__file__ or "").parent) for module in (sarai, gymnasium, pettingzoo))


@cache
def names(code: CodeType) -> dict[int, str]:
    """What stands at each place of a function."""
    return {instruction.offset: instruction.opname for instruction in dis.get_instructions(code)}


def is_finalizing(frame: FrameType | None) -> bool:
    """Whether an object is being deleted: whatever is raised there goes no further."""
    while frame is not None:
        if frame.f_code.co_name == "__del__":
            return True
        frame = frame.f_back
    return False


class Interrupter:
    """Raises at the `at`-th point from now on, counted from 0.

    Attributes:
        said: Whether it has: there may be fewer points.
        at_the_return: Whether no call, after which CPython would have looked for a signal, stood between the point and
            the return of the outermost function.
    """

    def __init__(self, at: int) -> None:
        self.left = at
        self.said = False
        self.at_the_return = False
        self.outermost: FrameType | None = None

    def __call__(self, frame: FrameType, event: str, _: Any) -> Any:
        if not frame.f_code.co_filename.startswith(TRACED) or is_finalizing(frame):
            return None
        self.outermost = self.outermost or frame
        frame.f_trace_opcodes = True
        if event in ("call", "opcode"):
            if self.left == 0:
                self._say(frame)
            self.left -= 1
        return self

    def _say(self, frame: FrameType) -> None:
        self.said = True
        ahead = [name for at, name in names(frame.f_code).items() if at >= frame.f_lasti]
        end = next((place for place, name in enumerate(ahead) if name.startswith("RETURN")), len(ahead))
        self.at_the_return = frame is self.outermost and not any("CALL" in name for name in ahead[:end])
        raise KeyboardInterrupt


def interrupted(at: int, work: Callable[[], Any]) -> Interrupter:
    """Do the work, and raise in it; what else it raises comes through."""
    interrupter = Interrupter(at)
    before = sys.gettrace()
    sys.settrace(interrupter)
    try:
        work()
    except KeyboardInterrupt:
        if not interrupter.said:
            raise
    finally:
        sys.settrace(before)
    return interrupter
