"""Self-play PPO: one network learns every seat of a game with two sides.

    pip install "sarai" torch
    python examples/self_play_ppo.py shuanglu --minutes 10

Every lane of `sarai.SelfPlayVectorEnv` shows the view of the player who is to move, so one network plays both sides.
What is good for one side is bad for the other: if the other side moves next, the next value counts with a minus.

In a part of the games, as much as --pool says, it plays one side only, and the other is drawn from a pool: "greedy" and
its own past, whose logits choose actions inside the engine.

What a position is worth depends on the opponent, whom the observation does not show. So there are two heads of values,
one for games against itself and one for games against the pool, and an advantage is measured against the mean of its
own kind of games. With one head for both, all that it does against a strong pool looks bad, and all that it does
against itself looks good, so that it learns much less.

With --imitate 20000 the network begins by learning from so many games of "greedy", a stronger start in games whose
first lessons are hard to come by.
"""

from __future__ import annotations

import argparse
import itertools
import math
import time
from collections.abc import Callable

import numpy as np
import torch
from evaluation import how, measure
from torch import nn

import sarai
from sarai.agents import Pool

LANES, STEPS = 256, 64
PAST, PAST_EVERY = 8, 15
TAUGHT = 64
EPOCHS, MINIBATCH, RATE = 3, 2048, 1e-3
GAMMA, LAMBDA, CLIP = 1.0, 0.95, 0.2
VALUE_WEIGHT, ENTROPY_WEIGHT = 0.5, 0.01
ITSELF, POOL = 0, 1
# The network is small: one thread is as fast as two, it adds its sums in the same order every time, and it does not
# wait for a second one where other programs are at work.
torch.set_num_threads(1)


class Network(nn.Module):
    """Logits of the actions, and what the position is worth to the player who is to move, against itself and a pool."""

    def __init__(self, game: sarai.Game, width: int = 256) -> None:
        super().__init__()
        cells, actions = game.observation_shape[0], game.num_actions
        scale = torch.ones(cells)
        for part in game.observation_spec:
            scale[part["slice"]] = 1 / max(1, abs(part["low"]), part["high"])
        self.register_buffer("scale", scale)
        self.body = nn.Sequential(nn.Linear(cells, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU())
        self.policy = nn.Linear(width, actions)
        self.values = nn.Linear(width, 2)
        nn.init.orthogonal_(self.policy.weight, 0.01)

    def as_agent(self, game: sarai.Game) -> sarai.agents.Network:
        """What it is now, playing inside the engine: what it learns later does not count."""
        snapshot = sarai.nets.make(
            nn.Sequential(*self.body, self.policy), game=game, encoding="scaled", outputs="policy"
        )
        return sarai.agents.Network(snapshot, sample=True)

    def forward(self, observations: torch.Tensor, masks: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        hidden = self.body(observations * self.scale)
        logits = self.policy(hidden).masked_fill(masks == 0, -1e9)
        return logits, self.values(hidden)


def evaluate(
    game: sarai.Game, agent: sarai.agents.Policy, opponent: str, games: int, seed: int
) -> tuple[float, float]:
    """The mean return of the agent's side, half of the games from each side, and half its 95% interval."""
    tables = [
        ([agent if own == side else opponent for own in game.sides], game.sides.index(side))
        for side in (0, 1)
    ]
    return measure(game, tables, games, seed)


class Lanes:
    """The environment and what it shows now."""

    def __init__(self, game: sarai.Game, seed: int) -> None:
        self.env = sarai.SelfPlayVectorEnv(
            game, LANES, opponents=Pool(["self"]), seed=seed, autoreset_mode="SameStep"
        )
        self.observation, self.info = self.env.reset()

    def shown(self) -> tuple[torch.Tensor, torch.Tensor]:
        """Observations and masks."""
        return torch.from_numpy(self.observation["observation"]), torch.from_numpy(
            self.observation["action_mask"]
        )

    def heads(self) -> torch.Tensor:
        """Which of the values counts in each lane."""
        return torch.from_numpy(np.where(self.info["opponent"] == "self", ITSELF, POOL))

    def step(self, actions: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The rewards of the players who have just moved, and which games have ended."""
        players = self.info["current_player"]
        self.observation, rewards, terminated, truncated, self.info = self.env.step(actions)
        return rewards[np.arange(LANES), players], terminated | truncated


def collect(lanes: Lanes, network: Network) -> dict[str, torch.Tensor]:
    """STEPS steps in every lane, with the advantages of the actions."""
    cells, actions = (
        lanes.env.single_observation_space["observation"].shape[0],
        lanes.env.single_action_space.n,
    )
    rows = {
        "observations": torch.empty(STEPS, LANES, cells, dtype=torch.int8),
        "masks": torch.empty(STEPS, LANES, actions, dtype=torch.int8),
        "actions": torch.empty(STEPS, LANES, dtype=torch.int64),
        "chances": torch.empty(STEPS, LANES),
        "heads": torch.empty(STEPS, LANES, dtype=torch.int64),
        "values": torch.empty(STEPS + 1, LANES),
    }
    rewards = np.zeros((STEPS, LANES), np.float32)
    ended = np.zeros((STEPS, LANES), np.bool_)
    sides = np.zeros((STEPS + 1, LANES), np.int64)
    every = torch.arange(LANES)
    for step in range(STEPS):
        observations, masks = lanes.shown()
        with torch.no_grad():
            logits, values = network(observations, masks)
        choices = torch.distributions.Categorical(logits=logits)
        chosen = choices.sample()
        rows["observations"][step], rows["masks"][step] = observations, masks
        rows["heads"][step] = heads = lanes.heads()
        rows["actions"][step], rows["values"][step] = chosen, values[every, heads]
        rows["chances"][step] = choices.log_prob(chosen)
        sides[step] = lanes.info["side"]
        # A reward belongs to the player who has just moved; the other side's is its opposite.
        rewards[step], ended[step] = lanes.step(chosen.numpy())
    with torch.no_grad():
        _, values = network(*lanes.shown())
    rows["values"][STEPS] = values[every, lanes.heads()]
    sides[STEPS] = lanes.info["side"]
    sign = torch.from_numpy(np.where(sides[1:] == sides[:-1], 1.0, -1.0).astype(np.float32))
    alive = torch.from_numpy(1.0 - ended.astype(np.float32))
    advantages = torch.zeros(STEPS + 1, LANES)
    for step in reversed(range(STEPS)):
        follow = sign[step] * alive[step]
        wrong = (
            torch.from_numpy(rewards[step]) + GAMMA * follow * rows["values"][step + 1] - rows["values"][step]
        )
        advantages[step] = wrong + GAMMA * LAMBDA * follow * advantages[step + 1]
    gains = advantages[:STEPS]
    rows["returns"] = gains + rows["values"][:STEPS]
    rows["advantages"] = gains.clone()
    # Each kind of games has a mean and a deviation of its own.
    for head in (ITSELF, POOL):
        if (own := rows["heads"] == head).any():
            rows["advantages"][own] = (gains[own] - gains[own].mean()) / (gains[own].std() + 1e-8)
    del rows["values"]
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
            values = values.gather(1, batch["heads"][:, None]).squeeze(1)
            gain = batch["advantages"]
            clipped = torch.minimum(ratio * gain, ratio.clamp(1 - CLIP, 1 + CLIP) * gain)
            entropy = -(choices.probs * choices.logits).sum(1)
            loss = -clipped.mean() + VALUE_WEIGHT * (values - batch["returns"]).square().mean()
            loss = loss - ENTROPY_WEIGHT * left * entropy.mean()
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(network.parameters(), 0.5)
            optimizer.step()


def imitate(network: Network, game: sarai.Game, games: int, seed: int, report: Callable[[str], None]) -> None:
    """Learn what "greedy" plays, and how its games end, from games of `sarai.trajectories`.

    In every third batch of games it plays all seats; in the others one side is random, so that positions come up into
    which it would not have brought itself.
    """
    optimizer = torch.optim.Adam(network.parameters(), lr=RATE)
    agreed = 0.0
    for batch in range(math.ceil(games / TAUGHT)):
        teacher = batch % 3 - 1
        agents = ["greedy" if teacher in (-1, side) else "random" for side in game.sides]
        t = sarai.trajectories(game, num_games=TAUGHT, agents=agents, seed=seed + batch)
        sides, every_side = np.array(game.sides)[t.players], np.array(game.sides)
        ends = np.repeat(t.rewards[t.offsets[1:] - 1], np.diff(t.offsets), axis=0)
        worth = ends[np.arange(len(t.players)), t.players]
        taught = np.isin(sides, every_side if teacher == -1 else [teacher])
        rows = [torch.from_numpy(part[taught]) for part in (t.observations, t.masks, t.actions, worth)]
        for part in torch.randperm(int(taught.sum())).split(512):
            observations, masks, actions, returns = (row[part] for row in rows)
            logits, values = network(observations, masks)
            loss = nn.functional.cross_entropy(logits, actions.long())
            loss = loss + VALUE_WEIGHT * (values - returns.float().unsqueeze(1)).square().mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            agreed += 0.01 * ((logits.argmax(1) == actions).float().mean().item() - agreed)
    report(f"after imitation: {agreed:.0%} of greedy's decisions")


def train(
    game: sarai.Game,
    minutes: float,
    rounds: int | None,
    imitation: int,
    pool: float,
    seed: int,
    report: Callable[[str], None],
) -> Network:
    """Learn for so many rounds or else minutes, first from so many games of "greedy".

    `pool` is the share of games against "greedy" and the network's own past.
    About every thirty seconds a line is reported.
    """
    torch.manual_seed(seed)
    lanes = Lanes(game, seed)
    network = Network(game)
    optimizer = torch.optim.Adam(network.parameters(), lr=RATE, eps=1e-5)
    past: list[sarai.agents.Network] = []
    start, told = time.monotonic(), 0.0
    if imitation:
        imitate(network, game, imitation, seed, report)
    report("seconds  decisions  mean return against random, greedy")
    for update in itertools.count():
        passed = time.monotonic() - start
        done = update / rounds if rounds else passed / (60 * minutes)
        if done >= 1:
            break
        if passed >= told:
            told = passed + min(30.0, 10 * minutes)
            agent = sarai.agents.from_torch(network)
            against = [evaluate(game, agent, name, 400, 1)[0] for name in ("random", "greedy")]
            report(f"{passed:7.0f}  {update * LANES * STEPS:9,}  {against[0]:+.2f}  {against[1]:+.2f}")
        if pool and update % PAST_EVERY == PAST_EVERY - 1:
            past = [*past, network.as_agent(game)][-PAST:]
            # Games under way go on against whom they began with.
            others = [pool / 2, *[pool / 2 / len(past)] * len(past)]
            lanes.env.set_opponents(Pool(["self", "greedy", *past], [1 - pool, *others]))
        improve(network, optimizer, collect(lanes, network), 1 - done)
    return network


def main() -> None:
    parser = argparse.ArgumentParser(description="Learn a game with two sides by self-play.")
    parser.add_argument("game", nargs="?", default="shuanglu")
    parser.add_argument("--preset", help="a rule book of the game")
    parser.add_argument("--minutes", type=float, default=10, help="how long to learn")
    parser.add_argument(
        "--rounds", type=int, help=f"learn for so many rounds of {LANES * STEPS:,} decisions instead"
    )
    parser.add_argument(
        "--imitate",
        type=int,
        default=0,
        metavar="GAMES",
        help="begin by learning from so many of greedy's games",
    )
    parser.add_argument(
        "--pool",
        type=float,
        default=0.25,
        metavar="SHARE",
        help="the share of games against the pool, 0 to 1",
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--games", type=int, default=2000, help="games of the last evaluation")
    options = parser.parse_args()
    if options.rounds is not None and options.rounds < 1:
        parser.error(f"--rounds got {options.rounds}; it takes 1 or more")
    if not 0 <= options.pool <= 1:
        parser.error(f"--pool got {options.pool}; it takes 0 to 1")
    game = sarai.make(
        options.game, preset=options.preset, **({"players": 2} if options.game == "sho" else {})
    )
    learnt = f"{options.rounds} rounds" if options.rounds else f"{options.minutes:g} minutes"
    print(f"{game}: {learnt} of self-play")
    print(how(game))
    network = train(game, options.minutes, options.rounds, options.imitate, options.pool, options.seed, print)
    for opponent in ("random", "greedy"):
        mean, half = evaluate(game, sarai.agents.from_torch(network), opponent, options.games, 1000)
        print(f"against {opponent}: {mean:+.3f} +- {half:.3f} (95%, {options.games} games)")


if __name__ == "__main__":
    main()
