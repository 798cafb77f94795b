"""Recorded games and matches. `Record` is the class; `sarai.Record` is the same."""

from __future__ import annotations

from sarai._records.ids import facts as match_facts
from sarai._records.match import CubeAction, Match, MatchGame
from sarai._records.model import Step
from sarai._records.record import Record

__all__ = ["CubeAction", "Match", "MatchGame", "Record", "Step", "match_facts"]
