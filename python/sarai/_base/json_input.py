"""JSON from files that anybody may have written."""

from __future__ import annotations

import json
from typing import Any, NoReturn


def parse(text: str, what: str) -> Any:
    """Strict JSON: no key twice, no NaN.

    Raises:
        ValueError: With what it should have been.

    >>> parse('{"seed": 7}', "a record")
    {'seed': 7}
    >>> parse('{"seed": 7, "seed": 8}', "a record")
    Traceback (most recent call last):
    ...
    ValueError: this is not valid JSON of a record: an object has the same key twice
    """
    try:
        return json.loads(text, object_pairs_hook=_object, parse_constant=_constant)
    except RecursionError:
        raise ValueError(f"this is not valid JSON of {what}: it is nested too deeply") from None
    except ValueError as error:
        raise ValueError(f"this is not valid JSON of {what}: {error}") from None


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("an object has the same key twice")
    return found


def _constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a JSON number")
