"""A tiny AlphaZero (Silver et al. 2018): self-play by search, and a network that learns what the search found.

    python examples/alphazero_search.py shuanglu --minutes 5

Every move of every game is chosen by `sarai.search`, which calls the network once per round with the new positions of
all games. The network learns the shares of the visits, and who won. It needs torch.
"""

from __future__ import annotations

import argparse
import time

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

import sarai
from sarai import agents

# The network is small: threads that wait for each other would cost more than they save.
torch.set_num_threads(1)

GAMES = 64
HIDDEN = 96
NOISE = (0.3, 0.25)


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


def self_play(game: sarai.Game, network: Network, simulations: int, seed: int) -> list[torch.Tensor]:
    """Games against itself: observations, masks, shares of visits, and what came of it for who was to act."""
    rng = np.random.default_rng(seed)
    states, row = sarai.States(game, GAMES), np.arange(GAMES)
    seen, results = [], np.zeros((GAMES, game.num_players), np.float32)
    for turn in range(100_000):
        states.sample_chance(seed=int(rng.integers(2**63)))
        over = states.current_player() < 0
        results[row[over]] = states.returns()[over]
        states, row = states[~over], row[~over]
        if not len(row):
            break
        found = sarai.search(states, simulations, network.judge, noise=NOISE, seed=seed * 100_000 + turn)
        masks = states.legal_actions_mask()
        seen.append((states.observation_tensor(), masks, found.policy, row, states.current_player()))
        # Gumbel's trick draws from all rows at once: an action as often as the search visited it.
        with np.errstate(divide="ignore"):
            drawn = np.log(found.policy) + rng.gumbel(size=found.policy.shape)
        states.apply_actions(np.where(masks == 1, drawn, -np.inf).argmax(1))
    gains = [results[row, players] / network.scale for *_, row, players in seen]
    columns = [np.concatenate(column) for column in list(zip(*seen, strict=True))[:3]]
    return [torch.from_numpy(column) for column in (*columns, np.concatenate(gains).astype(np.float32))]


def learn(network: Network, optimizer: torch.optim.Optimizer, played: list[torch.Tensor]) -> None:
    """One pass over the positions that were played, in minibatches."""
    for batch in torch.randperm(len(played[0])).split(256):
        observations, masks, shares, gains = (column[batch] for column in played)
        logits, values = network(observations)
        logits = logits.masked_fill(masks == 0, -1e9)
        loss = nn.functional.cross_entropy(logits, shares) + nn.functional.mse_loss(values, gains)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


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
    begun, generation, positions = time.perf_counter(), 0, 0
    print("seconds  games  positions")
    while time.perf_counter() - begun < 60 * given.minutes or given.rounds or generation == 0:
        if generation == given.rounds:
            break
        played = self_play(game, network, given.simulations, given.seed + generation)
        learn(network, optimizer, played)
        generation, positions = generation + 1, positions + len(played[0])
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
