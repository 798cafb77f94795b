"""What the adapters have in common."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from typing import Any

from sarai.envs.arguments import one_seed

MAX_SEED = 2**64 - 1


def refuse(settings: Mapping[str, Any], *own: str) -> None:
    """TypeError for settings of the vector environment that are the adapter's own to choose.

    >>> refuse({"seat": 1}, "autoreset_mode", "copy")
    >>> refuse({"copy": False}, "autoreset_mode", "copy")
    Traceback (most recent call last):
    ...
    TypeError: this adapter sets copy itself; leave it out
    """
    for name in own:
        if name in settings:
            raise TypeError(f"this adapter sets {name} itself; leave it out")


def next_seed(given: object) -> int:
    """The seed of the games that begin at the next reset; None draws one from the operating system.

    Raises:
        TypeError: It is not an integer.
        ValueError: It is out of range.

    >>> next_seed(7)
    7
    >>> next_seed(-1)
    Traceback (most recent call last):
    ...
    ValueError: seed got -1; it takes an integer from 0 to 18446744073709551615
    """
    seed = one_seed(given)
    if seed is None:
        return secrets.randbits(64)
    if not 0 <= seed <= MAX_SEED:
        raise ValueError(f"seed got {seed}; it takes an integer from 0 to {MAX_SEED}")
    return seed
