"""PPO in one file, in the manner of CleanRL, over `gymnasium.make_vec`.

    pip install "sarai" torch
    python examples/ppo.py sarai/Shuanglu-v0 --opponent greedy --minutes 3

The learner has seat 0 in every lane; dice and opponents are played inside the engine, in the same call. A game that has
ended begins anew in the next step, as is Gymnasium's default (NEXT_STEP). The row between shows the last view of the
game, and its action does nothing: such a ghost row is not learnt from. But it tells what to expect where a game was cut
off by --max-episode-steps, namely the value of that last view. A game that has ended by itself pays nothing more.

With --logdir, TensorBoard (pip install tensorboard) shows the curves under the names that CleanRL gives them.
"""

from __future__ import annotations

import argparse
import itertools
import time

import gymnasium
import numpy as np
import torch
from evaluation import how, measure
from gymnasium.wrappers.vector import RecordEpisodeStatistics
from torch import nn
from torch.distributions import Categorical

import sarai

LANES, STEPS = 256, 32
EPOCHS, MINIBATCH, RATE = 3, 2048, 1e-3
GAMMA, LAMBDA, CLIP = 1.0, 0.9, 0.2
VALUE_WEIGHT, ENTROPY_WEIGHT = 0.5, 0.01
# The network is small: one thread is as fast as two, it adds its sums in the same order every time, and it does not
# wait for a second one where other programs are at work.
torch.set_num_threads(1)


class Network(nn.Module):
    """Logits of the actions, and what the position is worth to the learner."""

    def __init__(self, game: sarai.Game, width: int = 128) -> None:
        super().__init__()
        cells = game.observation_shape[0]
        scale = torch.ones(cells)
        for part in game.observation_spec:
            scale[part["slice"]] = 1 / max(1, abs(part["low"]), part["high"])
        self.register_buffer("scale", scale)
        self.body = nn.Sequential(nn.Linear(cells, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU())
        self.policy, self.value = nn.Linear(width, game.num_actions), nn.Linear(width, 1)
        nn.init.orthogonal_(self.policy.weight, 0.01)

    def forward(self, observations: torch.Tensor, masks: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        hidden = self.body(observations * self.scale)
        return self.policy(hidden).masked_fill(masks == 0, -1e9), self.value(hidden).squeeze(1)


def advantages(
    rewards: torch.Tensor, values: torch.Tensor, terminated: torch.Tensor, truncated: torch.Tensor
) -> torch.Tensor:
    """The generalised advantages of the actions, (T, N); `values` has one row more, of the view after the last."""
    gains = torch.zeros_like(values)
    for step in reversed(range(len(rewards))):
        # Where a game was cut off, the next row is its last view, and has its value.
        wrong = rewards[step] + GAMMA * values[step + 1] * ~terminated[step] - values[step]
        gains[step] = wrong + GAMMA * LAMBDA * gains[step + 1] * ~(terminated[step] | truncated[step])
    return gains[:-1]


class Lanes:
    """Games in progress, and the returns and lengths of those that have ended."""

    def __init__(self, envs: gymnasium.vector.VectorEnv) -> None:
        self.envs = RecordEpisodeStatistics(envs)
        self.view, _ = self.envs.reset()
        self.ghosts = torch.zeros(envs.num_envs, dtype=torch.bool)
        self.episodes: list[tuple[float, int]] = []

    def collect(self, network: Network) -> dict[str, torch.Tensor]:
        """STEPS steps in every lane, without the ghost rows."""
        steps = []
        for _ in range(STEPS):
            row = {"observations": torch.from_numpy(self.view["observation"])}
            row |= {"masks": torch.from_numpy(self.view["action_mask"]), "ghosts": self.ghosts}
            with torch.no_grad():
                logits, row["values"] = network(row["observations"], row["masks"])
            choices = Categorical(logits=logits, validate_args=False)
            row["actions"] = choices.sample()
            row["chances"] = choices.log_prob(row["actions"])
            self.view, *paid, info = self.envs.step(row["actions"].numpy())
            row["rewards"], row["terminated"], row["truncated"] = map(torch.from_numpy, paid)
            self.ghosts = row["terminated"] | row["truncated"]
            if "episode" in info:
                ended = info["_episode"]
                self.episodes += zip(info["episode"]["r"][ended], info["episode"]["l"][ended], strict=True)
            steps.append(row)
        with torch.no_grad():
            _, last = network(*map(torch.from_numpy, (self.view["observation"], self.view["action_mask"])))
        rows = {name: torch.stack([row[name] for row in steps]) for name in steps[0]}
        values, decided = rows.pop("values"), ~rows.pop("ghosts")
        paid = [rows.pop(name) for name in ("rewards", "terminated", "truncated")]
        rows["gains"] = advantages(paid[0], torch.cat([values, last[None]]), *paid[1:])
        rows["returns"] = rows["gains"] + values
        return {name: row[decided] for name, row in rows.items()}


def improve(
    network: Network, optimizer: torch.optim.Optimizer, rows: dict[str, torch.Tensor], left: float
) -> dict[str, float]:
    """The clipped steps of PPO; `left` is how much of the time is left, 1 to 0. Returns the last losses."""
    optimizer.param_groups[0]["lr"] = RATE * max(0.05, left)
    for _ in range(EPOCHS):
        for part in torch.randperm(len(rows["actions"])).split(MINIBATCH):
            batch = {name: row[part] for name, row in rows.items()}
            logits, values = network(batch["observations"], batch["masks"])
            choices = Categorical(logits=logits, validate_args=False)
            ratio = (choices.log_prob(batch["actions"]) - batch["chances"]).exp()
            gains = (batch["gains"] - rows["gains"].mean()) / (rows["gains"].std() + 1e-8)
            losses = {
                "policy_loss": -torch.minimum(ratio * gains, ratio.clamp(1 - CLIP, 1 + CLIP) * gains).mean(),
                "value_loss": (values - batch["returns"]).square().mean(),
                "entropy": -(choices.probs * choices.logits).sum(1).mean(),
            }
            loss = losses["policy_loss"] + VALUE_WEIGHT * losses["value_loss"]
            loss = loss - ENTROPY_WEIGHT * left * losses["entropy"]
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(network.parameters(), 0.5)
            optimizer.step()
    return {f"losses/{name}": value.item() for name, value in losses.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description="Learn a game from seat 0 with PPO.")
    parser.add_argument("env_id", nargs="?", default="sarai/Shuanglu-v0")
    parser.add_argument("--preset", help="a rule book of the game")
    parser.add_argument("--opponent", default="greedy", help="who plays the other seats while learning")
    parser.add_argument("--minutes", type=float, default=10, help="how long to learn")
    parser.add_argument(
        "--rounds", type=int, help=f"learn for so many rounds of {LANES * STEPS:,} steps instead"
    )
    parser.add_argument(
        "--max-episode-steps", type=int, default=500, help="decisions before a game is cut off"
    )
    parser.add_argument("--logdir", help="write the curves here, for TensorBoard")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--games", type=int, default=2000, help="games of the last evaluation")
    options = parser.parse_args()
    if options.rounds is not None and options.rounds < 1:
        parser.error(f"--rounds got {options.rounds}; it takes 1 or more")
    torch.manual_seed(options.seed)
    settings = {"opponents": options.opponent, "max_episode_steps": options.max_episode_steps}
    envs = gymnasium.make_vec(options.env_id, LANES, preset=options.preset, seed=options.seed, **settings)
    game = envs.unwrapped.game
    lanes, network = Lanes(envs), Network(game)
    optimizer = torch.optim.Adam(network.parameters(), lr=RATE, eps=1e-5)
    writer = None
    if options.logdir:
        from torch.utils.tensorboard import SummaryWriter

        writer = SummaryWriter(options.logdir)

    def evaluate(opponent: str, games: int, seed: int) -> tuple[float, float]:
        agents = [sarai.agents.from_torch(network), *[opponent] * (game.num_players - 1)]
        return measure(game, [(agents, 0)], games, seed)

    learnt = f"{options.rounds} rounds" if options.rounds else f"{options.minutes:g} minutes"
    print(f"{game}: {learnt} of PPO against {options.opponent}")
    print(how(game))
    print(f"seconds  decisions  mean return against {options.opponent}")
    decisions, start, told = 0, time.monotonic(), 0.0
    for update in itertools.count():
        passed = time.monotonic() - start
        done = update / options.rounds if options.rounds else passed / (60 * options.minutes)
        if done >= 1:
            break
        curves = {}
        if passed >= told:
            told = passed + min(30.0, 10 * options.minutes)
            curves["eval/mean_reward"] = evaluate(options.opponent, 400, 1)[0]
            print(f"{passed:7.0f}  {decisions:9,}  {curves['eval/mean_reward']:+.2f}")
        rows = lanes.collect(network)
        decisions += len(rows["actions"])
        curves |= improve(network, optimizer, rows, 1 - done)
        if lanes.episodes:
            pair = ("charts/episodic_return", "charts/episodic_length")
            curves |= zip(pair, np.mean(lanes.episodes, axis=0), strict=True)
            lanes.episodes.clear()
        for name, value in curves.items() if writer else ():
            writer.add_scalar(name, value, decisions)
    if writer:
        writer.close()
    for opponent in ("random", "greedy"):
        mean, half = evaluate(opponent, options.games, 1000)
        print(f"against {opponent}: {mean:+.3f} +- {half:.3f} (95%, {options.games} games)")


if __name__ == "__main__":
    main()
