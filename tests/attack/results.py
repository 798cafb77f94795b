"""Results and records in the hands of somebody careless: their methods, and made by hand."""

from __future__ import annotations

import copy
import dataclasses
import pickle
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

import sarai
from attack import values, worlds
from attack.calls import SHORT
from attack.trial import Trial, shown
from sarai.results.intervals import mean_interval, wilson


@cache
def samples(game: str) -> tuple[Any, ...]:
    """A result of every kind."""
    how: dict[str, Any] = {"rules": SHORT[game], "seed": 3, "num_threads": 1}
    return (
        sarai.rollout(game, 5, **how, keep=[0, 3]),
        sarai.trajectories(game, 3, **how),
        sarai.rollout_series(game, 4, target=1, max_games=3, **how),
        sarai.arena(game, ["greedy", "random"], 4, keep=[1], **how),
        sarai.play_series(game, target=2, max_games=4, rules=SHORT[game], seed=3),
    )


def attack(trial: Trial) -> None:
    """One case."""
    trial.rng.choice((by_hand, by_hand, indices, joined, intervals, steps, looks))(trial)


def by_hand(trial: Trial) -> None:
    """A result made from its fields, one of which is wrong: refused, or it says just that."""
    rng = trial.rng
    made = rng.choice(samples(rng.choice(worlds.GAMES)))
    fields = {field.name: getattr(made, field.name) for field in dataclasses.fields(made) if field.init}
    for _ in range(3):
        name = rng.choice(list(fields))
        wrong = spoiled(trial, fields[name])
        met = trial.call(type(made), **{**fields, name: wrong})
        if met.error is None:
            shows(trial, met.value)
    left = dict(fields)
    del left[rng.choice(list(left))]
    trial.call(type(made), **left)


def shows(trial: Trial, made: Any) -> None:
    """What was taken must be able to show itself."""
    for method in ("summary", "_repr_html_", "__repr__", "__str__", "to_pandas"):
        if hasattr(made, method):
            trial.call(getattr(made, method))
    trial.call(copy.deepcopy, made, also=(RecursionError,))


def spoiled(trial: Trial, value: Any) -> Any:
    """A value with something wrong."""
    rng = trial.rng
    if isinstance(value, np.ndarray) and rng.random() < 0.8:
        wrong = value.copy()
        if wrong.size and rng.random() < 0.5:
            place = tuple(rng.randrange(length) for length in wrong.shape)
            wrong[place] = np.int64(rng.choice([0, 1, -1, 100, 127, -128, -5])).astype(wrong.dtype)
            return wrong
        odd: list[Any] = [
            *(wrong.astype(np.float64), wrong[:-1], wrong[..., None], wrong.T, wrong.tolist(), wrong[::-1]),
            wrong.view("u1"),
            *(np.concatenate([wrong, wrong]), wrong.astype(object), wrong.astype(wrong.dtype.newbyteorder())),
        ]
        return rng.choice(odd)
    if isinstance(value, dict) and value and rng.random() < 0.7:
        key = rng.choice(list(value))
        return {**value, key: spoiled(trial, value[key])}
    if isinstance(value, tuple) and value and rng.random() < 0.7:
        return rng.choice([value[:-1], (*value, value[0]), list(value), (*value[:-1], values.anything(rng))])
    return values.anything(rng)


def indices(trial: Trial) -> None:
    """Indices that are none; copies and pickles are equal."""
    rng = trial.rng
    many = rng.choice(samples(rng.choice(worlds.GAMES))[1:3])
    for _ in range(3):
        index = rng.choice([values.numbers(rng), values.anything(rng), len(many), -len(many) - 1])
        met = trial.call(lambda result, place: result[place], many, index, also=(IndexError,))
        if met.error is None and isinstance(index, slice):
            trial.hold(
                met.value == many[: len(many[index])],
                f"{type(many).__name__}[{shown(index)}]",
                "the first games",
            )
            continue
        fits = met.error is not None or (
            not isinstance(index, bool) and -len(many) <= index.__index__() < len(many)
        )
        trial.hold(fits, f"{type(many).__name__}[{shown(index)}]", "a refusal")
    trial.hold(
        pickle.loads(pickle.dumps(many)) == many == copy.deepcopy(many), "a copy that differs", "equal"
    )
    other = values.anything(rng)
    if not isinstance(other, np.ndarray | np.generic):
        met = trial.call(lambda one, two: one == two, many, other)
        trial.hold(met.error is not None or met.value is False, f"equals {shown(other)}", "False")


def joined(trial: Trial) -> None:
    """Parts that do not belong together."""
    rng = trial.rng
    game = rng.choice(worlds.GAMES)

    def part(**how: Any) -> sarai.Rollout:
        return sarai.rollout(game, **{"num_games": 2, "rules": SHORT[game], "num_threads": 1, **how})

    others: list[dict[str, Any]] = [
        {"seed": 1},
        {"first_game": 3},
        {"agents": "greedy"},
        {"rules": {**SHORT[game], "max_turns": 15}},
        {"agents": lambda _, masks: masks.argmax(axis=1)},
    ]
    other = rng.choice(others)
    policy = {"agents": lambda _, masks: masks.argmax(axis=1)} if callable(other.get("agents")) else {}
    parts = [part(**policy), part(**{"first_game": 2, **other})]
    met = trial.call(sarai.Rollout.concatenate, parts)
    trial.hold(met.error is not None, f"concatenate took parts of {shown(other)}", "a refusal")
    good = [part(), part(first_game=2)]
    for wrong in (
        *(values.anything(rng), (one for one in good), [*good, values.anything(rng)], good[::-1], iter([])),
        good[0],
    ):
        met = trial.call(sarai.Rollout.concatenate, wrong)
        if met.error is None:
            trial.hold(met.value == part(num_games=4), f"concatenate({shown(wrong)})", "all the games")


def intervals(trial: Trial) -> None:
    """Shares and means."""
    rng = trial.rng
    for _ in range(4):
        pair = [rng.choice([values.numbers(rng), values.anything(rng), 3, 10]) for _ in range(2)]
        met = trial.call(wilson, *pair)
        if met.error is None:
            low, high = met.value
            trial.hold(0 <= low <= high <= 1, f"wilson({shown(pair)}): {low} to {high}", "0 to 1")
        given = rng.choice([values.anything(rng), [values.anything(rng) for _ in range(rng.randrange(3))]])
        met = trial.call(mean_interval, given)
        if met.error is None:
            trial.hold(
                bool(np.isfinite(met.value[0])), f"mean_interval({shown(given)}): {met.value}", "a number"
            )


def steps(trial: Trial) -> None:
    """Records of steps that are none."""
    rng = trial.rng
    game = worlds.some_game(rng)
    name, short = game.name, SHORT[game.name]
    record = sarai.Record.play(name, seed=rng.randrange(3), rules=short)
    ids: list[Any] = [step.id for step in record.steps]
    place = rng.randrange(len(ids))
    wrong: Any = rng.choice(
        [
            *([*ids[:place], values.anything(rng), *ids[place + 1 :]], [*ids, 0], ids[:place], ids[place:]),
            ids[::-1],
            *(values.anything(rng), iter(ids), np.array(ids), [float(step) for step in ids]),
            (True for _ in ids),
        ]
    )
    more = rng.choice(
        [
            *({}, {"seed": values.numbers(rng)}, {"number": values.anything(rng)}),
            {"agents": values.anything(rng)},
            {"agents": [values.text(rng) for _ in range(game.num_players)]},
        ]
    )
    met = trial.call(sarai.Record.from_steps, record.get_game(), wrong, **more)
    if met.error is None:
        made = met.value
        for way in ("to_json", "to_text"):
            written = trial.call(getattr(made, way))
            if written.error is None:
                back = trial.call(getattr(sarai.Record, f"from_{way[3:]}"), written.value)
                trial.hold(back.value == made, lambda: f"{way} and back: {made!r}: {back.error}", "the same")
    trial.call(sarai.Record.from_steps, values.anything(rng), ids)
    for read in (sarai.Record.from_json, sarai.Record.from_text):
        trial.call(read, values.anything(rng))
    trial.call(record.animate, by_turn=values.anything(rng))


def looks(trial: Trial) -> None:
    """Labels of policies that are no names, in everything that shows them."""
    rng = trial.rng
    game = rng.choice(worlds.GAMES)

    def policy(_: Any, masks: Any) -> Any:
        return masks.argmax(axis=1)

    label: Callable[[], Any] = rng.choice(
        [lambda: values.text(rng), lambda: "<script>alert(1)</script>&\0\x1b[31m"]
    )
    policy.__qualname__ = label()
    result = trial.call(sarai.rollout, game, 3, policy, rules=SHORT[game], keep=[1])
    if result.error is not None:
        return
    made = result.value
    page = made._repr_html_()
    trial.hold("<script>" not in page, "a script in a notebook's page", "escaped")
    page.encode()
    str(made.summary()).encode()
    trial.call(made.to_pandas)
    trial.call(made.records[1]._repr_svg_)
