"""Fine-tune a network of the package for other rules: out into PyTorch, and back into the engine.

    python examples/fine_tune.py "shuanglu(preset=catalogue)" --net backgammon

Each round lists positions at the ends of turns, and takes what a search one turn deeper expects of each as its target.
It needs torch.
"""

from __future__ import annotations

import argparse

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

import sarai
from sarai import agents

# The network is small: threads that wait for each other would cost more than they save.
torch.set_num_threads(1)

POSITIONS = 20_000


def examples(
    game: sarai.Game, net: sarai.nets.Net, games: int, seed: int
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Inputs of positions, and the returns to expect there, the viewer's first."""
    rng = np.random.default_rng(seed)
    player = agents.Epsilon(agents.Network(net), 0.1)
    ends = game.sample_states(player, games, seed=seed).afterstates().states
    ends = ends[ends.turn >= 0]
    ends = ends[rng.permutation(len(ends))[:POSITIONS]]
    returns = ends.expected_returns(str(agents.Expectimax(1, net)))
    seats = (ends.turn[:, None] + np.arange(game.num_players)) % game.num_players
    inputs = sarai.nets.encode(ends.observation_tensor(viewer="turn"), game, net.encoding)
    return inputs, np.take_along_axis(returns, seats, axis=1).astype(np.float32)


def tuned(game: sarai.Game, net: sarai.nets.Net, rounds: int, seed: int) -> sarai.nets.Net:
    """The network after so many rounds."""
    module = net.to_torch()
    optimizer = torch.optim.Adam([p for p in module.parameters() if p.requires_grad], 1e-3)
    for number in range(rounds):
        inputs, targets = map(torch.from_numpy, examples(game, net, 4000, seed + number))
        total = 0.0
        for batch in torch.randperm(len(inputs)).split(128):
            values = module(inputs[batch])
            loss = nn.functional.mse_loss(values, targets[batch, : values.shape[1]])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            total += float(loss.detach()) * len(batch)
        print(f"{number + 1:5}  {total / len(inputs):.5f}", flush=True)
        net = sarai.nets.make(module, game=game, encoding=net.encoding, outputs=net.outputs)
    return net


def main() -> None:
    parser = argparse.ArgumentParser(description="Fine-tune a network for other rules.")
    parser.add_argument("game", nargs="?", default="shuanglu(preset=catalogue)")
    parser.add_argument("--net", default="backgammon", help="a network of the package, or a file")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--games", type=int, default=2000, help="games of the last evaluation")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    game = sarai.make(options.game)
    loaded = sarai.nets.load(options.net)
    # The same layers, made for these rules.
    net = sarai.nets.make(loaded.to_torch(), game=game, encoding=loaded.encoding, outputs=loaded.outputs)
    print(f"{game}\nround  squared error")
    better = tuned(game, net, options.rounds, options.seed)
    players = [agents.Network(better), agents.Network(net)]
    print(sarai.arena(game, players, options.games, names=["tuned", options.net], seed=options.seed))


if __name__ == "__main__":
    main()
