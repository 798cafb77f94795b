"""Teach a network of Shah or nine men's morris what positions are worth by exact tables.

    python scripts/teach_network.py GAME TABLES OUT

GAME is `shah` or `"shah(preset=nine_mens_morris)"`, TABLES the folder with all its tables: those of `sarai solve GAME
--all --out TABLES` and then `sarai solve GAME --placing --out TABLES`. OUT is the network's file. It needs PyTorch.

The positions are of games: in the first round between searches with the heuristic that err now and then, in each
further round between searches with the network of the one before. Random endings are added. The network learns the
probability of a win, in which a draw is half a win, by cross-entropy; quick wins count for more.
"""

from __future__ import annotations

import argparse
import time
from itertools import product
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray

import sarai

SEED = 1
ROUNDS = 3
GAMES = 20_000
"""Of each round."""
KEPT = 0.15
"""The share of their positions."""
PLAYERS = ("epsilon:0.5[{}]", "epsilon:0.3[{}]", "epsilon:0.1[{}]")
"""Who plays them, a third of the games each."""
ENDINGS = 10_000
"""Random positions of each pair of counts of stones from 3 to 6."""
FADES = 400
"""A win in so many turns would count as a draw."""
SLOWEST = 360
"""Slower wins count as if they took so many turns."""
EPOCHS, BATCH, RATE = 15, 512, 6e-3

Sample = tuple[NDArray[np.int8], NDArray[np.float32]]
"""Observations, and probabilities of a win."""


def valued(states: sarai.States, tables: sarai.exact.Tables) -> Sample:
    """What the side to move sees of positions, and what the tables say of them."""
    values, turns = tables.values(states)
    worth = values * (1 - np.clip(turns, 0, SLOWEST) / FADES)
    return states.observation_tensor(viewer="turn"), ((1 + worth) / 2).astype(np.float32)


def played(start: sarai.State, agent: str, seed: int) -> sarai.States:
    """Positions of games."""
    games = sarai.trajectories(start, agent, GAMES // len(PLAYERS), seed=seed)
    lengths = np.diff(games.offsets)
    rng = np.random.default_rng(seed)
    states, kept = sarai.States.from_states([start] * len(games)), []
    for step in range(lengths.max()):
        rows = np.flatnonzero(lengths > step)
        kept.append(states[rows[rng.random(len(rows)) < KEPT]])
        # Those of the games that are over are ignored.
        actions = np.zeros(len(games), np.int64)
        actions[rows] = games.actions[games.offsets[rows] + step]
        states.apply_actions(actions)
    return sarai.States.concatenate(kept)


def taught(first: sarai.nets.Net, sample: Sample) -> sarai.nets.Net:
    """A network that has learnt these positions, beginning with the weights of another."""
    module = first.to_torch()
    # Without the sigmoid, and the fixed layer that makes an expected return of the probability.
    body = module[:-2]
    inputs = torch.from_numpy(sarai.nets.encode(sample[0], first.game, first.encoding))
    due = torch.from_numpy(sample[1])[:, None]
    steps = len(inputs) // BATCH
    optimizer = torch.optim.Adam(body.parameters(), lr=RATE)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, RATE, total_steps=EPOCHS * steps, pct_start=0.1)
    for _ in range(EPOCHS):
        order = torch.randperm(len(inputs))
        for rows in order[: steps * BATCH].split(BATCH):
            loss = torch.nn.functional.binary_cross_entropy_with_logits(body(inputs[rows]), due[rows])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            schedule.step()
    return sarai.nets.make(module, game=first.game, encoding=first.encoding)


def main() -> None:
    """Teach."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("game")
    parser.add_argument("tables", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--hidden", type=int, default=32)
    given = parser.parse_args()
    torch.manual_seed(SEED)
    torch.set_num_threads(1)
    begun = time.monotonic()
    game = sarai.make(given.game)
    tables = sarai.exact.load(game, given.tables)
    first = sarai.train(game, hidden=given.hidden, seed=SEED, num_games=0, evaluations=0, progress=False).net
    start = game.new_initial_state()
    if start.is_chance_node():
        start.apply_action(0)  # Seat 0 begins.
    samples = [
        valued(tables.sample_states(ENDINGS, pair, seed=SEED), tables)
        for pair in product(range(3, 7), repeat=2)
    ]
    for number in range(ROUNDS):
        agent = "alphabeta:2" if number == 0 else f"alphabeta:2,net={given.out}"
        for player in PLAYERS:
            samples.append(valued(played(start, player.format(agent), SEED + len(samples)), tables))
        observations, due = map(np.concatenate, zip(*samples, strict=True))
        # Going on with the weights of the round before makes weaker networks.
        taught(first, (observations, due)).save(given.out)
        seconds = time.monotonic() - begun
        print(f"round {number + 1}: {len(due):,} positions, {seconds:,.0f} s", flush=True)


if __name__ == "__main__":
    main()
