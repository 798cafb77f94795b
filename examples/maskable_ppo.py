"""MaskablePPO of sb3-contrib against the agents of the engine.

    pip install "sarai[sb3]"
    python examples/maskable_ppo.py shuanglu --opponent greedy --minutes 10

The learner has seat 0 in every lane; dice and opponents are played inside the engine, in the same call.
"""

from __future__ import annotations

import argparse
import math
import time

import torch
from evaluation import how, measure
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback

import sarai
from sarai.adapters.sb3 import SaraiVecEnv, ScaledFeatures

LANES, STEPS = 128, 64
# The network is small: one thread is as fast as two, it adds its sums in the same order every time, and it does not
# wait for a second one where other programs are at work.
torch.set_num_threads(1)


def evaluate(model: MaskablePPO, opponent: str, games: int, seed: int) -> tuple[float, float]:
    """The mean return of seat 0, and half its 95% interval."""
    game = model.get_env().get_attr("game", 0)[0]
    agents = [sarai.agents.from_sb3(model), *[opponent] * (game.num_players - 1)]
    return measure(game, [(agents, 0)], games, seed)


class Curve(BaseCallback):
    """Prints a line of the learning curve about every thirty seconds, and stops when the time is up."""

    def __init__(self, opponent: str, minutes: float) -> None:
        super().__init__()
        self.opponent, self.seconds = opponent, 60 * minutes
        self.start, self.told = time.monotonic(), 0.0

    def _on_rollout_start(self) -> None:
        passed = time.monotonic() - self.start
        if passed >= self.told:
            self.told = passed + min(30.0, self.seconds / 6)
            mean, _ = evaluate(self.model, self.opponent, 400, 1)
            print(f"{passed:7.0f}  {self.num_timesteps:9,}  {mean:+.2f}")

    def _on_step(self) -> bool:
        return time.monotonic() - self.start < self.seconds


def main() -> None:
    parser = argparse.ArgumentParser(description="Learn a game from seat 0 with MaskablePPO.")
    parser.add_argument("game", nargs="?", default="shuanglu")
    parser.add_argument("--preset", help="a rule book of the game")
    parser.add_argument("--opponent", default="greedy", help="who plays the other seats while learning")
    parser.add_argument("--minutes", type=float, default=10, help="how long to learn")
    parser.add_argument(
        "--rounds", type=int, help=f"learn for so many rounds of {LANES * STEPS:,} decisions instead"
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--games", type=int, default=2000, help="games of the last evaluation")
    options = parser.parse_args()
    if options.rounds is not None and options.rounds < 1:
        parser.error(f"--rounds got {options.rounds}; it takes 1 or more")
    game = sarai.make(options.game, preset=options.preset)
    env = SaraiVecEnv(game, LANES, opponents=options.opponent, seed=options.seed)
    model = MaskablePPO(
        "MlpPolicy",
        env,
        learning_rate=1e-3,
        n_steps=STEPS,
        batch_size=2048,
        n_epochs=3,
        gamma=1.0,
        gae_lambda=0.9,
        ent_coef=0.01,
        policy_kwargs={
            "net_arch": [128, 128],
            "activation_fn": torch.nn.ReLU,
            "features_extractor_class": ScaledFeatures,
        },
        seed=options.seed,
        device="cpu",
    )
    learnt = f"{options.rounds} rounds" if options.rounds else f"{options.minutes:g} minutes"
    print(f"{game}: {learnt} of MaskablePPO against {options.opponent}")
    print(how(game))
    print(f"seconds  decisions  mean return against {options.opponent}")
    decisions, minutes = 10**9, options.minutes
    if options.rounds:
        decisions, minutes = options.rounds * LANES * STEPS, math.inf
    model.learn(decisions, callback=Curve(options.opponent, minutes))
    for opponent in ("random", "greedy"):
        mean, half = evaluate(model, opponent, options.games, 1000)
        print(f"against {opponent}: {mean:+.3f} +- {half:.3f} (95%, {options.games} games)")


if __name__ == "__main__":
    main()
