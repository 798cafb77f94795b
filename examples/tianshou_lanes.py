"""PPO of Tianshou over the lanes of a `SingleAgentVectorEnv`.

    pip install "sarai" tianshou
    python examples/tianshou_lanes.py shuanglu --opponent greedy --rounds 60

Tianshou's own vector environments call one Python object for each game. `Lanes` has the same methods, so collectors and
trainers take it, but steps all games in one call. Observations are a Batch of "obs" and "mask", the names for which
Tianshou's policies look.
"""

from __future__ import annotations

import argparse
from typing import Any

import numpy as np
import torch
from evaluation import how, measure
from ppo import GAMMA, LAMBDA, RATE, Network
from tianshou.algorithm import PPO
from tianshou.algorithm.modelfree.reinforce import DiscreteActorPolicy
from tianshou.algorithm.optim import AdamOptimizerFactory
from tianshou.data import Batch, Collector, VectorReplayBuffer
from tianshou.env import BaseVectorEnv
from tianshou.trainer import OnPolicyTrainerParams
from torch import nn

import sarai

LANES, STEPS = 128, 64


class Lanes(BaseVectorEnv):
    """Many games in one call. When one ends, the next has already begun; `reset` of the lane returns its view."""

    def __init__(self, game: str | sarai.Game, lanes: int, **settings: Any) -> None:
        # The base class would make a worker for each lane.
        self.lanes = sarai.SingleAgentVectorEnv(game, lanes, autoreset_mode="SameStep", **settings)
        self.env_num, self.is_async, self.is_closed = lanes, False, False

    def get_env_attr(self, key: str, id: Any = None) -> list[Any]:  # noqa: A002
        name = {"action_space": "single_action_space", "observation_space": "single_observation_space"}
        return [getattr(self.lanes, name.get(key, key))] * len(self._wrap_id(id))

    def reset(self, env_id: Any = None, **settings: Any) -> tuple[Batch, np.ndarray]:
        if env_id is None:
            self.view, _ = self.lanes.reset(**settings)
        else:
            asked = np.isin(np.arange(self.env_num), env_id) & ~self.begun
            if asked.any():
                self.view, _ = self.lanes.reset(options={"reset_mask": asked})
        return self._rows(self.view, self._wrap_id(env_id))

    def step(self, action: Any, id: Any = None) -> tuple[Any, ...]:  # noqa: A002
        # Towards the end of collecting whole episodes, the collector leaves lanes out: they play on, unseen.
        actions, lanes = self.view["action_mask"].argmax(axis=1), self._wrap_id(id)
        actions[lanes] = action
        self.view, rewards, terminated, truncated, info = self.lanes.step(actions)
        self.begun = terminated | truncated
        shown = self.view
        if self.begun.any():
            last = info["final_obs_arrays"]
            shown = {name: np.where(self.begun[:, None], last[name], shown[name]) for name in shown}
        rows, infos = self._rows(shown, lanes)
        return rows, rewards[lanes], terminated[lanes], truncated[lanes], infos

    def seed(self, seed: int | None = None) -> list[Any]:
        self.lanes.reset(seed=seed)
        return [seed] * self.env_num

    def render(self, **settings: Any) -> list[Any]:
        return list(self.lanes.render())

    def close(self) -> None:
        self.lanes.close()
        self.is_closed = True

    def _rows(self, view: dict[str, np.ndarray], lanes: Any) -> tuple[Batch, np.ndarray]:
        rows = Batch(obs=view["observation"][lanes], mask=view["action_mask"][lanes])
        return rows, np.array([{} for _ in lanes])


class Actor(nn.Module):
    """Logits, with illegal actions left out, as Tianshou's policies want them."""

    def __init__(self, network: Network) -> None:
        super().__init__()
        self.network = network

    def forward(self, rows: Batch, state: Any = None, info: Any = None) -> tuple[torch.Tensor, Any]:
        return self.network(torch.as_tensor(rows.obs), torch.as_tensor(rows.mask))[0], state


class Critic(Actor):
    """Values, as Tianshou's algorithms want them."""

    def forward(self, rows: Batch) -> torch.Tensor:
        return self.network(torch.as_tensor(rows.obs), torch.as_tensor(rows.mask))[1]


def main() -> None:
    parser = argparse.ArgumentParser(description="Learn a game from seat 0 with Tianshou's PPO.")
    parser.add_argument("game", nargs="?", default="shuanglu")
    parser.add_argument("--opponent", default="greedy", help="who plays the other seats while learning")
    parser.add_argument("--rounds", type=int, default=60, help=f"rounds of {LANES * STEPS:,} decisions")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--games", type=int, default=2000, help="games of the evaluation")
    options = parser.parse_args()
    if options.rounds < 1:
        parser.error(f"--rounds got {options.rounds}; it takes 1 or more")
    torch.manual_seed(options.seed)
    np.random.seed(options.seed)  # noqa: NPY002  (Tianshou draws from it)
    game = sarai.make(options.game)
    lanes = Lanes(game, LANES, opponents=options.opponent, seed=options.seed)
    network = Network(game)
    algorithm = PPO(
        policy=DiscreteActorPolicy(actor=Actor(network), action_space=lanes.action_space[0]),
        critic=Critic(network),
        optim=AdamOptimizerFactory(lr=RATE),
        gamma=GAMMA,
        gae_lambda=LAMBDA,
        max_batchsize=LANES * STEPS,
    )
    result = algorithm.run_training(
        OnPolicyTrainerParams(
            training_collector=Collector(algorithm, lanes, VectorReplayBuffer(LANES * STEPS, LANES)),
            max_epochs=1,
            epoch_num_steps=options.rounds * LANES * STEPS,
            collection_step_num_env_steps=LANES * STEPS,
            update_step_num_repetitions=3,
            batch_size=2048,
            verbose=False,
        )
    )
    timing = result.timing
    print(f"{result.train_step} decisions in {timing.train_time:.0f} seconds")
    print(how(game))
    for opponent in ("random", "greedy"):
        agents = [sarai.agents.from_torch(network), *[opponent] * (game.num_players - 1)]
        mean, half = measure(game, [(agents, 0)], options.games, 1000)
        print(f"against {opponent}: {mean:+.3f} +- {half:.3f} (95%, {options.games} games)")


if __name__ == "__main__":
    main()
