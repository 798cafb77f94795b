"""The adapters of TorchRL and RLlib: decisions a second, one game at a time, on lanes, and of the lanes alone.

One game at a time is how it was before the adapters stood on the vector environments: TorchRL's own wrapper of
PettingZoo environments, and RLlib's runner of a `MultiAgentEnv`. Everything plays random legal actions, but RLlib's
runners ask a network. The ways take turns, so that a machine whose speed drifts slows all of them alike. What is not
installed is passed over; `make integrations-env` installs it.
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable
from importlib.util import find_spec
from typing import Any

import numpy as np

import sarai
from sarai._envs.aec import SaraiAECEnv

GAME = "shuanglu"
ROUNDS = 5
SECONDS = 1.0
STEPS = 50

Way = Callable[[], int]
"""Plays for a while; how many decisions they were comes back."""


def bare(lanes: int) -> Way:
    """`SingleAgentVectorEnv` alone."""
    env = sarai.SingleAgentVectorEnv(GAME, lanes, seed=1)
    env.reset()

    def play() -> int:
        for _ in range(STEPS):
            env.step(env.sample_legal())
        return STEPS * lanes

    return play


class Unmasked(SaraiAECEnv):
    """TorchRL's wrapper takes the mask from the observation, and stumbles over a second one in the info."""

    def _stand(self, *where: Any) -> None:
        super()._stand(*where)
        for info in self.infos.values():
            del info["action_mask"]


def torchrl_ways() -> dict[str, Way]:
    """TorchRL: a game of PettingZoo's, and collectors over lanes."""
    import torch
    from torchrl.collectors import Collector
    from torchrl.envs import PettingZooWrapper

    from sarai.adapters.torchrl import SaraiEnv

    torch.set_num_threads(1)
    single = PettingZooWrapper(
        Unmasked(GAME), use_mask=True, categorical_actions=True, seed=1, return_state=False
    )

    def collected(lanes: int) -> Way:
        frames = iter(Collector(SaraiEnv(GAME, lanes, seed=1), None, frames_per_batch=lanes * STEPS))
        return lambda: next(frames).numel()

    return {
        "one game": lambda: len(single.rollout(num_games=STEPS, break_when_any_done=False)),
        "64 lanes": collected(64),
        "1024 lanes": collected(1024),
    }


def rllib_ways() -> dict[str, Way]:
    """RLlib: env runners with one game of many agents, and with lanes."""
    from ray.rllib.algorithms.ppo import PPOConfig
    from ray.rllib.core.rl_module.multi_rl_module import MultiRLModuleSpec
    from ray.rllib.core.rl_module.rl_module import RLModuleSpec
    from ray.rllib.env.multi_agent_env_runner import MultiAgentEnvRunner
    from ray.rllib.env.single_agent_env_runner import SingleAgentEnvRunner
    from ray.rllib.examples.rl_modules.classes.action_masking_rlm import ActionMaskingTorchRLModule

    from sarai.adapters.rllib import SaraiMultiAgentEnv, SaraiVectorEnv

    masking = RLModuleSpec(module_class=ActionMaskingTorchRLModule)

    def every_seat(games: int) -> Way:
        config = (
            PPOConfig()
            .environment(SaraiMultiAgentEnv, env_config={"game": GAME})
            .env_runners(num_envs_per_env_runner=games)
            .multi_agent(policies={"both"}, policy_mapping_fn=lambda *_, **__: "both")
            .rl_module(rl_module_spec=MultiRLModuleSpec(rl_module_specs={"both": masking}))
        )
        return sampled(MultiAgentEnvRunner(config=config), games)

    def lanes(number: int) -> Way:
        config = (
            PPOConfig()
            .environment(SaraiVectorEnv, env_config={"game": GAME})
            .env_runners(num_envs_per_env_runner=number, gym_env_vectorize_mode="vector_entry_point")
            .rl_module(rl_module_spec=masking)
        )
        return sampled(SingleAgentEnvRunner(config=config), number)

    def sampled(runner: Any, games: int) -> Way:
        return lambda: sum(
            episode.env_steps() for episode in runner.sample(num_timesteps=max(200, STEPS * games))
        )

    return {
        "one game": every_seat(1),
        "16 games": every_seat(16),
        "64 lanes": lanes(64),
        "256 lanes": lanes(256),
    }


def rate(way: Way) -> float:
    """Decisions a second."""
    played, start = 0, time.perf_counter()
    while (passed := time.perf_counter() - start) < SECONDS:
        played += way()
    return played / passed


def main() -> None:
    """Print a row a way."""
    warnings.simplefilter("ignore")
    print(f"{'library':<10}{'way':<12}{'decisions/s':>13}{'vs one game':>13}{'vs lanes alone':>16}")
    for library, module, ways in (("TorchRL", "torchrl", torchrl_ways), ("RLlib", "ray", rllib_ways)):
        if find_spec(module) is None:
            print(f"{library:<10}is not installed")
            continue
        every = {"lanes alone": bare(64), **ways()}
        for way in every.values():
            way()
        rounds = np.array([[rate(way) for way in every.values()] for _ in range(ROUNDS)])
        alone, single = rounds[:, 0], rounds[:, 1]
        for name, column in zip(every, rounds.T, strict=True):
            against = [float(np.median(column / other)) for other in (single, alone)]
            print(
                f"{library:<10}{name:<12}{np.median(column):>13,.0f}{against[0]:>13.1f}{against[1]:>16.3f}",
                flush=True,
            )


if __name__ == "__main__":
    main()
