"""Agents against one another: the arena, evaluations and sequential tests."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sarai.matches.arena import Arena as Arena
    from sarai.matches.evaluation import Evaluation as Evaluation
    from sarai.matches.evaluation import Score as Score
    from sarai.matches.sprt import Sprt as Sprt
    from sarai.matches.standings import Pairing as Pairing
    from sarai.matches.standings import Standing as Standing

__all__ = [
    "Arena",
    "Evaluation",
    "Pairing",
    "Score",
    "Sprt",
    "Standing",
]

# Their modules import one another, so each is imported when it is asked for.
_HOMES = {
    "Arena": "sarai.matches.arena",
    "Evaluation": "sarai.matches.evaluation",
    "Pairing": "sarai.matches.standings",
    "Score": "sarai.matches.evaluation",
    "Sprt": "sarai.matches.sprt",
    "Standing": "sarai.matches.standings",
}


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
