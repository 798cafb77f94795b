"""A tiny AlphaZero (Silver et al. 2018): self-play by search, and a network that learns what the search found.

    python examples/alphazero_search.py shuanglu --minutes 5

`sarai.self_play` chooses every move by a search that calls the network with the new positions of all games at once. The
network learns the shares of the visits, and who won, each position turned by a symmetry of the board. It needs torch.
"""

from __future__ import annotations

import argparse
import itertools
import time

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

import sarai
from sarai import agents
from sarai.results import Symmetries
from sarai.training import SelfPlayGame

# The network is small: threads that wait for each other would cost more than they save.
torch.set_num_threads(1)

GAMES = 64
HIDDEN = 96


class Network(nn.Module):
    """One hidden layer: observations in, a logit for each action and a value for the player to act out."""

    def __init__(self, game: sarai.Game) -> None:
        super().__init__()
        (cells,) = game.observation_shape
        self.body = nn.Sequential(nn.Linear(cells, HIDDEN), nn.ReLU(), nn.Linear(HIDDEN, HIDDEN), nn.ReLU())
        self.policy = nn.Linear(HIDDEN, game.num_actions)
        self.value = nn.Linear(HIDDEN, 1)
        self.scale = max(map(abs, game.returns_range))

    def forward(self, observations: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        inner = self.body(observations.float() / 16)
        return self.policy(inner), torch.tanh(self.value(inner)).squeeze(1)

    def judge(
        self, observations: NDArray[np.int8], masks: NDArray[np.int8]
    ) -> tuple[NDArray[np.float32], ...]:
        """The evaluator, as `sarai.search` takes it."""
        with torch.inference_mode():
            logits, values = self(torch.from_numpy(observations))
        return logits.numpy(), values.numpy() * self.scale


def learn(
    network: Network,
    optimizer: torch.optim.Optimizer,
    symmetries: Symmetries,
    played: list[SelfPlayGame],
    rng: np.random.Generator,
) -> int:
    """One pass over the positions of the games, each turned by a symmetry; returns how many there were."""
    names = ("observations", "masks", "policy", "gains")
    observations, masks, shares, gains = (
        np.concatenate([getattr(one, name) for one in played]) for name in names
    )
    # The network sees through the eyes of the player to act, who must not become another.
    fitting = np.flatnonzero((symmetries.seat == symmetries.seat[0]).all(axis=1))
    drawn = rng.choice(fitting, len(gains))
    observations = np.take_along_axis(observations, symmetries.observation[drawn], 1)
    masks, shares = (np.take_along_axis(each, symmetries.action[drawn], 1) for each in (masks, shares))
    columns = [*map(torch.from_numpy, (observations, masks, shares, gains / network.scale))]
    for batch in torch.randperm(len(gains)).split(256):
        seen, legal, share, gain = (column[batch] for column in columns)
        logits, values = network(seen)
        logits = logits.masked_fill(legal == 0, -1e9)
        loss = nn.functional.cross_entropy(logits, share) + nn.functional.mse_loss(values, gain)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return len(gains)


def main() -> None:
    """Learn for some minutes, then evaluate with the search."""
    parser = argparse.ArgumentParser(description="Learn a game by self-play with a tree search.")
    parser.add_argument("game", nargs="?", default="shuanglu", choices=sarai.games(), help="the game")
    parser.add_argument("--preset", help="a named rule book of the game")
    parser.add_argument("--minutes", type=float, default=5.0, help="how long to learn")
    parser.add_argument("--rounds", type=int, help=f"learn for so many rounds of {GAMES} games instead")
    parser.add_argument("--simulations", type=int, default=24, help="the simulations of each search")
    parser.add_argument("--games", type=int, default=400, help="how many games to evaluate with")
    parser.add_argument("--seed", type=int, default=0, help="where dice, noise and first weights come from")
    given = parser.parse_args()
    if given.rounds is not None and given.rounds < 1:
        parser.error(f"--rounds got {given.rounds}; it takes 1 or more")
    torch.manual_seed(given.seed)
    game = sarai.make(given.game, preset=given.preset)
    network = Network(game)
    optimizer = torch.optim.Adam(network.parameters(), 1e-3)
    games = sarai.self_play(game, given.simulations, network.judge, lanes=GAMES, seed=given.seed)
    rng = np.random.default_rng(given.seed)
    begun, generation, positions = time.perf_counter(), 0, 0
    print("seconds  games  positions")
    while time.perf_counter() - begun < 60 * given.minutes or given.rounds or generation == 0:
        if generation == given.rounds:
            break
        played = list(itertools.islice(games, GAMES))
        positions += learn(network, optimizer, game.symmetries, played, rng)
        generation += 1
        print(f"{time.perf_counter() - begun:7.0f}  {generation * GAMES:5}  {positions:9,}", flush=True)
    plies = 0 if game.name != "shah" else 4
    for simulations in (1, given.simulations):
        players = {
            "learner": agents.TreeSearch(network.judge, simulations),
            "random": "random",
            "greedy": "greedy",
        }
        print(sarai.arena(game, players, given.games, seed=2, schedule="gauntlet", random_plies=plies))


if __name__ == "__main__":
    main()
