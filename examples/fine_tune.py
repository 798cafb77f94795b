"""Fine-tune a network of the package for other rules: out of the engine into PyTorch, and back.

    python examples/fine_tune.py "sho(players=2,num_shells=24)" --net sho_two_players

In each round the network plays games and learns the expected returns of positions at the ends of turns, which a search
of one turn more finds with the network as it is. It needs torch.
"""

from __future__ import annotations

import argparse

import numpy as np
import torch
from torch import nn

import sarai
from sarai import agents

# The network is small: threads that wait for each other would cost more than they save.
torch.set_num_threads(1)

GAMES = 1_000


def examples(game: sarai.Game, net: sarai.nets.Net, seed: int) -> tuple[torch.Tensor, torch.Tensor]:
    """Inputs of positions, and the returns to expect in them, from the seat on turn on."""
    ends = game.sample_states(agents.Network(net), GAMES, seed=seed).afterstates().states
    ends = ends[ends.turn >= 0]
    inputs = sarai.nets.encode(ends.observation_tensor(viewer="turn"), game, net.encoding)
    returns = ends.expected_returns(str(agents.Expectimax(1, net)))
    seats = (ends.turn[:, None] + np.arange(game.num_players)) % game.num_players
    return torch.from_numpy(inputs), torch.from_numpy(np.take_along_axis(returns, seats, 1)).float()


def fine_tuned(game: sarai.Game, net: sarai.nets.Net, rounds: int, seed: int) -> sarai.nets.Net:
    """The network after so many rounds."""
    module = net.to_torch()
    optimizer = torch.optim.Adam([each for each in module.parameters() if each.requires_grad], 1e-3)
    print("round  positions  mean squared error")
    for number in range(rounds):
        inputs, returns = examples(game, net, seed + number)
        error = 0.0
        for batch in torch.randperm(len(inputs)).split(128):
            values = module(inputs[batch])
            # A network of one viewer has one value, the first.
            loss = nn.functional.mse_loss(values, returns[batch, : values.shape[1]])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            error += loss.item() * len(batch) / len(inputs)
        print(f"{number + 1:5}  {len(inputs):9,}  {error:.5f}", flush=True)
        net = sarai.nets.make(module, game=game, encoding=net.encoding, outputs=net.outputs)
    return net


def main() -> None:
    """Fine-tune, and play against the network as it was."""
    parser = argparse.ArgumentParser(description="Fine-tune a network for other rules.")
    parser.add_argument(
        "game", nargs="?", default="sho(players=2,num_shells=24)", help="the game and its rules"
    )
    parser.add_argument("--net", default="sho_two_players", help="a network of the package, or a file")
    parser.add_argument("--rounds", type=int, default=10, help="for how many rounds it learns")
    parser.add_argument("--games", type=int, default=4000, help="how many games to evaluate with")
    parser.add_argument("--out", help="a file for the network")
    parser.add_argument("--seed", type=int, default=0, help="where dice and the order of learning come from")
    given = parser.parse_args()
    if given.rounds < 1:
        parser.error(f"--rounds got {given.rounds}; it takes 1 or more")
    torch.manual_seed(given.seed)
    game, net = sarai.make(given.game), sarai.nets.load(given.net)
    tuned = fine_tuned(game, net, given.rounds, given.seed)
    if given.out is not None:
        tuned.save(given.out)
    players = {"fine-tuned": agents.Network(tuned), given.net: agents.Network(net)}
    plies = 4 if game.name == "shah" else 0
    print(sarai.arena(game, players, given.games, seed=given.seed, schedule="gauntlet", random_plies=plies))


if __name__ == "__main__":
    main()
