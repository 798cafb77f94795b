"""`sarai.search` on 4,096 roots: thousands of leaves a second with an evaluator that answers at once.

The evaluator takes next to no time, so what is measured is the search: growing the trees, writing observations and
masks, taking up the answers. "outside" is the share of the time that is not spent in the evaluator; `--delay` shows
what is left of it when a call takes so many ms, as one of a network does. The peers are OpenSpiel's MCTS with an
evaluator in Python (open_spiel.python.algorithms.mcts), one root after the other, and mctx over pgx, 256 roots at
once, compiled by XLA; both answer at once as well, and each is left out where it is not installed (`make dev`
installs OpenSpiel, `pip install mctx pgx` the other). One thread is timed by the processor, so that other work on the
machine disturbs less, and two by the wall.
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


def ours(
    s: sarai.States, threads: int, rounds: int, delay: float, clock: Callable[[], float] | None = None
) -> tuple[float, float]:
    """Leaves a second of the best round, and the share of its time outside the evaluator."""
    best = (0.0, 0.0)
    # What sleeps takes no time of the processor.
    clock = clock or (time.process_time if threads == 1 and not delay else time.perf_counter)
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


def mctx_over_pgx(name: str, roots: int = 256) -> float:
    """Leaves a second of mctx with the rules of pgx."""
    import jax
    import jax.numpy as jnp
    import mctx
    import pgx

    env = pgx.make(name)
    least = jnp.finfo(jnp.float32).min

    def recurrent(
        params: object, key: jax.Array, action: jax.Array, state: pgx.State
    ) -> tuple[object, pgx.State]:
        player = state.current_player
        state = jax.vmap(env.step)(state, action, jax.random.split(key, roots))
        told = mctx.RecurrentFnOutput(
            reward=state.rewards[jnp.arange(roots), player],
            discount=jnp.where(state.terminated, 0.0, jnp.where(state.current_player == player, 1.0, -1.0)),
            prior_logits=jnp.where(state.legal_action_mask, 0.0, least),
            value=jnp.zeros(roots),
        )
        return told, state

    @jax.jit
    def search(key: jax.Array, state: pgx.State) -> jax.Array:
        priors = jnp.where(state.legal_action_mask, 0.0, least)
        root = mctx.RootFnOutput(prior_logits=priors, value=jnp.zeros(roots), embedding=state)
        illegal = ~state.legal_action_mask
        found = mctx.muzero_policy({}, key, root, recurrent, SIMULATIONS, illegal, dirichlet_fraction=0.0)
        return found.action

    state = jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.key(0), roots))
    search(jax.random.key(1), state).block_until_ready()  # compiles
    begun = time.process_time()
    search(jax.random.key(2), state).block_until_ready()
    return roots * SIMULATIONS / (time.process_time() - begun)


def peers(preset: str) -> list[tuple[str, float]]:
    """Each peer that plays this and is installed, with its leaves a second."""
    found = []
    if preset in ("nine_mens_morris", "backgammon") and find_spec("pyspiel"):
        found.append(("OpenSpiel", open_spiel(preset, 2000)))
    if preset == "backgammon" and find_spec("mctx") and find_spec("pgx"):
        found.append(("mctx", mctx_over_pgx(preset)))
    return found


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
    row = "{:<9} {:<17} {:>9} {:>9} {:>8} {:>9}  {}"
    print(
        row.format(
            "game",
            "preset",
            "1 thread",
            "2",
            "2 to 1",
            "outside",
            "peers, and how many times as fast one thread is",
        )
    )
    for name in options.games:
        game, _, preset = name.partition(":")
        s = sarai.make(game, preset=preset or None).sample_states(num_games=ROOTS, seed=1)
        one, outside = ours(s, 1, options.rounds, options.delay / 1000)
        two, _ = ours(s, 2, options.rounds, options.delay / 1000)
        cells = f"{one / 1e3:.0f}", f"{two / 1e3:.0f}", f"{two / one:.2f}", f"{outside:.0%}"
        beside = "; ".join(f"{peer} {rate / 1e3:.1f}, {one / rate:.0f}" for peer, rate in peers(preset))
        print(row.format(game, preset or "-", *cells, beside or "-"), flush=True)


if __name__ == "__main__":
    main()
