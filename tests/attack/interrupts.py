"""Ctrl-C within a step, a reset or a copy of an environment: it has happened wholly, or not at all."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import numpy as np

from attack import worlds
from attack.driven import LANES, Driven, Setting, go_on, twins
from attack.interrupting import interrupted
from attack.trial import Trial


def attack(trial: Trial) -> None:
    """One case: one operation is interrupted a few times on its way; then it goes on as its twin does."""
    rng = trial.rng
    setting = Setting.any(rng)
    env, twin, third = twins(trial, setting, 3)
    for _ in range(3):
        for each in (env, twin, third):
            each.ready()
        what, work = operation(trial, twin)
        places = interrupted(lambda: work(third), None).count
        at = rng.randrange(places)
        before = twin.stands()
        done = interrupted(lambda: work(env), at)
        trial.met["KeyboardInterrupt"] += 1
        words = f"{setting}: {what} interrupted at place {at}, {done.said}"
        trial.hold(done.instead is None, lambda: f"{words}: {done.instead!r}", "KeyboardInterrupt")
        stands = trial.call(env.stands)
        trial.hold(stands.error is None, lambda: f"{words}: {stands.error!r}", "an environment that goes on")
        if stands.value == before:
            told = work(env), work(twin)
            trial.hold(told[0] == told[1], f"{words}, done again", "what its twin tells")
        else:
            work(twin)
            trial.hold(stands.value == twin.stands(), words, "all of it or nothing")
        trial.hold(env.stands() == twin.stands(), f"{words}, and then", "where its twin stands")
    go_on(trial, env, twin, 4, words)


def operation(trial: Trial, twin: Driven) -> tuple[str, Callable[[Driven], Any]]:
    """What is interrupted: what it is called, and how it is done."""
    rng = trial.rng
    kind = rng.randrange(6)
    if kind == 0:
        seed = rng.choice([None, 5])
        return f"reset(seed={seed})", lambda driven: driven.reset(seed)
    if kind == 1 and twin.setting.lanes:
        mask = np.array([rng.random() < 0.5 for _ in range(LANES)])
        mask[rng.randrange(LANES)] = True
        return "reset(options)", lambda driven: worlds.plain(driven.env.reset(options={"reset_mask": mask}))
    if kind == 2:
        return "a look", lambda driven: driven.stands()
    if kind == 3 and twin.setting.kind != "turns":
        return "sample_legal", lambda driven: worlds.plain(driven.env.sample_legal())
    if kind == 4 and "policy" not in twin.setting.kind:
        return "deepcopy", lambda driven: Driven(driven.setting, copy.deepcopy(driven.env)).stands()
    action = twin.chosen(rng)
    return "a step", lambda driven: driven.step(np.array(action) if twin.setting.lanes else action)
