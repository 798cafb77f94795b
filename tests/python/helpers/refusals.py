"""Calls that are refused: the error names the argument at fault, or quotes what was given, and is short."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

import pytest


def refused(
    call: Callable[..., object],
    values: Mapping[str, Iterable[object]],
    types: Mapping[str, Iterable[object]] | None = None,
) -> None:
    """Give the call each value alone, by the name of its argument: a ValueError, or a TypeError of `types`."""
    for error, table in ((ValueError, values), (TypeError, types or {})):
        for name, wrong in table.items():
            for value in wrong:
                try:
                    call(**{name: value})
                except error as refusal:
                    said = str(refusal)
                else:
                    pytest.fail(f"{name} may be {value!r:.200}")
                quoted = isinstance(value, str) and value in said
                assert quoted or name.rstrip("s_") in said, (name, said[:1000])
                assert len(said) < 4000
