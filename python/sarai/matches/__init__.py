"""Agents against one another: the arena and sequential tests."""

from __future__ import annotations

from sarai.matches.arena import Arena as Arena
from sarai.matches.sprt import Sprt as Sprt
from sarai.matches.standings import Pairing as Pairing
from sarai.matches.standings import Standing as Standing

__all__ = [
    "Arena",
    "Pairing",
    "Sprt",
    "Standing",
]
