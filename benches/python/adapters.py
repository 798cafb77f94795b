"""How many decisions a second each library gets out of Shuanglu; docs/libraries.md has the figures of one run.

Everything plays random legal actions against "random", but for what asks a network: RLlib's runners, MaskablePPO,
Tianshou, `examples/ppo.py` and JAX. Nothing learns meanwhile. "one game" is how it is without lanes. The ways take
turns, so that a machine whose speed drifts slows all of them alike. What is not installed is passed over: the nightly
tests install it.
"""

from __future__ import annotations

import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

import sarai

GAME = "shuanglu"
ROUNDS = 5
SECONDS = 1.0
STEPS = 50
EXAMPLES = Path(__file__).resolve().parents[2] / "examples"

Way = Callable[[], int]
"""Plays for a while; how many decisions they were comes back."""


def stepped(env: Any) -> Way:
    """A vector environment, with random legal actions."""
    env.reset()

    def play() -> int:
        for _ in range(STEPS):
            env.step(env.sample_legal())
        return STEPS * int(env.num_envs)

    return play


def gymnasium_ways() -> dict[str, Way]:
    """Gymnasium: an environment of one game, and vectors of them."""
    single = sarai.SingleAgentEnv(GAME)
    single.reset(seed=1)

    def one() -> int:
        for _ in range(STEPS):
            _, _, over, *_ = single.step(single.sample_legal())
            if over:
                single.reset()
        return STEPS

    return {
        "one game": one,
        **{
            f"{lanes} lanes": stepped(sarai.SingleAgentVectorEnv(GAME, lanes, seed=1)) for lanes in (64, 1024)
        },
        "1024 lanes, self-play": stepped(sarai.SelfPlayVectorEnv(GAME, 1024, seed=1)),
    }


def pettingzoo_ways() -> dict[str, Way]:
    """PettingZoo: one game, in which everybody plays random actions."""
    env = sarai.aec_env(GAME)
    rng = np.random.default_rng(1)

    def play() -> int:
        env.reset(seed=int(rng.integers(2**31)))
        decisions = 0
        for _ in env.agent_iter():
            observation, _, over, cut, _ = env.last()
            if over or cut:
                env.step(None)
            else:
                mask = observation["action_mask"]
                env.step(int((rng.random(len(mask)) * mask).argmax()))
                decisions += 1
        return decisions

    return {"one game": play}


def openspiel_ways() -> dict[str, Way]:
    """OpenSpiel: one of its games, which are ours."""
    from sarai.adapters import openspiel

    game = openspiel.load_game(GAME)
    rng = np.random.default_rng(1)

    def play() -> int:
        state, decisions = game.new_initial_state(), 0
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes, chances = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(int(rng.choice(outcomes, p=chances)))
            else:
                legal = state.legal_actions()
                state.apply_action(legal[int(rng.integers(len(legal)))])
                decisions += 1
        return decisions

    return {"one game": play}


def sb3_ways() -> dict[str, Way]:
    """Stable-Baselines3: the rollouts of MaskablePPO."""
    from sb3_contrib import MaskablePPO

    from sarai.adapters.sb3 import SaraiVecEnv

    def collected(lanes: int) -> Way:
        env = SaraiVecEnv(GAME, lanes, seed=1)
        model = MaskablePPO("MlpPolicy", env, n_steps=STEPS, batch_size=STEPS * lanes, device="cpu")
        _, callback = model._setup_learn(1)
        callback.on_training_start({}, {})

        def play() -> int:
            model.collect_rollouts(env, callback, model.rollout_buffer, STEPS)
            return STEPS * lanes

        return play

    return {"64 lanes": collected(64), "1024 lanes": collected(1024)}


def cleanrl_ways() -> dict[str, Way]:
    """The lanes of examples/ppo.py, which is as CleanRL would have it."""
    import gymnasium
    import ppo

    envs = gymnasium.make_vec("sarai/Shuanglu-v0", ppo.LANES, seed=1)
    lanes, network = ppo.Lanes(envs), ppo.Network(envs.unwrapped.game)
    return {f"{ppo.LANES} lanes": lambda: len(lanes.collect(network)["actions"])}


def torchrl_ways() -> dict[str, Way]:
    """TorchRL: its own wrapper of a game of PettingZoo, and collectors over lanes."""
    from torchrl.collectors import Collector
    from torchrl.envs import PettingZooWrapper

    from sarai.adapters.torchrl import SaraiEnv

    single = PettingZooWrapper(
        sarai.aec_env(GAME), use_mask=True, categorical_actions=True, seed=1, return_state=False
    )

    def collected(lanes: int) -> Way:
        frames = iter(Collector(SaraiEnv(GAME, lanes, seed=1), None, frames_per_batch=lanes * STEPS))
        return lambda: next(frames).numel()

    return {
        "one game": lambda: len(single.rollout(STEPS, break_when_any_done=False)),
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


def tianshou_ways() -> dict[str, Way]:
    """Tianshou: collectors over its own vector of single environments, and over the lanes of the example."""
    import tianshou_lanes as example
    from tianshou.algorithm.modelfree.reinforce import DiscreteActorPolicy
    from tianshou.data import Collector, VectorReplayBuffer
    from tianshou.env import DummyVectorEnv

    def collected(envs: Any) -> Way:
        lanes = len(envs)
        actor = example.Actor(example.Network(sarai.make(GAME)))
        policy = DiscreteActorPolicy(actor=actor, action_space=envs.action_space[0])
        collector = Collector(policy, envs, VectorReplayBuffer(STEPS * lanes, lanes))
        collector.reset()
        return lambda: int(collector.collect(n_step=STEPS * lanes).n_collected_steps)

    class Named(sarai.SingleAgentEnv):
        """Tianshou looks for the mask under another name."""

        def step(self, action: Any) -> Any:
            view, *rest = super().step(action)
            return {"obs": view["observation"], "mask": view["action_mask"]}, *rest

        def reset(self, **how: Any) -> Any:
            view, info = super().reset(**how)
            return {"obs": view["observation"], "mask": view["action_mask"]}, info

    return {
        "64 games": collected(DummyVectorEnv([lambda: Named(GAME) for _ in range(64)])),
        "64 lanes": collected(example.Lanes(GAME, 64, seed=1)),
        "1024 lanes": collected(example.Lanes(GAME, 1024, seed=1)),
    }


def jax_ways() -> dict[str, Way]:
    """JAX: the two loops of the example."""
    import jax
    import jax_lanes as example

    def looped(loop: Any) -> Way:
        envs = sarai.SelfPlayVectorEnv(GAME, 1024, autoreset_mode="SameStep", seed=1)
        weights, run = example.network(envs.game, jax.random.key(1)), loop(envs)
        keys = jax.random.split(jax.random.key(2), STEPS)
        views = [envs.reset()[0]]

        def play() -> int:
            views[0], _ = jax.block_until_ready(run(weights, views[0], keys))
            return STEPS * 1024

        return play

    return {f"1024 lanes, {loop.__name__}": looped(loop) for loop in (example.stepped, example.scanned)}


def dataset_ways() -> dict[str, Way]:
    """Datasets: rows a second."""
    folder = tempfile.mkdtemp()
    how: dict[str, Any] = {"what": "trajectories", "out": f"{folder}/d", "seed": 1}
    made = sarai.dataset(GAME, "greedy", 2000, **how)
    names: Iterator[str] = (f"bench/shuanglu-v{number}" for number in range(10**6))
    ways: dict[str, Way] = {
        "batches": lambda: sum(len(batch["action"]) for batch in made.batches(["observation", "action"])),
    }
    if find_spec("minari"):
        import os

        os.environ["MINARI_DATASETS_PATH"] = f"{folder}/minari"

        ways["to_minari"] = lambda: int(made.to_minari(next(names)).total_steps)
    if find_spec("datasets"):
        from datasets.utils import disable_progress_bars

        import datasets

        disable_progress_bars()
        table = datasets.load_dataset("parquet", data_files=made.paths, split="train", cache_dir=folder)
        rows = table.select_columns(["observation", "action"]).with_format("numpy")
        ways["load_dataset"] = lambda: sum(len(part["action"]) for part in rows.iter(4096))
    return ways


LIBRARIES: list[tuple[str, str, Callable[[], dict[str, Way]]]] = [
    ("Gymnasium", "gymnasium", gymnasium_ways),
    ("PettingZoo", "pettingzoo", pettingzoo_ways),
    ("OpenSpiel", "pyspiel", openspiel_ways),
    ("SB3", "sb3_contrib", sb3_ways),
    ("ppo.py", "torch", cleanrl_ways),
    ("TorchRL", "torchrl", torchrl_ways),
    ("RLlib", "ray", rllib_ways),
    ("Tianshou", "tianshou", tianshou_ways),
    ("JAX", "jax", jax_ways),
    ("datasets", "pyarrow", dataset_ways),
]


def rate(way: Way) -> float:
    """Decisions a second."""
    played, start = 0, time.perf_counter()
    while (passed := time.perf_counter() - start) < SECONDS:
        played += way()
    return played / passed


def main() -> None:
    """Print a row a way; the names of libraries may follow, to measure only these."""
    warnings.simplefilter("ignore")
    # In place of this folder, which has a datasets.py of its own.
    sys.path[0] = str(EXAMPLES)
    if find_spec("torch"):
        import torch

        torch.set_num_threads(1)
    chosen = sys.argv[1:]
    print(f"{'library':<12}{'way':<24}{'decisions/s':>14}")
    for library, module, ways in LIBRARIES:
        if chosen and library not in chosen:
            continue
        if find_spec(module) is None:
            print(f"{library:<12}is not installed")
            continue
        every = ways()
        for way in every.values():
            way()
        rounds = np.array([[rate(way) for way in every.values()] for _ in range(ROUNDS)])
        for name, column in zip(every, rounds.T, strict=True):
            print(f"{library:<12}{name:<24}{np.median(column):>14,.0f}", flush=True)


if __name__ == "__main__":
    main()
