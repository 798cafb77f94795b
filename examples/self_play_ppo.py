"""Self-play PPO: one network learns every seat of a game with two sides.

    pip install "sarai" torch
    python examples/self_play_ppo.py shuanglu --minutes 10

In half of the lanes the network plays itself: every lane of `sarai.SelfPlayVectorEnv` shows the view of the player
whose turn it is, so one network plays both sides. What is good for one side is bad for the other: if the other side
moves next, the next value counts with a minus.

In the other half it plays, from a random seat, against a pool: "greedy" and its own past. The past plays inside the
engine. Networks there judge positions, so what goes into the pool is the body with the head of values, and it plays
the way to end its turn that it likes best; the head of logits, which chooses actions, has no place there.

With --imitate 60 the network begins with a minute of learning from the games of "greedy", a stronger start in games
whose first lessons are hard to come by.
"""

from __future__ import annotations

import argparse
import itertools
import time
from collections.abc import Callable

import numpy as np
import torch
from evaluation import how, measure
from torch import nn

import sarai

LANES, STEPS = 128, 64
PAST, PAST_EVERY = 8, 15
EPOCHS, MINIBATCH, RATE = 3, 2048, 1e-3
GAMMA, LAMBDA, CLIP = 1.0, 0.95, 0.2
VALUE_WEIGHT, ENTROPY_WEIGHT = 0.5, 0.01
# The network is small: one thread is as fast as two, it adds its sums in the same order every time, and it does not
# wait for a second one where other programs are at work.
torch.set_num_threads(1)


class Network(nn.Module):
    """Logits of the actions, and the value of the position for the player whose turn it is."""

    def __init__(self, game: sarai.Game, width: int = 256) -> None:
        super().__init__()
        cells, actions = game.observation_shape[0], game.num_actions
        scale = torch.ones(cells)
        for part in game.observation_spec:
            scale[part["slice"]] = 1 / max(1, abs(part["low"]), part["high"])
        self.register_buffer("scale", scale)
        self.body = nn.Sequential(nn.Linear(cells, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU())
        self.policy = nn.Linear(width, actions)
        self.value = nn.Linear(width, 1)
        nn.init.orthogonal_(self.policy.weight, 0.01)

    def as_agent(self, game: sarai.Game) -> sarai.agents.Network:
        """What it is now, playing by its values inside the engine: what it learns later does not count."""
        judge = nn.Sequential(*self.body, self.value)
        return sarai.agents.Network(sarai.nets.make(judge, game=game, encoding="scaled"))

    def forward(self, observations: torch.Tensor, masks: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        hidden = self.body(observations * self.scale)
        logits = self.policy(hidden).masked_fill(masks == 0, -1e9)
        return logits, self.value(hidden).squeeze(-1)


def evaluate(
    game: sarai.Game, agent: sarai.Policy, opponent: str, games: int, seed: int
) -> tuple[float, float]:
    """The mean return of the agent's side, half of the games from each side, and half its 95% interval."""
    tables = [
        ([agent if own == side else opponent for own in game.sides], game.sides.index(side))
        for side in (0, 1)
    ]
    return measure(game, tables, games, seed)


class Player:
    """An environment, and what it shows."""

    def __init__(self, env: sarai.SelfPlayVectorEnv | sarai.SingleAgentVectorEnv) -> None:
        self.env = env
        self.observation, self.info = env.reset()

    def step(self, actions: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The rewards of the players who have just moved, and which games have ended."""
        players = self.info.get("current_player")
        self.observation, rewards, terminated, truncated, self.info = self.env.step(actions)
        if players is not None:
            rewards = rewards[np.arange(LANES), players]
        return rewards, terminated | truncated


def collect(player: Player, network: Network) -> dict[str, torch.Tensor]:
    """STEPS steps in every lane, with the advantages of the actions."""
    env = player.env
    cells, actions = env.single_observation_space["observation"].shape[0], env.single_action_space.n
    rows = {
        "observations": torch.empty(STEPS, LANES, cells, dtype=torch.int8),
        "masks": torch.empty(STEPS, LANES, actions, dtype=torch.int8),
        "actions": torch.empty(STEPS, LANES, dtype=torch.int64),
        "chances": torch.empty(STEPS, LANES),
        "values": torch.empty(STEPS + 1, LANES),
    }
    rewards = np.zeros((STEPS, LANES), np.float32)
    ended = np.zeros((STEPS, LANES), np.bool_)
    sides = np.zeros((STEPS + 1, LANES), np.int64)
    for step in range(STEPS):
        observations = torch.from_numpy(player.observation["observation"])
        masks = torch.from_numpy(player.observation["action_mask"])
        with torch.no_grad():
            logits, values = network(observations, masks)
        choices = torch.distributions.Categorical(logits=logits)
        chosen = choices.sample()
        rows["observations"][step], rows["masks"][step] = observations, masks
        rows["actions"][step], rows["values"][step] = chosen, values
        rows["chances"][step] = choices.log_prob(chosen)
        sides[step] = player.info["side"]
        # A reward belongs to the player who has just moved; the other side's is its opposite.
        rewards[step], ended[step] = player.step(chosen.numpy())
    with torch.no_grad():
        observations = torch.from_numpy(player.observation["observation"])
        masks = torch.from_numpy(player.observation["action_mask"])
        _, rows["values"][STEPS] = network(observations, masks)
    sides[STEPS] = player.info["side"]
    sign = torch.from_numpy(np.where(sides[1:] == sides[:-1], 1.0, -1.0).astype(np.float32))
    alive = torch.from_numpy(1.0 - ended.astype(np.float32))
    advantages = torch.zeros(STEPS + 1, LANES)
    for step in reversed(range(STEPS)):
        follow = sign[step] * alive[step]
        wrong = (
            torch.from_numpy(rewards[step]) + GAMMA * follow * rows["values"][step + 1] - rows["values"][step]
        )
        advantages[step] = wrong + GAMMA * LAMBDA * follow * advantages[step + 1]
    rows["advantages"] = advantages[:STEPS]
    rows["returns"] = rows["advantages"] + rows["values"][:STEPS]
    rows["values"] = rows["values"][:STEPS]
    return {name: row.flatten(0, 1) for name, row in rows.items()}


def improve(
    network: Network, optimizer: torch.optim.Optimizer, rows: dict[str, torch.Tensor], left: float
) -> None:
    """The clipped steps of PPO; `left` is how much of the time is left, 1 to 0."""
    optimizer.param_groups[0]["lr"] = RATE * max(0.05, left)
    for _ in range(EPOCHS):
        for part in torch.randperm(len(rows["actions"])).split(MINIBATCH):
            batch = {name: row[part] for name, row in rows.items()}
            logits, values = network(batch["observations"], batch["masks"])
            choices = torch.distributions.Categorical(logits=logits)
            ratio = (choices.log_prob(batch["actions"]) - batch["chances"]).exp()
            gain = batch["advantages"]
            gain = (gain - gain.mean()) / (gain.std() + 1e-8)
            clipped = torch.minimum(ratio * gain, ratio.clamp(1 - CLIP, 1 + CLIP) * gain)
            entropy = -(choices.probs * choices.logits).sum(1)
            loss = -clipped.mean() + VALUE_WEIGHT * (values - batch["returns"]).square().mean()
            loss = loss - ENTROPY_WEIGHT * left * entropy.mean()
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(network.parameters(), 0.5)
            optimizer.step()


def imitate(
    network: Network, game: sarai.Game, seconds: float, seed: int, report: Callable[[str], None]
) -> None:
    """Learn what "greedy" plays, and how its games end, from games of `sarai.trajectories`.

    In every third batch of games it plays all seats; in the others one side is random, so that positions come up into
    which it would not have brought itself.
    """
    optimizer = torch.optim.Adam(network.parameters(), lr=RATE)
    start, agreed = time.monotonic(), 0.0
    for batch in itertools.count():
        if time.monotonic() - start >= seconds:
            break
        teacher = batch % 3 - 1
        agents = ["greedy" if teacher in (-1, side) else "random" for side in game.sides]
        t = sarai.trajectories(game, 64, agents=agents, seed=seed + batch)
        sides, every_side = np.array(game.sides)[t.players], np.array(game.sides)
        ends = np.repeat(t.rewards[t.offsets[1:] - 1], np.diff(t.offsets), axis=0)
        worth = ends[np.arange(len(t.players)), t.players]
        taught = np.isin(sides, every_side if teacher == -1 else [teacher])
        rows = [torch.from_numpy(part[taught]) for part in (t.observations, t.masks, t.actions, worth)]
        for part in torch.randperm(int(taught.sum())).split(512):
            observations, masks, actions, returns = (row[part] for row in rows)
            logits, values = network(observations, masks)
            loss = nn.functional.cross_entropy(logits, actions.long())
            loss = loss + VALUE_WEIGHT * (values - returns.float()).square().mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            agreed += 0.01 * ((logits.argmax(1) == actions).float().mean().item() - agreed)
    report(f"after {seconds:g} seconds of imitation: {agreed:.0%} of greedy's decisions")


def train(
    game: sarai.Game, minutes: float, imitation: float, seed: int, report: Callable[[str], None]
) -> Network:
    """Learn for so many minutes, some seconds of them by imitation; about every thirty a line is reported."""
    torch.manual_seed(seed)
    lanes = {"num_envs": LANES, "seed": seed, "autoreset_mode": "SameStep"}
    against_itself = Player(sarai.SelfPlayVectorEnv(game, **lanes))
    against_pool = Player(sarai.SingleAgentVectorEnv(game, seat="random", opponents="greedy", **lanes))
    network = Network(game)
    optimizer = torch.optim.Adam(network.parameters(), lr=RATE, eps=1e-5)
    past: list[sarai.agents.Network] = []
    start, told = time.monotonic(), 0.0
    if imitation:
        imitate(network, game, imitation, seed, report)
    report("seconds  decisions  mean return against random, greedy")
    for update in itertools.count():
        if (passed := time.monotonic() - start) >= 60 * minutes:
            break
        if passed >= told:
            told = passed + min(30.0, 10 * minutes)
            agent = sarai.agents.from_torch(network)
            against = [evaluate(game, agent, name, 400, 1)[0] for name in ("random", "greedy")]
            report(f"{passed:7.0f}  {2 * update * LANES * STEPS:9,}  {against[0]:+.2f}  {against[1]:+.2f}")
        if update % PAST_EVERY == PAST_EVERY - 1:
            # Games under way go on against whom they began with.
            past = [*past, network.as_agent(game)][-PAST:]
            pool = sarai.agents.Pool(["greedy", *past], [len(past), *[1] * len(past)])
            against_pool.env.set_opponents(pool)
        one, other = collect(against_itself, network), collect(against_pool, network)
        rows = {name: torch.cat([one[name], other[name]]) for name in one}
        improve(network, optimizer, rows, 1 - passed / (60 * minutes))
    return network


def main() -> None:
    parser = argparse.ArgumentParser(description="Learn a game with two sides by self-play.")
    parser.add_argument("game", nargs="?", default="shuanglu")
    parser.add_argument("--preset", help="a rule book of the game")
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument(
        "--imitate", type=float, default=0, metavar="SECONDS", help="begin by learning from greedy's games"
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--games", type=int, default=2000, help="games of the last evaluation")
    options = parser.parse_args()
    game = sarai.make(
        options.game, preset=options.preset, **({"players": 2} if options.game == "sho" else {})
    )
    print(f"{game}: {options.minutes:g} minutes of self-play")
    print(how(game))
    network = train(game, options.minutes, options.imitate, options.seed, print)
    for opponent in ("random", "greedy"):
        mean, half = evaluate(game, sarai.agents.from_torch(network), opponent, options.games, 1000)
        print(f"against {opponent}: {mean:+.3f} +- {half:.3f} (95%, {options.games} games)")


if __name__ == "__main__":
    main()
