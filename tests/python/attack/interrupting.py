"""Ctrl-C at a place of one's choice: a trace function that raises KeyboardInterrupt there."""

from __future__ import annotations

import dis
import random
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import gymnasium
import numpy as np

import sarai

_SARAI, *_MORE = (str(Path(module.__file__ or "").parent) for module in (sarai, gymnasium, np))
_STANDARD = (str(Path(random.__file__).parent / name) for name in ("zipfile", "json", "contextlib"))
TRACED = (_SARAI, *_MORE, *_STANDARD)
"""Where it may be raised: in Sarai's own code and in what is called from there."""


@cache
def _traced(file: str) -> bool:
    return file.startswith(TRACED)


@cache
def _names(code: CodeType) -> dict[int, str]:
    return {instruction.offset: instruction.opname for instruction in dis.get_instructions(code)}


def _within(frame: FrameType | None) -> bool:
    """Whether Sarai is at work: what the attack itself asks of numpy is no part of it."""
    while frame is not None and not frame.f_code.co_filename.startswith(_SARAI):
        frame = frame.f_back
    return frame is not None


class Interrupter:
    """Counts the places where CPython may look for a signal, and raises at one of them.

    These are: where a function begins, after a call, and where a loop goes round.

    Attributes:
        at: The number of the place, counted from 0; None only counts.
        count: How many places there were so far.
        said: Where it was raised; None if it was not.
        value: What the work returned; None if it did not return.
        instead: What came out of the work in place of a KeyboardInterrupt.
    """

    def __init__(self, at: int | None) -> None:
        self.at = at
        self.count = 0
        self.said: str | None = None
        self.value: Any = None
        self.instead: BaseException | None = None
        self._before: dict[FrameType, str | None] = {}

    def __call__(self, frame: FrameType, event: str, _: Any) -> Any:
        """Called by the interpreter."""
        if not _traced(frame.f_code.co_filename) or not _within(frame):
            return None
        frame.f_trace_opcodes = True
        before = self._before.get(frame)
        if event == "opcode":
            self._before[frame] = _names(frame.f_code).get(frame.f_lasti)
            if before is None or not ("CALL" in before or "BACKWARD" in before):
                return self
        elif event == "exception":
            self._before[frame] = None
            return self
        elif event != "call":
            return self
        self.count += 1
        if self.count - 1 == self.at:
            self.said = f"{Path(frame.f_code.co_filename).name}:{frame.f_lineno} in {frame.f_code.co_name}"
            raise KeyboardInterrupt
        return self


def interrupted(work: Callable[[], Any], at: int | None) -> Interrupter:
    """Do the work, and raise at that place; what else it raises before that comes through."""
    interrupter = Interrupter(at)
    before = sys.gettrace()
    sys.settrace(interrupter)
    try:
        interrupter.value = work()
    except BaseException as error:
        if interrupter.said is None:
            raise
        interrupter.instead = None if isinstance(error, KeyboardInterrupt) else error
    finally:
        sys.settrace(before)
    return interrupter
