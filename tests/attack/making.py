"""Environments made with arguments that are none; what is taken plays on."""

from __future__ import annotations

import random
from typing import Any

import sarai
from attack import values, worlds
from attack.calls import SHORT
from attack.driven import KINDS, LANES, MODES, Driven, Setting
from attack.trial import Trial, shown
from attack.verbs import index_of

WHOLE = {
    "seat": (0, 3),
    "num_envs": (1, 2**20),
    "max_episode_steps": (1, 2**63),
    "num_threads": (1, 256),
    "max_cycles": (1, None),
}


def attack(trial: Trial) -> None:
    """One case: an argument or two that are wrong."""
    rng = trial.rng
    setting = Setting.any(rng, KINDS)
    given: dict[str, Any] = {**dict(setting.given), "rules": SHORT[setting.game]}
    if setting.lanes:
        given |= {"num_envs": LANES, "seed": 4}
    names = rng.sample(list(given), rng.choice([1, 1, 2]))
    for name in names:
        given[name] = wrong(trial, name, setting)
    if rng.random() < 0.1:
        given[values.text(rng, list(given))] = values.anything(rng)
    if rng.random() < 0.1:
        given["preset"] = rng.choice(
            [values.text(rng, list(sarai.presets(setting.game))), values.anything(rng)]
        )
    if rng.random() < 0.1:
        given["render_mode"] = rng.choice(
            [values.text(rng, ["ansi", "svg", "rgb_array", "human"]), values.anything(rng)]
        )
    game = (
        setting.game
        if rng.random() < 0.95
        else rng.choice([values.text(rng, worlds.GAMES), values.anything(rng)])
    )
    met = trial.call(setting.maker(), game, **given)
    if met.error is not None:
        return
    for name in set(WHOLE) & set(given):
        low, high = WHOLE[name]
        whole = index_of(given[name])
        fits = whole is not None and low <= whole and (high is None or whole <= high)
        fits |= given[name] is None and name in ("num_threads", "max_cycles", "max_episode_steps")
        # A seat drawn for each game.
        fits |= name == "seat" and isinstance(given[name], str) and given[name] == "random"
        trial.hold(fits, f"{setting.kind} took {name}={shown(given[name])}", f"{low} to {high}")
    plays(trial, setting, met.value)


def wrong(trial: Trial, name: str, setting: Setting) -> Any:
    """What an argument may not take."""
    rng = trial.rng
    if name == "num_envs":
        return rng.choice([values.numbers(rng), 0, 2**20 + 1, values.anything(rng)])
    words = {
        "autoreset_mode": [*MODES, "NEXT_STEP", "SAME_STEP", "DISABLED"],
        "illegal_action": ["raise", "terminate", "random"],
        "opponents": ["random", "greedy", "mcts:2"],
        "rules": list(SHORT[setting.game]),
    }
    if name == "opponents" and rng.random() < 0.5:
        agents = [
            "random",
            "greedy",
            lambda _, masks: masks.argmax(axis=1),
            values.anything(rng),
            values.text(rng),
        ]
        return [rng.choice(agents) for _ in range(rng.randrange(4))]
    if name == "rules":
        return {**SHORT[setting.game], values.text(rng, words[name]): values.anything(rng)}
    if name in words and rng.random() < 0.5:
        return rng.choice([values.text(rng, words[name]), rng.choice(words[name])])
    return rng.choice([values.numbers(rng), values.anything(rng)])


def plays(trial: Trial, setting: Setting, env: Any) -> None:
    """An environment that was made can be played, and its policies alone may refuse."""
    driven = Driven(setting, env)
    if getattr(env, "num_envs", LANES) != LANES:
        trial.call(env.reset, seed=1)
        return
    begun = trial.call(env.reset, seed=1)
    if begun.error is not None:
        # An agent that was taken may be a callable that is no policy.
        trial.hold(callable_opponent(setting, env), f"{setting}: {begun.error}", "a game that begins")
        return
    rng = random.Random(1)
    for _ in range(3):
        driven.ready()
        met = trial.call(driven.step, driven.chosen(rng))
        if met.error is not None:
            trial.hold(callable_opponent(setting, env), f"{setting}: {met.error}", "a game that goes on")
            return
    if env.metadata["render_modes"] and getattr(env, "render_mode", None) != "human":
        env.render()
    driven.close()


def callable_opponent(setting: Setting, env: Any) -> bool:
    """Whether somebody of the attack's own plays."""
    return setting.kind not in ("turns", "self-play") and bool(env.seats.policies)
