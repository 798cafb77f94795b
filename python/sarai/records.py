"""Recorded games. `Record` is the class; `sarai.Record` is the same."""

from __future__ import annotations

from sarai._records.model import Step
from sarai._records.record import Record

__all__ = ["Record", "Step"]
