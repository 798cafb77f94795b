"""A step or a reset happens as a whole or not at all, whatever ends it: an error, Ctrl-C, a policy that fails."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, Concatenate, ParamSpec, Protocol, TypeAlias, TypeVar

from sarai import _core

BUSY = (
    "this environment is in the middle of a step, of another thread or of its own; give each thread, and each policy "
    "that looks ahead, an environment of its own"
)


Way: TypeAlias = tuple[Any, ...]
"""The way that `_core.undo` goes to bring an object back to where it stood."""


class Undoable(Protocol):
    """What `whole` asks of an object."""

    _turn: dict[str, object]
    """Empty, except while a method is at work."""

    def _way_back(self) -> Way:
        """What leads back to here, at most one step or reset from now."""


_S = TypeVar("_S", bound=Undoable)
_P = ParamSpec("_P")
_R = TypeVar("_R")


def whole(method: Callable[Concatenate[_S, _P], _R]) -> Callable[Concatenate[_S, _P], _R]:
    """Make a method undo what it has done when anything is raised in it, and refuse a second call meanwhile.

    CPython raises a pending KeyboardInterrupt where a function begins, where a loop goes round and after every call of
    compiled code: also after the engine has made its step, and before the result has a name. So all but the return
    itself stands inside the `try`, and what gives the turn back calls nothing. What undoes is one call of compiled code
    with nothing of Python in it, so that a second Ctrl-C finds it done. CPython 3.10 looks for a signal where an
    exception is caught as well, before anything is undone, so the exception is caught twice: the outer handler undoes
    the step if the inner one did not get to it. There, a third Ctrl-C within microseconds could still come too early.

    Raises:
        RuntimeError: Another thread is at it, or this one: a policy that is being asked.
    """

    @wraps(method)
    def attempt(self: _S, /, *args: _P.args, **kwargs: _P.kwargs) -> _R:
        mine: list[None] = []
        way: Way = ()
        turn = self._turn
        try:
            try:
                # One call that asks and takes at once: no other thread can come between.
                if turn.setdefault("taken", mine) is not mine:
                    raise RuntimeError(BUSY)
                way = self._way_back()
                result = method(self, *args, **kwargs)
                del turn["taken"]
                return result
            except BaseException:
                _core.undo(turn, mine, way)
                raise
        except BaseException:
            _core.undo(turn, mine, way)
            raise

    return attempt
