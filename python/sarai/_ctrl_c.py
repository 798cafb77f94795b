"""Ctrl-C while the command `sarai` is being imported, which takes a moment: it ends without a traceback.

Whoever imports the package has Ctrl-C as it was; only a process that was started as the command has not.
"""

from __future__ import annotations

import re
import sys
from types import TracebackType

INTERRUPTED = 130
"""The exit status for Ctrl-C, as shells have it."""


def _quietly(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    if issubclass(kind, KeyboardInterrupt):
        sys.exit(INTERRUPTED)
    sys.__excepthook__(kind, error, trace)


def _is_the_command() -> bool:
    """Whether this process is `sarai ...` or `python -m sarai ...`."""
    # A program that Python stands in may have left no arguments.
    words = getattr(sys, "argv", [])
    if words[:1] == ["-m"]:
        # Python still looks for the module, whose name was typed before these, perhaps with options in one word.
        return any(re.fullmatch(r"(-\w*m)?sarai", word) for word in sys.orig_argv[-len(words) :][:1])
    return any(re.fullmatch(r"(.*[/\\])?sarai(-script\.pyw?|\.exe)?", word) for word in words[:1])


if _is_the_command():
    sys.excepthook = _quietly
