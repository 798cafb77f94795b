"""Policies that misbehave, in rollouts and as opponents in environments."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import numpy as np
from gymnasium.error import ResetNeeded

import sarai
from attack import values, worlds
from attack.calls import SHORT
from attack.driven import Setting, go_on, lowest
from attack.trial import OwnError, Trial, shown

Answer = Callable[[Any, Any], Any]

_ERRORS: tuple[type[BaseException], ...] = (
    *(OwnError, KeyboardInterrupt, SystemExit, StopIteration, MemoryError, AttributeError, RecursionError),
    *(OverflowError, GeneratorExit, UnicodeDecodeError, Warning),
)


def attack(trial: Trial) -> None:
    """One case."""
    trial.rng.choice((in_rollouts, in_rollouts, in_environments, in_environments, harmless, reentrant))(trial)


def answers(rng: random.Random) -> Answer:
    """What a policy may come up with instead of actions."""
    odd = values.anything(rng)
    listed = [values.numbers(rng), values.anything(rng)]
    kinds: list[Answer] = [
        *(lambda o, m: odd, lambda o, m: [odd] * len(m), lambda o, m: [rng.choice(listed) for _ in m]),
        *(lambda o, m: m.argmin(axis=1), lambda o, m: m, lambda o, m: o, lambda o, m: m.argmax(axis=1)[:-1]),
        *(lambda o, m: m.argmax(axis=1) * 1.0, lambda o, m: np.full(len(m), np.nan)),
        lambda o, m: (a for a in m),
        *(lambda o, m: m.argmax(axis=1)[:, None], lambda o, m: int(m.argmax())),
        lambda o, m: m.argmax(axis=1) - 2**40,
        lambda o, m: m.argmax(axis=1).astype(np.uint64) + np.uint64(2**63),
        lambda o, m: np.zeros((len(m), 10**4)),
        *(lambda o, m: ["0"] * len(m), lambda o, m: values.bools(2) * len(m)),
        lambda o, m: [10**400] * len(m),
        lambda o, m: m.argmax(axis=1).astype("M8[s]"),
        lambda o, m: np.broadcast_to(np.int8(0), (len(m), 2**40)),
        *(lambda o, m: {"actions": 0}, lambda o, m: m.argmax(axis=1).astype(complex), lambda o, m: None),
    ]
    return rng.choice(kinds)


def late(answer: Answer, after: int) -> Answer:
    """A policy that answers well so many times, and then so."""
    calls = 0

    def policy(observations: Any, masks: Any) -> Any:
        nonlocal calls
        calls += 1
        return lowest(observations, masks) if calls <= after else answer(observations, masks)

    return policy


def raising(error: BaseException) -> Answer:
    """A policy that raises."""

    def policy(observations: Any, masks: Any) -> Any:
        raise error

    return policy


def made(kind: type[BaseException]) -> BaseException:
    """An exception of this kind."""
    return (
        UnicodeDecodeError("utf-8", b"x", 0, 1, "no")
        if kind is UnicodeDecodeError
        else kind("of the policy's own")
    )


def in_rollouts(trial: Trial) -> None:
    """Whole games: what a policy raises comes through as it is, and a wrong answer is refused."""
    rng = trial.rng
    game = rng.choice(worlds.GAMES)
    functions: list[Callable[..., Any]] = [sarai.rollout, sarai.trajectories, sarai.rollout_series]
    function = rng.choice(functions)
    given: dict[str, Any] = {"rules": SHORT[game], "num_threads": 1}
    given |= {"target": 1, "max_games": 3} if function is sarai.rollout_series else {}
    error = made(rng.choice(_ERRORS))
    raises = rng.random() < 0.4
    policy = late(raising(error) if raises else answers(rng), rng.choice([0, 0, 1, 3]))
    seats = sarai.make(game, **SHORT[game]).num_players
    agents: Any = policy if rng.random() < 0.5 else ["random"] * (seats - 1) + [policy]
    met = trial.call(function, game, 4, agents, **given, also=(type(error),) if raises else ())
    if raises and met.error is not None:
        trial.hold(met.error is error, f"a policy raised {error!r}, {met.error!r} came", "the very one")
    proper = function(game, 4, lowest, **given)
    trial.hold(
        proper == function(game, 4, lowest, **given), f"{function.__name__} after a refusal", "the same games"
    )


def in_environments(trial: Trial) -> None:
    """Opponents: after a refusal the environment goes on as if it had not been asked."""
    rng = trial.rng
    setting = Setting.any(rng, ("one, policy", "lanes, policy"))
    error = made(rng.choice(_ERRORS))
    raises = rng.random() < 0.4
    wrong = raising(error) if raises else answers(rng)
    bad = False

    def policy(observations: Any, masks: Any) -> Any:
        return wrong(observations, masks) if bad else lowest(observations, masks)

    seed = rng.randrange(2**64)
    env, twin = setting.make(seed, opponents=policy), setting.make(seed)
    go_on(trial, env, twin, rng.randrange(4), "before a policy misbehaves")
    for each in (env, twin):
        each.ready()
    before = twin.stands()
    actions = twin.chosen(rng)
    work: Callable[..., Any] = (lambda: env.step(actions)) if rng.random() < 0.7 else (lambda: env.reset(9))
    bad = True
    met = trial.call(work, also=(type(error),) if raises else ())
    bad = False
    words = f"{setting}: a policy raised {error!r}" if raises else f"{setting}: a policy's answer was refused"
    if met.error is None:
        return
    if raises:
        trial.hold(met.error is error, f"{words}, {met.error!r} came", "the very one")
    trial.hold(env.stands() == before, f"{words}, and", "no change")
    go_on(trial, env, twin, 4, words)


def harmless(trial: Trial) -> None:
    """A policy that scribbles on what it is given, at once and later, changes nothing."""
    rng = trial.rng
    game = rng.choice(worlds.GAMES)
    kept: list[Any] = []

    def scribbles(observations: Any, masks: Any) -> Any:
        actions = lowest(observations, masks)
        for array in (observations, masks, *kept):
            if array.flags.writeable:
                array.fill(7)
        kept[:] = [observations, masks, actions]
        return actions

    given: dict[str, Any] = {"rules": SHORT[game], "num_threads": 1}
    for function in (sarai.rollout, sarai.trajectories):
        met = trial.call(function, game, 4, scribbles, **given)
        trial.hold(met.error is None, lambda: f"{met.error!r}", "the games")
        plain = function(game, 4, lowest, **given)
        named = plain.__class__(
            **{
                **{
                    name: getattr(met.value, name)
                    for name in met.value.__dataclass_fields__
                    if name != "stats"
                },
                "agents": plain.agents,
            }
        )
        trial.hold(named == plain, f"{function.__name__}: a policy scribbled on its arrays", "the same games")
    setting = Setting.any(rng, ("one, policy", "lanes, policy"))
    seed = rng.randrange(2**64)
    go_on(
        trial,
        setting.make(seed, opponents=scribbles),
        setting.make(seed),
        4,
        "a policy scribbled on its arrays",
    )


def reentrant(trial: Trial) -> None:
    """A policy that asks the environment it plays in: refused, and everything goes on."""
    rng = trial.rng
    setting = Setting.any(rng, ("one, policy", "lanes, policy"))
    inner: list[Any] = []
    asked = rng.choice(
        [
            *(lambda env: env.reset(), lambda env: env.reset(seed=3), lambda env: env.step(0)),
            lambda env: env.action_masks(),
            *(lambda env: env.state(0), lambda env: env.state(), lambda env: env.sample_legal()),
            lambda env: env.render(),
            *(lambda env: env._repr_svg_(), lambda env: env.close(), lambda env: env.__getstate__(), repr),
        ]
    )
    env: Any = None

    def policy(observations: Any, masks: Any) -> Any:
        if env is not None:
            met = trial.call(asked, env.env, also=(RuntimeError, NotImplementedError, ResetNeeded))
            inner.append(met.error)
        return lowest(observations, masks)

    seed = rng.randrange(2**64)
    env, twin = setting.make(seed, opponents=policy), setting.make(seed)
    trial.met["accepted"] += 1
    for _ in range(4):
        for each in (env, twin):
            each.ready()
        actions = twin.chosen(rng)
        told = [worlds.plain(each.env.step(actions)) for each in (env, twin)]
        trial.hold(
            told[0] == told[1], f"{setting}: a policy that asks ({shown(inner)})", "what its twin tells"
        )
