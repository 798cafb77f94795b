"""The commands of a board: what each takes. Whatever comes from a page is checked here before anything is done."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from sarai.arguments import MAX_NUMBER, short, suggestion

LONGEST_TEXT = 2**20
"""The most characters of a record or a position."""

_LONGEST_NAME = 200


class _Field(NamedTuple):
    """A field of a command: whether it fits, what it takes in words, and whether it must be given."""

    fits: Callable[[Any], bool]
    takes: str
    needed: bool = True


def _whole(most: int) -> Callable[[Any], bool]:
    return lambda value: type(value) is int and 0 <= value <= most


def _text(longest: int) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, str) and len(value) <= longest


def _names(value: Any) -> bool:
    return isinstance(value, list) and len(value) <= 8 and all(map(_text(_LONGEST_NAME), value))


def _options(value: Any) -> bool:
    return isinstance(value, dict) and len(value) <= 100


_NAME = _Field(_text(_LONGEST_NAME), f"text of at most {_LONGEST_NAME} characters")
_STEP = _Field(_whole(2**31), "a whole number from 0")
_TEXT = _Field(_text(LONGEST_TEXT), f"text of at most {LONGEST_TEXT:,} characters")
_RULE_BOOK = {
    "game": _NAME,
    "preset": _NAME._replace(needed=False),
    "rules": _Field(_options, "an object of options", needed=False),
}

COMMANDS: Mapping[str, Mapping[str, _Field]] = {
    "new": {
        **_RULE_BOOK,
        "seats": _Field(_names, "a list of names, one for each seat", needed=False),
        "seed": _Field(_whole(MAX_NUMBER), f"a whole number from 0 to {MAX_NUMBER}", needed=False),
    },
    "play": {
        "action": _STEP,
        "seat": _STEP._replace(needed=False),
        "at": _STEP._replace(needed=False),
    },
    "undo": {},
    "hint": {},
    "analyse": {"agent": _NAME._replace(needed=False)},
    "go": {"to": _STEP},
    "branch": {},
    "load": {"record": _TEXT},
    "position": {"text": _TEXT},
    "save": {"format": _Field(lambda value: value in ("json", "text"), "'json' or 'text'", needed=False)},
    "theme": {"theme": _Field(lambda value: value in ("light", "dark"), "'light' or 'dark'")},
    "stop": {},
    "catalogue": {},
    "check": {**_RULE_BOOK},
}
"""The fields of each command."""


def read(command: object) -> tuple[str, dict[str, Any]]:
    """The name of a command, and its fields. One that is null counts as not given.

    Raises:
        ValueError: It is no command, or a field is missing, unknown or does not fit.

    >>> read({"do": "go", "to": 3})
    ('go', {'to': 3})
    >>> read({"do": "go", "to": -1})
    Traceback (most recent call last):
    ...
    ValueError: the command 'go' takes a whole number from 0 as 'to', not -1
    >>> read({"do": "hnit"})
    Traceback (most recent call last):
    ...
    ValueError: there is no command 'hnit' (did you mean 'hint'?)
    """
    if not isinstance(command, Mapping):
        raise ValueError(f"a command is an object with its name as 'do', not {short(command)}")
    name = command.get("do")
    if not isinstance(name, str) or name not in COMMANDS:
        meant = suggestion(name, COMMANDS) if isinstance(name, str) else ""
        there_are = f"; there are {', '.join(COMMANDS)}"
        raise ValueError(f"there is no command {short(name)}{meant or there_are}")
    fields = COMMANDS[name]
    given = {key: value for key, value in command.items() if key != "do" and value is not None}
    for key, value in given.items():
        if key not in fields:
            takes = f"it takes {', '.join(fields)}" if fields else "it takes nothing else"
            raise ValueError(f"the command {name!r} has no {short(key)}; {takes}")
        if not fields[key].fits(value):
            raise ValueError(f"the command {name!r} takes {fields[key].takes} as {key!r}, not {short(value)}")
    for key, field in fields.items():
        if field.needed and key not in given:
            raise ValueError(f"the command {name!r} needs {field.takes} as {key!r}")
    return name, given
