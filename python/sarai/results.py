"""Results of many games: rollouts, series and trajectories, their summaries, figures and files."""

from __future__ import annotations

from sarai._results import record_analysis as _record_analysis  # noqa: F401  (which gives a method to `Record`)
from sarai._results.comparison import Comparison, Row
from sarai._results.metric_values import Curve, Metric
from sarai._results.metrics import Metrics
from sarai._results.place_counts import PlaceCounts
from sarai._results.rollout import Rollout
from sarai._results.series import Series
from sarai._results.series_rollout import SeriesRollout
from sarai._results.states_rollout import StatesRollout
from sarai._results.summary import SeatSummary, Summary
from sarai._results.trajectories import Trajectories, Trajectory
from sarai._symmetries import Symmetries
from sarai._tables.estimates import Estimate
from sarai._tables.tabular import Tabular
from sarai._tree_search import SearchResult

__all__ = [
    "Comparison",
    "Curve",
    "Estimate",
    "Metric",
    "Metrics",
    "PlaceCounts",
    "Rollout",
    "Row",
    "SearchResult",
    "SeatSummary",
    "Series",
    "SeriesRollout",
    "StatesRollout",
    "Summary",
    "Symmetries",
    "Tabular",
    "Trajectories",
    "Trajectory",
]
