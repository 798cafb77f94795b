"""How well the agents play, and what a decision costs: Elo with intervals of 95%, every seat played by everybody.

Each pair of games begins from the same position, after `--plies` random decisions, on the same dice: the interval is
that of the pairs. The times are of the processor, not of the wall.
"""

from __future__ import annotations

import argparse
import math
import time
from collections.abc import Iterator, Sequence

import numpy as np

import sarai

GAMES = {
    "sho2": ("sho", None, {"players": 2}),
    "sho3": ("sho", None, {"players": 3}),
    "shah": ("shah", None, {}),
    "morris": ("shah", "nine_mens_morris", {}),
    "tshupu": ("tshupu", None, {}),
    "shuanglu": ("shuanglu", None, {}),
    "backgammon": ("shuanglu", "backgammon", {}),
}
DICE = ("sho2", "sho3", "tshupu", "shuanglu", "backgammon")
PLAIN, JUDGED = "mcts:{}", "mcts:{},evaluator=heuristic"


def make(name: str) -> sarai.Game:
    """A game by its name in `GAMES`."""
    game, preset, options = GAMES[name]
    return sarai.make(game, preset=preset, **options)


def openings(game: sarai.Game, count: int, plies: int) -> sarai.States:
    """Positions after so many random decisions, chance settled."""
    rng = np.random.default_rng(3)
    states: list[sarai.State] = []
    while len(states) < count:
        state = game.new_initial_state()
        for _ in range(plies):
            while state.is_chance_node():
                state.sample_chance(int(rng.integers(2**32)))
            if not state.is_terminal():
                state.apply_action(int(rng.choice(state.legal_actions())))
        if not state.is_terminal():
            states.append(state)
    return sarai.States.from_states(states)


def seatings(game: sarai.Game, one: str, other: str) -> Iterator[tuple[list[int], list[str]]]:
    """Who sits where: the seats of `one`, and the agents of all seats."""
    for side in sorted(set(game.sides)):
        own = [seat for seat, its in enumerate(game.sides) if its == side]
        yield own, [one if seat in own else other for seat in range(game.num_players)]


def elo(score: float) -> float:
    """The difference in rating with which a score is expected."""
    score = min(max(score, 1e-4), 1 - 1e-4)
    return -400 * math.log10(1 / score - 1)


def duel(name: str, one: str, other: str, games: int, plies: int) -> str:
    """What comes of games of `one` against `other`; where there are more than two sides, against several of them."""
    game = make(name)
    sides = len(list(seatings(game, one, other)))
    starts = openings(game, max(2, games // sides), plies)
    scores, returns = [], []
    for seats, agents in seatings(game, one, other):
        played = starts.rollout(1, agents, seed=5, num_threads=1).returns[:, 0, seats[0]]
        returns.append(played)
        # Of several sides a single one wins less often: its share of wins as odds against each of the others.
        scores.append((np.sign(played) + 1) / 2)
    mean = np.mean(returns, axis=0)
    score = np.mean(scores, axis=0)
    wide, far = 1.96 / math.sqrt(len(starts)) * np.array([np.std(score), np.std(mean)])
    even = [
        elo(min(max(at, 1e-4), 1 - 1e-4)) for at in (score.mean() - wide, score.mean(), score.mean() + wide)
    ]
    # An even share of wins among so many sides is no difference.
    low, middle, high = (value - elo(1 / sides) for value in even)
    return (
        f"{name:<10} {one} against {other}: {middle:+.0f} Elo [{low:+.0f}, {high:+.0f}], "
        f"mean return {mean.mean():+.3f} +- {far:.3f}, {sides * len(starts)} games"
    )


def cost(name: str, agent: str, decisions: int = 40, seconds: float = 4.0) -> float:
    """Milliseconds of the processor for a decision, in positions of random games."""
    states = [s for s in sarai.sample_states(make(name), 4 * decisions, seed=7) if len(s.legal_actions()) > 1]
    taken, done, end = 0.0, 0, time.process_time() + seconds
    for state in states[:decisions]:
        start = time.process_time()
        sarai.agents.parse(agent).choose(state, seed=1)
        taken, done = taken + time.process_time() - start, done + 1
        if time.process_time() > end:
            break
    return 1000 * taken / done


def calibrated(name: str, pattern: str, milliseconds: float) -> str:
    """The agent of a pattern with the number that costs about so much."""
    number = 200
    for _ in range(3):
        number = max(1, round(number * milliseconds / cost(name, pattern.format(number))))
    return pattern.format(number)


def alphabeta(name: str, milliseconds: float) -> str:
    """The deepest alpha-beta that costs about so much, at most a half more."""
    depth = 2
    while cost(name, f"alphabeta:{depth + 1}") < 1.5 * milliseconds:
        depth += 1
    return f"alphabeta:{depth}"


def say_alphabeta(games: int, plies: int) -> None:
    """Alpha-beta at about ten milliseconds against greedy and mcts:1000."""
    for name in ("shah", "morris"):
        agent = alphabeta(name, 10)
        print(f"{name:<10} {agent}: {cost(name, agent):.1f} ms a decision", flush=True)
        for other in ("greedy", "mcts:1000"):
            print(duel(name, agent, other, games, plies), flush=True)


def say_expectimax(games: int, plies: int) -> None:
    """Expectimax over one turn against greedy and mcts:1000."""
    for name in DICE:
        print(f"{name:<10} expectimax:1: {cost(name, 'expectimax:1', 400):.3f} ms a decision", flush=True)
        print(duel(name, "expectimax:1", "greedy", 20 * games, plies), flush=True)
        print(duel(name, "expectimax:1", "mcts:1000", games, plies), flush=True)


def say_depth(games: int, plies: int) -> None:
    """Expectimax over two turns against one."""
    for name in DICE:
        print(f"{name:<10} expectimax:2: {cost(name, 'expectimax:2'):.2f} ms a decision", flush=True)
        print(duel(name, "expectimax:2", "expectimax:1", 4 * games, plies), flush=True)


def say_judged(games: int, plies: int) -> None:
    """The tree search that judges positions against the one that plays them out, and greedy, at equal times."""
    for name in GAMES:
        for milliseconds in (2.0, 20.0):
            agent, plain = (calibrated(name, pattern, milliseconds) for pattern in (JUDGED, PLAIN))
            few = games if milliseconds < 10 else max(40, games // 4)
            print(
                f"{name:<10} {milliseconds:.0f} ms: {agent} {cost(name, agent):.1f}, {plain} {cost(name, plain):.1f}"
            )
            for other in (plain, "greedy"):
                print(duel(name, agent, other, few, plies), flush=True)


PARTS = {"alphabeta": say_alphabeta, "expectimax": say_expectimax, "depth": say_depth, "judged": say_judged}


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure the parts that are asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("parts", nargs="*", default=[*PARTS], help=", ".join(PARTS))
    parser.add_argument("--games", type=int, default=40, help="games of slow agents; quick ones play more")
    parser.add_argument("--plies", type=int, default=4, help="random decisions before each game")
    options = parser.parse_args(arguments)
    for part in options.parts:
        PARTS[part](options.games, options.plies)


if __name__ == "__main__":
    main()
