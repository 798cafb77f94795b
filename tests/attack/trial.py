"""One case of an attack: what is given, what may come of it, and what is a finding."""

from __future__ import annotations

import random
import reprlib
import sys
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

BAD_INPUT = (ValueError, TypeError)
"""What bad input raises, `IllegalActionError` included."""

# They are ValueErrors or RuntimeErrors to Python, but no sentence for whoever has given something wrong.
_NEVER = (RecursionError, NotImplementedError, Warning)

LONGEST_SENTENCE = 4000
"""The most characters of an error's text: who gives a million must not get them back."""


class OwnError(Exception):
    """Raised by the objects that an attack hands in; whatever calls them lets it through as it is."""


class FoundError(Exception):
    """A finding.

    Attributes:
        came: What happened.
        due: What should have happened.
    """

    def __init__(self, came: str, due: str) -> None:
        super().__init__(f"{came}; due: {due}")
        self.came = came
        self.due = due


class Met(NamedTuple):
    """What came of a call: its value, or what it raised."""

    value: Any
    error: BaseException | None


@dataclass(frozen=True)
class Finding:
    """A finding and where to find it again."""

    group: str
    seed: int
    case: int
    came: str
    due: str

    def line(self) -> str:
        """All on one line, with how to see it again."""
        words = f"--group {self.group} --seed {self.seed} --case {self.case}"
        return ascii(f"{words}  came: {self.came}  due: {self.due}")[1:-1]


class _Repr(reprlib.Repr):
    def __init__(self) -> None:
        super().__init__()
        self.maxstring = self.maxother = 120
        self.maxlong = 60
        self.maxlevel = 4

    def repr1(self, x: Any, level: int) -> str:
        try:
            return super().repr1(x, level)
        except BaseException as error:
            return f"<{type(x).__name__} whose repr raises {type(error).__name__}>"


_repr = _Repr()


def shown(value: Any) -> str:
    """A value in a few words, on one line, whatever it is."""
    return ascii(_repr.repr(value))[1:-1].replace("\\\\", "\\")


def named(function: Callable[..., Any]) -> str:
    """What a function is called."""
    return str(getattr(function, "__qualname__", None) or type(function).__qualname__)


class Trial:
    """One case.

    Attributes:
        rng: Where all that is random in it comes from.
        met: How often what came: "accepted", or the name of an exception.
        unraised: What was raised where nobody could catch it, such as in a destructor.
    """

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.met: Counter[str] = Counter()
        self.unraised: list[str] = []

    def call(
        self,
        function: Callable[..., Any],
        *args: Any,
        also: tuple[type[BaseException], ...] = (),
        **kwargs: Any,
    ) -> Met:
        """Give something to a function: one input.

        Args:
            function: What is called.
            args: Its arguments.
            also: What may be raised besides what bad input raises.
            kwargs: Its keywords.

        Raises:
            FoundError: Something else was raised, or the text of the error is none to be read.
        """
        try:
            value = function(*args, **kwargs)
        except FoundError:
            raise
        except BaseException as error:
            self.met[type(error).__name__] += 1
            self._judge(error, (*BAD_INPUT, OwnError, *also), lambda: told(function, args, kwargs))
            return Met(None, error)
        self.met["accepted"] += 1
        if self.unraised:
            raise FoundError(f"{told(function, args, kwargs)}: {self.unraised.pop()}", "nothing left open")
        return Met(value, None)

    def _judge(
        self, error: BaseException, allowed: tuple[type[BaseException], ...], what: Callable[[], str]
    ) -> None:
        kind = type(error)
        names = ", ".join(dict.fromkeys(each.__name__ for each in allowed if each is not OwnError))
        if not isinstance(error, allowed) or (isinstance(error, _NEVER) and kind not in allowed):
            place = _place(error)
            raise FoundError(f"{what()}: {kind.__name__}: {shown(str(error))} at {place}", names) from error
        if isinstance(error, OwnError | MemoryError | KeyboardInterrupt):
            return
        text = str(error)
        if "unexpected keyword argument" in text:
            return  # Python's own words
        # What the system says names the file as it was given.
        if not text.strip() or (len(text) > LONGEST_SENTENCE and not isinstance(error, OSError)):
            came = f"{what()}: {kind.__name__} with a text of {len(text):,} characters"
            raise FoundError(
                f"{came} at {_place(error)}", f"a sentence of 1 to {LONGEST_SENTENCE:,}"
            ) from error

    def hold(self, condition: bool, came: Callable[[], str] | str, due: str) -> None:
        """Require a condition.

        Raises:
            FoundError: It does not hold.
        """
        if not condition:
            raise FoundError(came if isinstance(came, str) else came(), due)

    def same(self, one: Any, other: Any, what: str) -> None:
        """Require that two things are equal.

        Raises:
            FoundError: They are not.
        """
        if one != other:
            raise FoundError(f"{what}: {shown(one)} is not {shown(other)}", "the same")


def told(function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> str:
    """A call in a few words."""
    parts = [shown(value) for value in args] + [f"{name}={shown(value)}" for name, value in kwargs.items()]
    text = f"{named(function)}({', '.join(parts)})"
    return text if len(text) <= 600 else text[:597] + "..."


def _place(error: BaseException) -> str:
    """The innermost line of Sarai's own that the error went through, else the innermost of all."""
    trace, place, own = error.__traceback__, "the compiled module", None
    while trace is not None:
        code = trace.tb_frame.f_code
        file = code.co_filename.replace("\\", "/")
        if "/sarai/" in file:
            own = f"{file[file.rindex('/sarai/') + 1 :]}:{trace.tb_lineno}"
        elif "/attack/" not in file:
            place = f"{file.rsplit('/', 2)[-1]}:{trace.tb_lineno}"
        trace = trace.tb_next
    return own or place


class Unraised:
    """Catches what destructors raise, such as the warning of a file that was left open."""

    def __init__(self) -> None:
        self.caught: list[str] = []

    def __enter__(self) -> Unraised:
        self._before = sys.unraisablehook
        sys.unraisablehook = self._note
        return self

    def __exit__(self, *_: object) -> None:
        sys.unraisablehook = self._before

    def _note(self, said: Any) -> None:
        # An interrupt that was injected into a destructor is nobody's fault.
        if not isinstance(said.exc_value, KeyboardInterrupt | OwnError):
            self.caught.append(f"{type(said.exc_value).__name__} that nobody could catch: {said.exc_value}")
