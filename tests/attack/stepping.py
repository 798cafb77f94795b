"""Environments under way: wrong actions, seeds and options, copies, and arrays that are overwritten."""

from __future__ import annotations

import copy
import pickle
import random
from collections.abc import Callable
from typing import Any

import numpy as np
from gymnasium.error import ResetNeeded

from attack import values, worlds
from attack.driven import LANES, Driven, Setting, go_on, twins
from attack.trial import Trial, shown
from attack.verbs import index_of


def attack(trial: Trial) -> None:
    """One case."""
    trial.rng.choice((actions, actions, seeds, options, copies, overwritten, questions, never_begun))(trial)


def actions(trial: Trial) -> None:
    """Actions that are none; what is taken is what the twin is given as plain integers."""
    setting = Setting.any(trial.rng)
    env, twin = twins(trial, setting)
    for _ in range(4):
        env.ready()
        twin.ready()
        good = twin.chosen(trial.rng)
        given = wrong_action(trial, setting, good, twin)
        before = env.stands()
        met = trial.call(env.env.step, given, also=(ResetNeeded, RuntimeError) if twin.over() else ())
        if met.error is not None:
            trial.hold(
                env.stands() == before, f"{setting}: a step with {shown(given)} was refused, and", "no change"
            )
            continue
        plain = as_plain(given, setting)
        if given is None and good is None:
            # What PettingZoo asks of an agent whose game is over.
            twin.env.step(None)
            continue
        trial.hold(plain is not None, f"{setting}: took {shown(given)} as an action", "a refusal")
        came = worlds.plain(met.value), env.stands()
        again = twin.step(plain)
        trial.hold(
            [*came] == again, f"{setting}: {shown(given)} was taken as something else", f"as {shown(plain)}"
        )
    go_on(trial, env, twin, 3, "after wrong actions")


def as_plain(given: Any, setting: Setting) -> Any:
    """Actions as the integers that they are; None if they are none."""
    if not setting.lanes:
        return None if given is None else index_of(given)
    try:
        whole = [index_of(each) for each in (np.asarray(given) if isinstance(given, np.ndarray) else given)]
    except TypeError:
        return None
    return None if None in whole or len(whole) != LANES else whole


def wrong_action(trial: Trial, setting: Setting, good: Any, twin: Driven) -> Any:
    """An action that is none, or one in an odd form."""
    rng = trial.rng
    if not setting.lanes:
        odd = (
            [np.int16(good), values.Says(good), np.array(good), values.Whole(good)]
            if good is not None
            else [None]
        )
        return rng.choice([*odd, values.numbers(rng), values.anything(rng), rng.randrange(200), None, [good]])
    whole = np.asarray(good)
    one = rng.randrange(LANES)
    illegal = np.flatnonzero(twin.masks()[one] == 0)
    listed = whole.tolist()
    listed[one] = rng.choice(
        [values.numbers(rng), values.anything(rng), int(rng.choice(illegal)) if len(illegal) else -1]
    )
    forms: list[Callable[[], Any]] = [
        *(lambda: listed, lambda: tuple(listed), lambda: whole.astype(np.float64)),
        lambda: whole.astype(bool),
        *(lambda: whole[:-1], lambda: whole[:, None], lambda: whole.astype(">i2")),
        lambda: np.stack([whole, whole]),
        *(lambda: np.array(listed, dtype=object), lambda: whole.astype(object), lambda: whole.astype("U3")),
        *(lambda: values.bools(1, 2, 255), lambda: values.anything(rng)),
        lambda: whole.astype(np.uint64) + 2**63,
        *(lambda: np.repeat(whole, 2)[::2], lambda: int(whole[0])),
        lambda: np.ma.masked_array(whole, [True, False, False]),
        *(lambda: whole.astype("M8[s]"), lambda: whole.data, lambda: whole - 1000, lambda: iter(listed)),
        *(lambda: dict(enumerate(listed)), lambda: whole.astype(complex)),
    ]
    return rng.choice(forms)()


def seeds(trial: Trial) -> None:
    """Seeds that are none: nothing changes. Those that are taken are taken as they are."""
    rng = trial.rng
    setting = Setting.any(rng)
    env, twin = twins(trial, setting)
    for _ in range(3):
        listed = [
            rng.choice([0, 7, 2**64 - 1, values.numbers(rng), values.anything(rng)])
            for _ in range(rng.choice([3, 3, 2]))
        ]
        given = rng.choice([values.numbers(rng), values.anything(rng), listed, tuple(listed)])
        before = env.stands()
        met = trial.call(env.env.reset, seed=given)
        if met.error is not None:
            trial.hold(
                env.stands() == before, f"{setting}: reset(seed={shown(given)}) was refused, and", "no change"
            )
            continue
        plain = given if given is None else index_of(given)
        if plain is None and setting.lanes and given is not None:
            plain = as_plain(given, setting)
        each = plain if isinstance(plain, list) else [plain]
        fits = given is None or all(one is not None and 0 <= one < 2**64 for one in each)
        trial.hold(fits, f"{setting}: took the seed {shown(given)}", "0 to 2**64 - 1")
        twin.env.reset(seed=plain)
    go_on(trial, env, twin, 3, "after wrong seeds")


def options(trial: Trial) -> None:
    """Options of a reset that are none, and masks whose cells are no bools."""
    rng = trial.rng
    setting = Setting.any(rng)
    env, twin = twins(trial, setting)
    for _ in range(3):
        cells = [rng.choice([0, 0, 1, 2, 128, 255]) for _ in range(rng.choice([3, 3, 3, 2]))]
        mask = rng.choice(
            [
                values.bools(*cells),
                values.bools(*cells),
                np.array(cells),
                cells,
                values.anything(rng),
                np.zeros((3, 1), bool),
            ]
        )
        given = rng.choice(
            [
                *({"reset_mask": mask}, {"reset_mask": mask}, {"reset_mask": mask, "state": 1}),
                {"reset_masks": mask},
                *(values.anything(rng), {values.text(rng, ["reset_mask", "options"]): mask}, {}, None),
            ]
        )
        before = env.stands()
        met = trial.call(env.env.reset, options=given)
        if met.error is not None:
            trial.hold(
                env.stands() == before,
                f"{setting}: reset(options={shown(given)}) was refused, and",
                "no change",
            )
            continue
        empty = given is None or given == {}
        masked = not empty and setting.lanes and list(given) == ["reset_mask"] and mask.dtype == np.bool_
        trial.hold(
            empty or masked,
            f"{setting}: took the options {shown(given)}",
            "a refusal of what it does not know",
        )
        if masked:
            twin.env.reset(options={"reset_mask": np.array(cells) != 0})
        else:
            twin.env.reset()
    go_on(trial, env, twin, 3, "after wrong options")


def copies(trial: Trial) -> None:
    """A copy and its original both go on as a twin does, whichever is moved first."""
    rng = trial.rng
    setting = Setting.any(rng)
    env, twin, other = twins(trial, setting, 3)
    ways: list[Callable[[Any], Any]] = [copy.copy, copy.deepcopy, lambda one: pickle.loads(pickle.dumps(one))]
    if "policy" in setting.kind:
        ways = ways[:2]
    met = trial.call(rng.choice(ways), env.env)
    trial.hold(met.error is None, lambda: f"{setting}: {met.error}", "a copy")
    copied = Driven(setting, met.value)
    first, second = (copied, env) if rng.random() < 0.5 else (env, copied)
    go_on(trial, first, twin, 3, "one of a copy and its original")
    go_on(trial, second, other, 3, "the other of a copy and its original")


def overwritten(trial: Trial) -> None:
    """What was returned is overwritten: the environment does not care."""
    setting = Setting.any(trial.rng)
    env, twin = twins(trial, setting)
    rng = random.Random(trial.rng.random())
    spoil(env.env.reset(seed=3))
    spoil(env.env.__dict__.get("infos"))
    twin.env.reset(seed=3)
    trial.met["accepted"] += 4
    for _ in range(4):
        env.ready()
        twin.ready()
        spoil(told_by(env))
        actions = twin.chosen(rng)
        expected = worlds.plain(twin.env.step(actions))
        given = np.array(actions) if setting.lanes else actions
        came = env.env.step(given)
        trial.hold(
            worlds.plain(came) == expected,
            f"{setting}: what was returned was overwritten, and a step",
            "the same",
        )
        spoil(came)
        if setting.lanes:
            given.fill(-1)
    sampled = [each.env.sample_legal() for each in (env, twin)] if setting.kind != "turns" else [0, 0]
    trial.hold(
        np.array_equal(sampled[0], sampled[1]),
        f"{setting}: sample_legal gives {shown(sampled)}",
        "what is legal",
    )
    go_on(trial, env, twin, 3, "after arrays were overwritten")


def told_by(env: Driven) -> list[Any]:
    """All that an environment gives away when it is asked."""
    if env.setting.kind == "turns":
        return [env.env.observe(env.env.agent_selection), dict(env.env.infos), env.env.last()]
    return [env.env.action_masks(), env.env.metadata["render_modes"], env.env.state]


def spoil(value: Any) -> None:
    """Overwrite every array in it."""
    if isinstance(value, dict):
        for each in value.values():
            spoil(each)
    elif isinstance(value, list | tuple):
        for each in value:
            spoil(each)
    elif isinstance(value, np.ndarray) and value.dtype.kind == "O":
        for each in value.flat:
            spoil(each)
    elif isinstance(value, np.ndarray) and value.flags.writeable:
        value.view(np.uint8).fill(3)


def questions(trial: Trial) -> None:
    """Questions with wrong arguments, asked of an environment under way."""
    rng = trial.rng
    setting = Setting.any(rng)
    env, twin = twins(trial, setting)
    if setting.kind == "turns":
        for name in ("observe", "observation_space", "action_space"):
            trial.call(
                getattr(env.env, name), rng.choice([values.anything(rng), values.text(rng, ["player_0"])])
            )
    elif setting.lanes:
        trial.call(env.env.state, rng.choice([values.numbers(rng), values.anything(rng), LANES, -1]))
        trial.call(env.env.sample_legal, rng.choice([values.numbers(rng), values.anything(rng), "rng"]))
        twin.env.np_random.bit_generator.state = env.env.np_random.bit_generator.state
    trial.call(env.env._repr_svg_)
    trial.call(env.env._repr_html_)
    go_on(trial, env, twin, 3, "after questions")


def never_begun(trial: Trial) -> None:
    """An environment that was never reset: shown, copied, stepped."""
    rng = trial.rng
    setting = Setting.any(rng)
    given = {**dict(setting.given), "rules": {}}
    env = setting.maker()(setting.game, *([2] if setting.lanes else []), **given)
    for way in (copy.copy, copy.deepcopy, lambda one: pickle.loads(pickle.dumps(one)), repr, str):
        if "policy" not in setting.kind or way in (repr, str):
            trial.call(way, env)
    for name in ("render", "_repr_html_", "_repr_svg_", "action_masks", "sample_legal", "close"):
        if hasattr(env, name) and (name != "render" or env.metadata["render_modes"]):
            trial.call(getattr(env, name))
    trial.call(env.step, [0, 0] if setting.lanes else 0, also=(ResetNeeded, RuntimeError))
    begun = trial.call(env.reset, seed=1)
    trial.hold(begun.error is None, lambda: f"{setting}: {begun.error}", "a game")
