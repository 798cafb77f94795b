"""Recorded games, their analysis, and matches. `Record` is the class; `sarai.Record` is the same."""

from __future__ import annotations

from sarai._records.ids import facts as match_facts
from sarai._records.match import CubeAction, Match, MatchGame
from sarai._records.model import Step
from sarai._records.record import Record
from sarai._results.record_analysis import DecisionAnalysis, PlayerAnalysis, RecordAnalysis, ThrowAnalysis

__all__ = [
    "CubeAction",
    "DecisionAnalysis",
    "Match",
    "MatchGame",
    "PlayerAnalysis",
    "Record",
    "RecordAnalysis",
    "Step",
    "ThrowAnalysis",
    "match_facts",
]
