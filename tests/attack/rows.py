"""Many positions at once, and the search of them, asked for what is none."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

import sarai
from attack import values, worlds
from attack.policies import made
from attack.trial import OwnError, Trial, shown
from attack.verbs import index_of

_SOON = 3000
"""Numbers above this and in range would take long, and are nothing wrong."""


@cache
def batch(index: int) -> sarai.States:
    """Positions of every kind under one rule book: decisions, throws, and an end."""
    states = worlds.walk(index, 0)
    return sarai.States.from_states([*states[:3], *states[len(states) // 2 :][:3], states[-1]])


def attack(trial: Trial) -> None:
    """One case."""
    rng = trial.rng
    s = batch(rng.randrange(len(worlds.RULES))).copy()
    before = s.copy()
    way = rng.choice(
        (steps, steps, steps, questions, questions, rows, expansions, made_anew, searches, answers)
    )
    way(trial, s)
    if way is not steps:
        trial.hold(s == before, f"{way.__name__} changed the rows", "nothing")
    trial.hold(pickle.loads(pickle.dumps(s)) == s == copy.deepcopy(s), "a copy", "the same rows")


def whole(trial: Trial, high: int) -> Any:
    """A whole number, or nearly one; none that is in range and takes long."""
    given = trial.rng.choice(
        [values.numbers(trial.rng), values.anything(trial.rng), 0, 1, 2, -1, high, high + 1]
    )
    number = index_of(given)
    return given if number is None or not _SOON < number <= high else high + 1


def many(trial: Trial, good: list[int]) -> Any:
    """Actions or outcomes, a row each, of which one or another is odd."""
    rng = trial.rng
    listed: list[Any] = list(good)
    for _ in range(rng.choice([0, 1, 1, 2])):
        odd = rng.choice([values.numbers(rng), values.anything(rng), -1, 200, 2**40])
        listed[rng.randrange(len(listed))] = odd
    return rng.choice(
        [
            *(listed, listed, tuple(listed), listed[:-1], [*listed, 0], values.anything(rng)),
            *(np.array(good, np.int64)[::-1], np.array(good, np.float64), np.array(good)[:, None]),
            np.array(good, rng.choice([np.int16, np.uint64, np.int32, ">i4"])),
            *(values.arrays(rng), np.array(good, object)),
        ]
    )


def steps(trial: Trial, s: sarai.States) -> None:
    """A step of all rows: they all take it, or none does."""
    rng = trial.rng
    before = [str(state) for state in s]
    at_chance = rng.random() < 0.3
    s = s[s.is_chance_node if at_chance else s.current_player >= 0]
    if not len(s):
        return
    before = [str(state) for state in s]
    given = many(trial, [rng.choice(worlds.choices(state)) for state in s])
    met = trial.call(s.apply_outcomes if at_chance else s.apply_actions, given)
    after = [str(state) for state in s]
    if met.error is not None:
        trial.hold(after == before, f"refused {shown(given)}, and", "no change")
        return
    for row, (state, text) in enumerate(zip(s, before, strict=True)):
        known = s.game.parse(text)
        known.apply_action(index_of(given[row]) or 0)
        trial.hold(known == state, f"row {row}: {shown(given[row])} of {text}", str(known))


def questions(trial: Trial, s: sarai.States) -> None:
    """What is asked of all rows, with arguments that are none."""
    rng = trial.rng
    shape = (len(s), *s.game.observation_shape)
    odd = values.anything(rng)
    outs = [
        *(None, np.empty(shape, np.int8), np.empty(shape, np.int16), np.empty(shape[::-1], np.int8)),
        *(np.empty((len(s) + 1, shape[1]), np.int8), np.empty(shape, np.int8, order="F"), odd, odd),
        *(np.empty(shape, np.float32), np.empty((len(s), s.game.num_actions), np.int8)),
    ]
    locked = np.empty(shape, np.int8)
    locked.flags.writeable = False
    out = rng.choice([*outs, locked])
    viewers = [None, 0, s.game.num_players, -1, whole(trial, 3), odd, [0] * len(s), np.zeros(len(s), np.int8)]
    threads = rng.choice([None, 1, 1, whole(trial, 256)])
    calls: list[Callable[[], Any]] = [
        lambda: s.observations(rng.choice(viewers), out=out, num_threads=threads),
        lambda: s.observations(rng.choice(viewers), dtype=rng.choice(["float32", "int8", odd])),
        lambda: s.observations(many(trial, [0] * len(s))),
        lambda: s.legal_actions_mask(out=out, num_threads=threads),
    ]
    trial.call(rng.choice(calls))


def rows(trial: Trial, s: sarai.States) -> None:
    """Rows by what are no rows."""
    rng = trial.rng
    given = rng.choice(
        [
            *(values.anything(rng), values.numbers(rng), values.arrays(rng), values.bools(2)),
            *([0, len(s)], [-1, -len(s) - 1], [True] * len(s), [True], slice(5, None, -2), slice(0, 9, 0)),
            *(slice("a", 1), (0, 1), np.zeros((2, 2), int), np.array([0.5]), Ellipsis, None),
        ]
    )
    met = trial.call(lambda: s[given], also=(IndexError,))
    if met.error is None and isinstance(met.value, sarai.State):
        trial.hold(met.value in list(s), f"s[{shown(given)}] is {met.value}", "a row")


def expansions(trial: Trial, s: sarai.States) -> None:
    """What can follow, with limits that are none."""
    rng = trial.rng
    expand = rng.choice([s.successors, s.afterstates, s.chance_successors])
    limit = rng.choice([whole(trial, 10**8), 0, 1, 10, 50])
    met = trial.call(expand, limit, num_threads=rng.choice([None, 1, whole(trial, 256)]))
    if met.error is None:
        e = met.value
        fits = e.offsets[-1] == len(e.states) == len(e.parent) and len(e.offsets) == len(s) + 1
        trial.hold(bool(fits), f"{expand.__name__}({shown(limit)})", "offsets that fit")
        trial.hold(
            len(e.states) <= (index_of(limit) or 0), f"{len(e.states)} rows", f"at most {shown(limit)}"
        )


def made_anew(trial: Trial, s: sarai.States) -> None:
    """Rows from what are no positions, sampled from no games, and played on."""
    rng = trial.rng
    name, odd = rng.choice(worlds.GAMES), values.anything(rng)
    other = batch(rng.randrange(len(worlds.RULES)))
    listed = [s[0], rng.choice([odd, other[0], s[1], None])]
    agents = rng.choice(
        ["random", values.text(rng, ["random", "greedy"]), odd, ["random"] * rng.randrange(5)]
    )
    calls: list[Callable[[], Any]] = [
        lambda: sarai.States(
            rng.choice([name, s.game, odd, values.text(rng, worlds.GAMES)]), whole(trial, 10**8)
        ),
        lambda: sarai.States.from_states(rng.choice([listed, tuple(listed), iter(listed), [], odd])),
        lambda: sarai.States.concatenate(rng.choice([[s, other], [s, odd], [], odd, [s, s[:0]]])),
        lambda: sarai.sample_states(name, whole(trial, 10**8), agents, seed=whole(trial, 2**64 - 1)),
        lambda: sarai.sample_states(name, 2, agents, first_game=rng.choice([values.numbers(rng), odd])),
        lambda: s.copy().sample_chance(
            rng.choice([values.numbers(rng), odd]), rng.choice([0, odd, 2**64 - 1])
        ),
        lambda: (
            s.rollout(whole(trial, 10**8), agents, seed=rng.choice([0, odd])) if rng.random() < 0.3 else None
        ),
        lambda: s == odd,
    ]
    met = trial.call(rng.choice(calls))
    if isinstance(met.value, sarai.States):
        trial.hold(len(met.value.current_player) == len(met.value), "rows made anew", "rows to be asked")


def proper(observations: Any, masks: Any) -> Any:
    """An evaluator that does as it should."""
    return np.zeros(masks.shape, np.float32), observations[:, 0] % 3 / 4


def searches(trial: Trial, s: sarai.States) -> None:
    """A search with arguments that are none."""
    rng = trial.rng
    odd = values.anything(rng)
    given: dict[str, Any] = {"simulations": 3, "evaluator": rng.choice([proper, "heuristic", "playout"])}
    floats = [odd, 0.0, -1.0, 1e300, float("nan"), float("inf"), True, "1", np.float32(0.5)]
    wrong: dict[str, Any] = {
        "simulations": whole(trial, 20_000_000),
        "evaluator": rng.choice([values.text(rng, ["heuristic", "playout"]), odd]),
        "priors": rng.choice([odd, 1, np.True_, False]),
        "noise": rng.choice([odd, (0.3, rng.choice(floats)), (rng.choice(floats), 0.25), (1,), [0.3, 0.2]]),
        "exploration": rng.choice(floats),
        "seed": rng.choice([values.numbers(rng), odd]),
        "num_threads": whole(trial, 256),
    }
    for name in rng.sample(list(wrong), rng.choice([1, 1, 2])):
        given[name] = wrong[name]
    roots = s if rng.random() < 0.2 else s[~s.is_chance_node]
    met = trial.call(sarai.search, rng.choice([roots, roots, roots, odd]), **given)
    if met.error is None:
        acting = roots.current_player >= 0
        trial.hold(bool(((met.value.best >= 0) == acting).all()), "a search", "an action wherever one is due")


def answers(trial: Trial, s: sarai.States) -> None:
    """An evaluator that misbehaves: what it raises comes through, a wrong answer is refused."""
    rng = trial.rng
    odd = values.anything(rng)
    error = made(rng.choice([OwnError, ValueError, KeyboardInterrupt, MemoryError, StopIteration]))

    def raises(observations: Any, masks: Any) -> Any:
        raise error

    def scribbles(observations: Any, masks: Any) -> Any:
        told = proper(observations, masks)
        observations.fill(7)
        masks.fill(7)
        return told

    kinds: list[Callable[..., Any]] = [
        *(raises, raises, scribbles, lambda o, m: odd, lambda o, m: (odd, np.zeros(len(o)))),
        *(
            lambda o, m: (np.zeros(m.shape), odd),
            lambda o, m: np.full(len(o), np.nan),
            lambda o: o[:, 0] / 200,
        ),
        *(
            lambda o, m: np.zeros((len(o), 7)),
            lambda o, m: np.zeros(len(o) + 1),
            lambda o, m: np.zeros(len(o)) + 1e30,
        ),
        lambda o, m: (np.full(m.shape, np.inf), np.zeros(len(o))),
        lambda o, m: (np.where(m, np.nan, 0.0), np.zeros(len(o))),
        *(lambda o, m: (m, m, m), lambda o, m: np.zeros(len(o), complex), lambda o, m: [["a"]] * len(o)),
        *(lambda o, m: np.zeros((len(o), 1)) > 0, lambda: None, lambda a, b, c: None),
    ]
    wrong = rng.choice(kinds)
    roots = s[~s.is_chance_node]
    due = sarai.search(roots, 4, proper)
    met = trial.call(sarai.search, roots, 4, wrong, also=(type(error),) if wrong is raises else ())
    asked = bool((roots.current_player >= 0).any())
    if wrong is raises and asked:
        trial.hold(met.error is error, f"an evaluator raised {error!r}, {met.error!r} came", "the very one")
    if wrong is scribbles:
        trial.hold(bool((met.value.visits == due.visits).all()), "an evaluator scribbled", "the same visits")
    again = sarai.search(roots, 4, proper)
    trial.hold(bool((again.visits == due.visits).all()), "a search after a refusal", "the same visits")
