"""What playing many games gives: rollouts, series and trajectories, their summaries, figures and files."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sarai.results.comparison import Comparison as Comparison
    from sarai.results.metric_values import Curve as Curve
    from sarai.results.metric_values import Metric as Metric
    from sarai.results.metrics import Metrics as Metrics
    from sarai.results.move_values import MoveValue as MoveValue
    from sarai.results.move_values import MoveValues as MoveValues
    from sarai.results.rollout import Rollout as Rollout
    from sarai.results.series import Series as Series
    from sarai.results.series_rollout import SeriesRollout as SeriesRollout
    from sarai.results.states_rollout import StatesRollout as StatesRollout
    from sarai.results.summary import Estimate as Estimate
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
    "MoveValue",
    "MoveValues",
    "Rollout",
    "SearchResult",
    "Series",
    "SeriesRollout",
    "StatesRollout",
    "Summary",
    "Trajectories",
    "Trajectory",
]

# Their modules import one another, so each is imported when it is asked for.
_HOMES = {
    "Comparison": "sarai.results.comparison",
    "Curve": "sarai.results.metric_values",
    "Estimate": "sarai.results.summary",
    "Metric": "sarai.results.metric_values",
    "Metrics": "sarai.results.metrics",
    "MoveValue": "sarai.results.move_values",
    "MoveValues": "sarai.results.move_values",
    "Rollout": "sarai.results.rollout",
    "SearchResult": "sarai.tree_search",
    "Series": "sarai.results.series",
    "SeriesRollout": "sarai.results.series_rollout",
    "StatesRollout": "sarai.results.states_rollout",
    "Summary": "sarai.results.summary",
    "Trajectories": "sarai.results.trajectories",
    "Trajectory": "sarai.results.trajectories",
}


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
