"""Every kind of environment behind one face, so that two of them can be driven side by side and compared."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

import sarai
from attack import worlds
from attack.calls import SHORT
from attack.trial import Trial

MODES = ("NextStep", "SameStep", "Disabled")
KINDS = ("one", "one, policy", "lanes", "lanes, policy", "self-play", "turns")
LANES = 3


def lowest(observations: NDArray[np.int8], masks: NDArray[np.int8]) -> NDArray[np.intp]:
    """A policy: the first legal action."""
    chosen: NDArray[np.intp] = masks.argmax(axis=1)
    return chosen


@dataclass(frozen=True)
class Setting:
    """What an environment is made with."""

    kind: str
    game: str
    given: tuple[tuple[str, Any], ...]

    @staticmethod
    def any(rng: random.Random, kinds: tuple[str, ...] = KINDS) -> Setting:
        """Any of them."""
        kind, game = rng.choice(kinds), rng.choice(worlds.GAMES)
        given: dict[str, Any] = {}
        if kind in ("lanes", "lanes, policy", "self-play"):
            given |= {"autoreset_mode": rng.choice(MODES), "copy": rng.random() < 0.8, "num_threads": 1}
            given["max_episode_steps"] = rng.choice([None, None, 5])
        if kind != "self-play":
            given["illegal_action"] = rng.choice(["raise", "raise", "terminate", "random"])
        if kind.startswith(("one", "lanes")):
            given["seat"] = rng.randrange(2)
            given["opponents"] = lowest if "policy" in kind else rng.choice(["random", "greedy", "mcts:2"])
        if kind == "turns":
            given["max_cycles"] = rng.choice([None, None, 4])
        return Setting(kind, game, tuple(given.items()))

    def make(self, seed: int, **more: Any) -> Driven:
        """The environment, begun."""
        given = {**dict(self.given), "rules": SHORT[self.game], **more}
        env = self.maker()(self.game, *([LANES] if self.lanes else []), **given)
        driven = Driven(self, env)
        driven.reset(seed)
        return driven

    def maker(self) -> Callable[..., Any]:
        """What makes it."""
        if self.kind == "turns":
            return sarai.aec_env
        if self.kind == "self-play":
            return sarai.SelfPlayVectorEnv
        return sarai.SingleAgentVectorEnv if self.lanes else sarai.SingleAgentEnv

    @property
    def lanes(self) -> bool:
        """Whether it has several."""
        return self.kind in ("lanes", "lanes, policy", "self-play")

    def __str__(self) -> str:
        return f"{self.kind} {self.game} {dict(self.given)}"


class Driven:
    """An environment, and what it can be asked whatever its kind is."""

    def __init__(self, setting: Setting, env: Any) -> None:
        self.setting = setting
        self.env = env

    def reset(self, seed: int | None = None) -> Any:
        """Begin anew."""
        return worlds.plain(self.env.reset(seed=seed))

    def masks(self) -> NDArray[np.int8]:
        """What may be done, (lanes, A)."""
        if self.setting.kind == "turns":
            if not self.env.agents:
                return np.zeros((1, self.env.game.num_actions), np.int8)
            mask = self.env.observe(self.env.agent_selection)["action_mask"]
            return np.array(mask)[np.newaxis]
        masks = np.asarray(self.env.action_masks()).astype(np.int8)
        return masks if self.setting.lanes else masks[np.newaxis]

    def over(self) -> bool:
        """Whether nothing can be done before a reset."""
        if self.setting.kind == "turns":
            return not self.env.agents
        waits = self.masks().max(axis=1) == 0
        return bool(waits.all() if self.setting.lanes else waits[0])

    def chosen(self, rng: random.Random) -> Any:
        """What may be done next: an action, one a lane, or None for who leaves a game of turns."""
        if self.setting.kind == "turns":
            agent = self.env.agent_selection
            if self.env.terminations[agent] or self.env.truncations[agent]:
                return None
        legal = [np.flatnonzero(row) for row in self.masks()]
        actions = np.array([rng.choice(list(row)) if len(row) else 0 for row in legal])
        return actions if self.setting.lanes else int(actions[0])

    def ready(self) -> None:
        """Begin new games where something waits for that."""
        if self.setting.kind == "turns" or not self.setting.lanes:
            if self.over():
                self.env.reset()
            return
        waits = self.masks().max(axis=1) == 0
        if waits.any():
            self.env.reset(options={"reset_mask": waits})

    def step(self, action: Any) -> Any:
        """Do it, and say everything that comes of it."""
        told = worlds.plain(self.env.step(action))
        return [told, self.stands()]

    def stands(self) -> Any:
        """Where it stands: positions, masks, and what else it says of itself."""
        env = self.env
        if self.setting.kind == "turns":
            agents = [env.observe(agent) for agent in env.agents]
            words = (env.rewards, env.terminations, env.truncations, env.infos, env._cumulative_rewards)
            return worlds.plain([agents, words, env.agents, env.agent_selection, env.game_state()])
        states = [env.state(lane) for lane in range(LANES)] if self.setting.lanes else [env.state()]
        return worlds.plain([states, self.masks(), env.np_random.bit_generator.state])

    def close(self) -> None:
        """Nothing is left of it."""
        self.env.close()


def go_on(trial: Trial, one: Driven, other: Driven, steps: int, what: str) -> None:
    """Drive two side by side; they must tell the same all along."""
    rng = random.Random(trial.rng.random())
    for _ in range(steps):
        one.ready()
        other.ready()
        trial.hold(
            one.stands() == other.stands(),
            f"{what}: they stand apart ({one.setting})",
            "the same as its twin",
        )
        action = other.chosen(rng)
        told = one.step(action), other.step(action)
        trial.hold(
            told[0] == told[1], f"{what}: a step tells another thing ({one.setting})", "the same as its twin"
        )


def twins(trial: Trial, setting: Setting, number: int = 2, steps: int | None = None) -> list[Driven]:
    """Environments that stand at the same place of the same games."""
    seed = trial.rng.randrange(2**64)
    made = [setting.make(seed) for _ in range(number)]
    rng = random.Random(trial.rng.random())
    for _ in range(trial.rng.randrange(7) if steps is None else steps):
        for each in made:
            each.ready()
        action = made[0].chosen(rng)
        for each in made:
            each.step(action)
    for each in made:
        each.ready()
    return made
