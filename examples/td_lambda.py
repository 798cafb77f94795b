"""A backgammon player that teaches itself by TD(lambda), after TD-Gammon (Tesauro 1995), over whole batches of games.

    python examples/td_lambda.py shuanglu --minutes 2

It plays many games against itself at once. In each game it lists every position in which the turn can end
(`States.afterstates`), lets a small network judge all of them in one call, and takes the best. Nothing here loops over
games or moves. It needs numpy only.
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Iterator

# The products here are small: threads that wait for each other would cost more than they save.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np
from numpy.typing import NDArray

import sarai

Floats = NDArray[np.float32]

HIDDEN = 40
GAMES = 256
LAMBDA = 0.7
STEP = 0.1


class Network:
    """One hidden layer: scaled observations in, the expected share of the largest return out, -1 to 1."""

    def __init__(self, cells: int, rng: np.random.Generator) -> None:
        self.hidden = rng.normal(0, 1 / np.sqrt(cells), (cells, HIDDEN)).astype(np.float32)
        self.bias = np.zeros(HIDDEN, np.float32)
        self.out = np.zeros(HIDDEN, np.float32)

    def __call__(self, observations: Floats) -> Floats:
        """The values (n,) of positions (n, L)."""
        values: Floats = np.tanh(np.maximum(observations @ self.hidden + self.bias, 0) @ self.out)
        return values

    def learn(self, observations: Floats, targets: Floats) -> None:
        """One step of gradient descent on the squared error, by minibatches."""
        for start in range(0, len(targets), 64):
            x, target = observations[start : start + 64], targets[start : start + 64]
            inner = np.maximum(x @ self.hidden + self.bias, 0)
            value = np.tanh(inner @ self.out)
            slope = (target - value) * (1 - value**2) * (STEP / len(target))
            back = slope[:, None] * self.out * (inner > 0)
            self.out += inner.T @ slope
            self.hidden += x.T @ back
            self.bias += back.sum(0)


class Learner:
    """An agent that ends its turn where the network likes it best; `choose_many` makes it one for `sarai.rollout`."""

    def __init__(self, network: Network, scale: float) -> None:
        self.network = network
        self.scale = scale
        self.judged = 0

    def turn(self, states: sarai.States) -> tuple[sarai.States, NDArray[np.int64], Floats, NDArray[np.int64]]:
        """Play every row's turn: the rows that had one, where they end, how that looks, and the first actions."""
        ends = states.afterstates()
        movers = states.current_player()[ends.parent]
        seen = ends.states.observation_tensor(viewer=movers, dtype="float32")
        self.judged += len(seen)
        values = self.network(seen)
        over = ends.states.current_player() == sarai.TERMINAL
        values[over] = ends.states.returns()[over, movers[over]] / self.scale
        # The best of each row: after sorting by row and value, the last.
        order = np.lexsort((values, ends.parent))
        last = order[ends.offsets[1:][np.diff(ends.offsets) > 0] - 1]
        first = ends.actions[ends.action_offsets[last]].astype(np.int64)
        return ends.states[last], ends.parent[last], seen[last], first

    def choose_many(self, states: sarai.States, seats: NDArray[np.int8]) -> NDArray[np.int64]:
        """The first action of the best turn in each row."""
        return self.turn(states)[3]


def games(game: sarai.Game, learner: Learner, seed: int) -> Iterator[tuple[Floats, Floats]]:
    """Play games to their ends; the observations and TD(lambda) targets of each game's turns, last turns first."""
    states = sarai.States(game, GAMES)
    number = np.arange(GAMES)
    turns = []
    for turn in range(100_000):
        states.sample_chance(seed=seed * 100_000 + turn)
        alive = np.flatnonzero(states.current_player() >= 0)
        if not len(alive):
            break
        states, number = states[alive], number[alive]
        movers = states.current_player()
        states, parent, seen, _ = learner.turn(states)
        number = number[parent]
        returns = states.returns()[np.arange(len(states)), movers] / learner.scale
        turns.append((number, movers, seen, learner.network(seen), states.winner >= 0, returns))
    # What follows is worth to the one what it costs the other.
    ahead, whose = np.zeros(GAMES, np.float32), np.zeros(GAMES, np.int8)
    for number, movers, seen, values, over, returns in reversed(turns):
        target = np.where(over, returns, np.where(whose[number] == movers, 1, -1) * ahead[number]).astype(
            np.float32
        )
        yield seen, target
        ahead[number] = (1 - LAMBDA) * values + LAMBDA * target
        whose[number] = movers


def main() -> None:
    """Learn for some minutes, and report how it goes."""
    parser = argparse.ArgumentParser(description="Learn a game of two sides with dice by TD(lambda).")
    parser.add_argument("game", nargs="?", default="shuanglu", help="a game of two players with dice")
    parser.add_argument("--preset", help="a named rule book of the game")
    parser.add_argument("--minutes", type=float, default=2.0, help="how long to learn")
    parser.add_argument("--rounds", type=int, help=f"learn for so many rounds of {GAMES} games instead")
    parser.add_argument("--games", type=int, default=2000, help="how many games to evaluate with")
    parser.add_argument("--seed", type=int, default=0, help="where the dice and the first weights come from")
    given = parser.parse_args()
    if given.rounds is not None and given.rounds < 1:
        parser.error(f"--rounds got {given.rounds}; it takes 1 or more")
    game = sarai.make(given.game, preset=given.preset)
    if game.num_players != 2:
        parser.error(f"{given.game} has {game.num_players} players here; this learns games of two")
    learner = Learner(
        Network(game.observation_shape[0], np.random.default_rng(given.seed)),
        max(map(abs, game.returns_range)),
    )
    begun, report, generation = time.perf_counter(), 0.0, 0
    print("seconds  games  positions judged a second  mean return against greedy")
    while (seconds := time.perf_counter() - begun) < 60 * given.minutes or given.rounds or generation == 0:
        if generation == given.rounds:
            break
        for seen, targets in games(game, learner, given.seed + generation):
            learner.network.learn(seen, targets)
        generation += 1
        if seconds >= report:
            rate = learner.judged / (time.perf_counter() - begun)
            played = sarai.rollout(game, [learner, "greedy"], 400, seed=1).returns[:, 0].mean()
            print(f"{seconds:7.0f}  {generation * GAMES:5}  {rate:25,.0f}  {played:+.3f}", flush=True)
            report = seconds + 6 * given.minutes
    players = {"learner": learner, "random": "random", "greedy": "greedy"}
    print(sarai.arena(game, players, given.games, seed=2, schedule="gauntlet"))


if __name__ == "__main__":
    main()
