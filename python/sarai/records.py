"""Recorded games and their analysis. `Record` is the class; `sarai.Record` is the same."""

from __future__ import annotations

from sarai._records.model import Step
from sarai._records.record import Record
from sarai._results.record_analysis import DecisionAnalysis, PlayerAnalysis, RecordAnalysis, ThrowAnalysis

__all__ = ["DecisionAnalysis", "PlayerAnalysis", "Record", "RecordAnalysis", "Step", "ThrowAnalysis"]
