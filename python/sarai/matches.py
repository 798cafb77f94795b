"""Matches between agents: the arena, sequential tests, and score cards of the benchmark."""

from __future__ import annotations

from sarai._benchmark.card import GameScore, ScoreCard
from sarai._matches.arena import Arena
from sarai._matches.sprt import Sprt
from sarai._matches.standings import Pairing, Standing

__all__ = [
    "Arena",
    "GameScore",
    "Pairing",
    "ScoreCard",
    "Sprt",
    "Standing",
]
