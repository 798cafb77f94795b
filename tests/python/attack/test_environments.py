"""Environments under way: one of two twins meets wrong input, and goes on as the other does."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from attack.driven import LANES, MAKERS, Driven, Setting, settings_of
from attack.interrupting import interrupted
from attack.oracle import call, lowest, plain, shown, spoil, tries
from attack.policies import answers, errors, raising
from attack.values import Says, Whole, anything, bools, fresh, index_of, near, numbers, some

LOWEST = object()
"""Says that a policy answers as `lowest` does."""

seeds = st.integers(0, 2**64 - 1)
ways: list[Callable[[Any], Any]] = [copy.copy, copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))]
QUESTIONS: list[Callable[[Any], Any]] = [
    *(lambda env: env.reset(), lambda env: env.reset(seed=3), lambda env: env.step(0), repr),
    *(lambda env: env.action_masks(), lambda env: env.state(0), lambda env: env.state()),
    *(lambda env: env.close(), lambda env: env.sample_legal(), lambda env: env.render()),
    *(lambda env: env._repr_svg_(), lambda env: env.__getstate__()),
]
"""What a policy may ask of the environment it plays in."""


def whole(given: Any, lanes: bool) -> Any:
    """Actions or seeds as the integers that they are; None if they are none."""
    if not lanes:
        return index_of(given)
    try:
        found = [index_of(each) for each in given]
    except BaseException:
        return None
    return None if None in found or len(found) != LANES else found


@st.composite
def wrong_actions(draw: Any, twin: Driven, good: Any) -> Any:
    """An action that is none, or one in an odd form."""
    if not twin.setting.lanes:
        odd = st.integers(0, 200) | numbers | anything
        if good is None:
            return draw(odd)
        forms = [np.int16(good), Says(good), np.array(good), Whole(good), None, [good]]
        return draw(odd | fresh(lambda: forms))
    actions, lane = np.asarray(good), draw(st.integers(0, LANES - 1))
    illegal = np.flatnonzero(twin.masks()[lane] == 0).tolist()
    listed = actions.tolist()
    listed[lane] = draw(numbers | anything | st.sampled_from([-1, *illegal]))
    odd_forms: list[Callable[[], Any]] = [
        *(lambda: listed, lambda: tuple(listed), lambda: iter(listed), lambda: dict(enumerate(listed))),
        *(lambda: np.array(listed, dtype=object), lambda: actions.astype(object), lambda: actions * 1.0),
        *(lambda: actions.astype(bool), lambda: actions[:-1], lambda: actions[:, None]),
        *(lambda: actions.data, lambda: actions.astype(">i2"), lambda: np.stack([actions, actions])),
        *(lambda: actions.astype("U3"), lambda: bools(1, 2, 255)),
        *(lambda: actions.astype(np.uint64) + 2**63, lambda: actions - 1000),
        *(lambda: np.repeat(actions, 2)[::2], lambda: int(actions[0]), lambda: actions.astype("M8[s]")),
        *(lambda: np.ma.masked_array(actions, [True, False, False]), lambda: actions.astype(complex)),
    ]
    # A list of cells is where most can be wrong.
    at = draw(st.sampled_from([0, 0, 0, 4, *range(len(odd_forms))]))
    return odd_forms[at]() if draw(st.integers(0, 9)) else draw(anything)


class Environments(RuleBasedStateMachine):
    """An environment to which bad things are done, and its twin to which none is."""

    @initialize(setting=settings_of(), seed=seeds)
    def begin(self, setting: Setting, seed: int) -> None:
        self.setting = setting
        self.wrong: list[Callable[..., Any]] = []
        wrong = self.wrong  # a copy of an environment has its policy, and shall not have this machine

        def policy(observations: Any, masks: Any) -> Any:
            answer = [each(observations, masks) for each in wrong]
            return answer[0] if answer and answer[0] is not LOWEST else lowest(observations, masks)

        self.env = setting.begun(seed, **({"opponents": policy} if setting.policy else {}))
        self.twin = setting.begun(seed)

    def ready(self) -> None:
        for each in (self.env, self.twin):
            each.ready()

    @invariant()
    def stands_as_its_twin(self) -> None:
        assert self.env.stands() == self.twin.stands()

    @rule(seed=seeds)
    def play(self, seed: int) -> None:
        for _ in range(3):
            self.ready()
            action = self.twin.chosen(seed)
            assert self.env.step(action) == self.twin.step(action)

    def mend(self) -> None:
        """Reset the environment, which asks for that, and its twin."""
        assert isinstance(call(self.env.stands, also=(RuntimeError,)).error, RuntimeError)
        for each in (self.env, self.twin):
            each.env.reset(seed=5)

    @rule(data=st.data(), seed=seeds)
    def step_wrongly(self, data: Any, seed: int) -> None:
        self.ready()
        good = self.twin.chosen(seed)
        given = data.draw(wrong_actions(self.twin, good))
        met = call(self.env.env.step, given)
        if met.error is None and not (given is None and good is None):
            action = whole(given, self.setting.lanes)
            assert action is not None, f"took {shown(given)} as an action"
            assert [plain(met.value), self.env.stands()] == self.twin.step(action)
        elif met.error is None:
            self.twin.env.step(None)

    @rule(seed=numbers | anything | st.lists(some(0, 7, 2**64 - 1), min_size=2, max_size=3))
    def reset_with_wrong_seeds(self, seed: Any) -> None:
        if call(self.env.env.reset, seed=seed).error is None:
            each = whole(seed, False)
            each = whole(seed, True) if each is None and self.setting.lanes and seed is not None else each
            for one in each if isinstance(each, list) else [each]:
                assert seed is None or 0 <= one < 2**64, f"took the seed {shown(seed)}"
            self.twin.env.reset(seed=each)

    @rule(data=st.data(), cells=st.lists(st.sampled_from([0, 0, 1, 2, 128, 255]), min_size=2, max_size=3))
    def reset_with_wrong_options(self, data: Any, cells: list[int]) -> None:
        forms = [bools(*cells), bools(*cells), np.array(cells), cells, np.zeros((3, 1), bool)]
        mask = (
            data.draw(anything) if data.draw(st.integers(0, 4)) == 4 else forms[data.draw(st.integers(0, 4))]
        )
        key = data.draw(near("reset_mask", "options"))
        given: Any = [{"reset_mask": mask}, {"reset_mask": mask, "state": 1}, {key: mask}, {}, None, mask]
        given = given[data.draw(st.sampled_from([0, 0, 0, 1, 2, 3, 4, 5]))]
        if call(self.env.env.reset, options=given).error is not None:
            return
        if given is None or (isinstance(given, dict) and not given):
            self.twin.env.reset()
        else:
            assert self.setting.lanes, f"took the options {shown(given)}"
            assert list(given) == ["reset_mask"], f"took the options {shown(given)}"
            assert given["reset_mask"].dtype == np.bool_
            self.twin.env.reset(options={"reset_mask": given["reset_mask"].view(np.uint8) != 0})

    @rule(way=st.sampled_from(ways), copied_goes_on=st.booleans(), seed=seeds)
    def copied(self, way: Callable[[Any], Any], copied_goes_on: bool, seed: int) -> None:
        if self.setting.policy and way is ways[2]:
            return
        other = Driven(self.setting, way(self.env.env))
        if copied_goes_on:
            self.env, other = other, self.env
        for _ in range(3):
            other.ready()
            other.step(other.chosen(seed))

    @rule(seed=seeds)
    def overwrite_what_was_returned(self, seed: int) -> None:
        for each in (self.env, self.twin):
            told = each.env.reset(seed=seed)
            if each is self.env:
                spoil(told)
                spoil(getattr(each.env, "infos", None))
        if self.setting.kind == "turns":
            spoil([self.env.env.observe(self.env.env.agent_selection), self.env.env.last()])
        else:
            spoil([self.env.env.action_masks(), self.env.env.state])
        actions = self.twin.chosen(seed)
        given = np.array(actions) if self.setting.lanes else actions
        told = self.env.env.step(given)
        assert plain(told) == plain(self.twin.env.step(actions))
        spoil([told, given])

    @rule(odd=numbers | anything | near("player_0"))
    def ask_wrongly(self, odd: Any) -> None:
        env = self.env.env
        names = ("observe", "observation_space", "action_space") if self.setting.kind == "turns" else ()
        for ask in [getattr(env, name) for name in names] + ([env.state] if self.setting.lanes else []):
            call(ask, odd)
        call(env._repr_svg_)
        call(env._repr_html_)
        if self.setting.lanes:
            call(env.sample_legal, odd)
            self.twin.env.np_random.bit_generator.state = env.np_random.bit_generator.state

    @rule(wrong=errors | answers, reset=st.booleans(), seed=seeds)
    def policy_misbehaves(self, wrong: Any, reset: bool, seed: int) -> None:
        if not self.setting.policy:
            return
        self.ready()
        raises = isinstance(wrong, BaseException)
        self.wrong.append(raising(wrong) if raises else wrong)
        action = self.twin.chosen(seed)
        work: dict[bool, Callable[[Driven], Any]] = {
            True: lambda driven: driven.env.reset(seed=9),
            False: lambda driven: driven.env.step(action),
        }
        met = call(work[reset], self.env, also=(type(wrong),) if raises else ())
        if met.error is None:
            # It was not asked, or what it said happened to be legal.
            work[reset](self.twin)
        self.wrong.clear()
        if met.error is not None:
            assert not raises or met.error is wrong
            self.mend()

    @rule(ask=st.sampled_from(QUESTIONS), seed=seeds)
    def policy_asks_its_environment(self, ask: Callable[[Any], Any], seed: int) -> None:
        also = (RuntimeError, NotImplementedError, ResetNeeded)
        self.wrong.append(lambda *_: call(ask, self.env.env, also=also) and LOWEST)
        self.play(seed)
        self.wrong.clear()


TestEnvironments = Environments.TestCase
TestEnvironments.settings = settings(tries(100), stateful_step_count=6)


CALLS: dict[str, Callable[[Driven, Any, int], Any]] = {
    "step": lambda driven, action, _: driven.env.step(action),
    "reset": lambda driven, *_: driven.env.reset(),
    "seed": lambda driven, *_: driven.env.reset(seed=5),
    "some lanes": lambda driven, _, seed: driven.env.reset(
        **{"options": {"reset_mask": np.array([True, seed & 1 == 1, seed & 2 == 2])}}
        if driven.setting.lanes
        else {}
    ),
    "look": lambda driven, *_: driven.stands(),
    "copy": lambda driven, *_: Driven(driven.setting, copy.deepcopy(driven.env)).stands(),
}


@pytest.mark.parametrize("kind", MAKERS)
@tries(40)
@given(
    data=st.data(),
    what=st.sampled_from(["step"] * 3 + list(CALLS)),
    steps=st.integers(0, 12),
    places=st.lists(st.integers(0, 2**16), min_size=6, max_size=6),
    seed=seeds,
)
def test_ctrl_c_within_a_call(
    kind: str, data: Any, what: str, steps: int, places: list[int], seed: int
) -> None:
    setting = data.draw(settings_of((kind,)))
    env = setting.begun(seed)
    for _ in range(steps):
        env.ready()
        env.env.step(env.chosen(seed))
    env.ready()
    action, before = env.chosen(seed), env.stands()
    through = Driven(setting, copy.deepcopy(env.env))
    whole = interrupted(lambda: CALLS[what](through, action, seed), None)
    for at in (place % whole.count for place in places):
        one, twin = (Driven(setting, copy.deepcopy(env.env)) for _ in range(2))
        done = interrupted(lambda: CALLS[what](one, action, seed), at)  # noqa: B023
        assert done.instead is None, f"{done.said}: {done.instead!r}"
        if not one.env._batch.is_ready:
            assert isinstance(call(one.stands, also=(RuntimeError,)).error, RuntimeError)
            for each in (one, twin):
                each.env.reset(seed=5)
            following = twin.chosen(seed)
            assert one.step(following) == twin.step(following), done.said
        elif at < whole.count - 1 or one.stands() != through.stands():
            # Only at the very end may all have been done already; else nothing has.
            assert one.stands() == before, done.said
            assert plain(CALLS[what](one, action, seed)) == plain(whole.value), done.said
            assert one.stands() == through.stands(), done.said


@tries(30)
@given(settings_of())
def test_environments_that_were_never_reset(setting: Setting) -> None:
    env = MAKERS[setting.kind](setting.game, *([LANES] if setting.lanes else []), **setting.given)
    for way in (*ways[: 2 if setting.policy else 3], repr, str):
        call(way, env)
    for name in ("render", "_repr_html_", "_repr_svg_", "action_masks", "sample_legal", "close"):
        if hasattr(env, name) and (name != "render" or env.metadata["render_modes"]):
            call(getattr(env, name), also=(RuntimeError,))
    call(env.step, [0] * LANES if setting.lanes else 0, also=(ResetNeeded, RuntimeError))
    assert call(env.reset, seed=1).error is None
