"""What the adapters have in common."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


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
