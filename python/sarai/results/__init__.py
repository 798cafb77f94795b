"""What playing many games gives: rollouts, series and trajectories, their summaries, figures and files."""

from __future__ import annotations

from sarai._tables.estimates import Estimate as Estimate
from sarai._tables.tabular import Tabular as Tabular
from sarai.results.comparison import Comparison as Comparison
from sarai.results.metric_values import Curve as Curve
from sarai.results.metric_values import Metric as Metric
from sarai.results.metrics import Metrics as Metrics
from sarai.results.rollout import Rollout as Rollout
from sarai.results.series import Series as Series
from sarai.results.series_rollout import SeriesRollout as SeriesRollout
from sarai.results.states_rollout import StatesRollout as StatesRollout
from sarai.results.summary import Summary as Summary
from sarai.results.trajectories import Trajectories as Trajectories
from sarai.results.trajectories import Trajectory as Trajectory
from sarai.tree_search import SearchResult as SearchResult

__all__ = [
    "Comparison",
    "Curve",
    "Estimate",
    "Metric",
    "Metrics",
    "Rollout",
    "SearchResult",
    "Series",
    "SeriesRollout",
    "StatesRollout",
    "Summary",
    "Tabular",
    "Trajectories",
    "Trajectory",
]
