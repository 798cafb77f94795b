"""`SelfPlayVectorEnv.step` of every game, as `benches/python/self_play.py` times it, on one thread."""

from __future__ import annotations

import sys
from pathlib import Path

import sarai
from table import Measure, Row

sys.path.append(str(Path(__file__).resolve().parents[1] / "python"))
from self_play import LANES, SEED, some_actions, timed

STEPS = 300
NOTES = [
    f"A lane-step is one action in one of {LANES:,} lanes stepped at once, observations and masks included; the "
    "actions are legal ones, drawn beforehand.",
]


def rate(name: str, copy: bool) -> Measure:
    """Lane-steps a second, with fresh arrays each step or the same buffers again."""
    env = sarai.SelfPlayVectorEnv(name, LANES, seed=SEED, num_threads=1, copy=copy)
    actions = some_actions(name, LANES, STEPS)
    return lambda _: LANES / timed(env, actions)


def rows() -> list[Row]:
    """Both settings of every game."""
    return [
        Row(f"{game}, SelfPlayVectorEnv.step, {arrays}", "lane-steps/s", rate(game, copy))
        for game in sarai.games()
        for arrays, copy in (("fresh arrays", True), ("copy=False", False))
    ]
