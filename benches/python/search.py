"""`sarai.search` on many roots: leaf evaluations a second with an evaluator that answers at once.

The evaluator takes next to no time, so what is measured is the search: growing the trees, writing observations and
masks, taking up the answers. "outside" is the share of the time that is not spent in the evaluator; `--delay` shows
what is left of it when a call takes so many ms, as one of a network does. The peer is OpenSpiel's MCTS with an
evaluator in Python (open_spiel.python.algorithms.mcts), which answers at once as well, one root after the other. One
thread is timed by the processor, so that other work on the machine disturbs less, and two by the wall.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from importlib.util import find_spec

import numpy as np
from numpy.typing import NDArray

import sarai

ROOTS = 4096
SIMULATIONS = 100


class AtOnce:
    """An evaluator that answers at once, and counts."""

    def __init__(self, actions: int, delay: float, clock: Callable[[], float]) -> None:
        """Room for the answers of a round."""
        self.clock = clock
        self.logits = np.zeros((ROOTS, actions), np.float32)
        self.values = np.zeros(ROOTS, np.float32)
        self.delay, self.leaves, self.inside = delay, 0, 0.0

    def __call__(
        self, observations: NDArray[np.int8], masks: NDArray[np.int8]
    ) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Logits and values."""
        begun = self.clock()
        if self.delay:
            time.sleep(self.delay)
        rows = len(observations)
        self.leaves += rows
        # Not all the same: trees that go everywhere alike would be a rare case.
        values = observations[:, :8].sum(axis=1, dtype=np.float32) % 7 / 7 - 0.5
        self.inside += self.clock() - begun
        return self.logits[:rows], values


def ours(s: sarai.States, threads: int, rounds: int, delay: float) -> tuple[float, float]:
    """Leaves a second of the best round, and the share of its time outside the evaluator."""
    best = (0.0, 0.0)
    # What sleeps takes no time of the processor.
    clock = time.process_time if threads == 1 and not delay else time.perf_counter
    for seed in range(rounds):
        evaluator = AtOnce(s.game.num_actions, delay, clock)
        begun = clock()
        sarai.search(s, SIMULATIONS, evaluator, seed=seed, num_threads=threads)
        taken = clock() - begun
        best = max(best, (evaluator.leaves / taken, 1 - evaluator.inside / taken))
    return best


def open_spiel(name: str, simulations: int) -> float:
    """OpenSpiel's leaves a second."""
    import pyspiel
    from open_spiel.python.algorithms import mcts

    class Evaluator(mcts.Evaluator):  # type: ignore[misc]
        leaves = 0

        def evaluate(self, state: pyspiel.State) -> NDArray[np.float64]:
            self.leaves += 1
            return np.zeros(2)

        def prior(self, state: pyspiel.State) -> list[tuple[int, float]]:
            if state.is_chance_node():
                return list(state.chance_outcomes())
            actions = state.legal_actions()
            return [(action, 1 / len(actions)) for action in actions]

    game = pyspiel.load_game(name)
    state = game.new_initial_state()
    rng = np.random.RandomState(1)
    while state.is_chance_node():
        outcomes, chances = zip(*state.chance_outcomes(), strict=True)
        state.apply_action(rng.choice(outcomes, p=chances))
    evaluator = Evaluator()
    bot = mcts.MCTSBot(game, 1.25, simulations, evaluator, child_selection_fn=mcts.SearchNode.puct_value)
    begun = time.process_time()
    bot.mcts_search(state)
    return evaluator.leaves / (time.process_time() - begun)


def main() -> None:
    """Print a row a game."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--games", nargs="*", default=[*sarai.games(), "shah:nine_mens_morris", "shuanglu:backgammon"]
    )
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument(
        "--delay", type=float, default=0.0, metavar="MS", help="what the evaluator takes for a call"
    )
    options = parser.parse_args()
    peers = (
        {"nine_mens_morris": "nine_mens_morris", "backgammon": "backgammon"} if find_spec("pyspiel") else {}
    )
    print(f"{ROOTS:,} roots, {SIMULATIONS} simulations each; thousands of leaves a second")
    row = "{:<9} {:<17} {:>9} {:>9} {:>8} {:>9} {:>9} {:>7}"
    print(row.format("game", "preset", "1 thread", "2", "2 to 1", "outside", "peer", "ratio"))
    for name in options.games:
        game, _, preset = name.partition(":")
        s = sarai.sample_states(game, ROOTS, seed=1, preset=preset or None)
        one, outside = ours(s, 1, options.rounds, options.delay / 1000)
        two, _ = ours(s, 2, options.rounds, options.delay / 1000)
        peer = open_spiel(peers[preset], 2000) if preset in peers else None
        cells = (
            f"{one / 1e3:.0f}",
            f"{two / 1e3:.0f}",
            f"{two / one:.2f}",
            f"{outside:.0%}",
            "-" if peer is None else f"{peer / 1e3:.1f}",
            "-" if peer is None else f"{one / peer:.0f}",
        )
        print(row.format(game, preset or "-", *cells), flush=True)


if __name__ == "__main__":
    main()
