"""How fast the agents think and how well they play, each figure beside what is due and beside its peer.

Elo has intervals of 95%, and every seat is played by everybody. Each pair of games begins from the same position, after
`--plies` random decisions, on the same dice: the interval is that of the pairs. The times are of the processor, not of
the wall, except for two threads. The peer is OpenSpiel, whose lines are left out where it is not installed.
"""

from __future__ import annotations

import argparse
import math
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import sarai

sys.path.insert(0, str(Path(__file__).parent / "python"))

import arena
import search
import states

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
DEPTH = 8
PLAIN, JUDGED = "mcts:{}", "mcts:{},evaluator=heuristic"
# Where the tree search is advised to judge by the heuristic: elsewhere a network of the package is better.
BY_HEURISTIC = ("sho3",)
# The networks that come with the package.
NETWORKS = {
    "sho2": "sho_two_players",
    "sho3": "sho",
    "shah": "shah",
    "morris": "nine_mens_morris",
    "tshupu": "tshupu",
    "shuanglu": "shuanglu",
    "backgammon": "backgammon",
}


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


def seatings(game: sarai.Game, one: str, other: Any) -> Iterator[tuple[list[int], list[Any]]]:
    """Who sits where: the seats of `one`, and the agents of all seats."""
    for side in sorted(set(game.sides)):
        own = [seat for seat, its in enumerate(game.sides) if its == side]
        yield own, [one if seat in own else other for seat in range(game.num_players)]


def elo(score: float) -> float:
    """The difference in rating with which a score is expected."""
    score = min(max(score, 1e-4), 1 - 1e-4)
    return -400 * math.log10(1 / score - 1)


class Duel(NamedTuple):
    """A difference in Elo with its interval, and all that is to be said of the games."""

    middle: float
    low: float
    high: float
    text: str

    def __str__(self) -> str:
        """What is printed."""
        return self.text


def duel(name: str, one: str, other: Any, games: int, plies: int) -> Duel:
    """What comes of games of `one` against `other`; where there are more than two sides, against several of them."""
    game = make(name)
    sides = len(list(seatings(game, one, other)))
    starts = openings(game, max(2, games // sides), plies)
    scores, returns = [], []
    for seats, agents in seatings(game, one, other):
        played = starts.rollout(agents, 1, seed=5, num_threads=1).returns[:, 0, seats[0]]
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
    text = (
        f"{name:<10} {one} against {other}: {middle:+.0f} Elo [{low:+.0f}, {high:+.0f}], "
        f"mean return {mean.mean():+.3f} +- {far:.3f}, {sides * len(starts)} games"
    )
    return Duel(middle, low, high, text)


def cost(name: str, agent: str, decisions: int = 40, seconds: float = 4.0) -> float:
    """Milliseconds of the processor for a decision, in positions of random games."""
    states = [
        s for s in make(name).sample_states(num_games=4 * decisions, seed=7) if len(s.legal_actions()) > 1
    ]
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
    """The deepest alpha-beta that costs about so much, with the network and tables of the package."""
    pattern = f"alphabeta:{{}},net={NETWORKS[name]},tables"
    depth = 2
    while cost(name, pattern.format(depth + 1)) < 1.5 * milliseconds:
        depth += 1
    return pattern.format(depth)


def rate(work: Callable[[], int], rounds: int = 3) -> float:
    """How much of what it counts some work does in a second of the processor, in the best of some rounds."""
    best = 0.0
    for _ in range(rounds):
        start = time.process_time()
        done = work()
        best = max(best, done / (time.process_time() - start))
    return best


def say(what: str | Duel, due: str, figure: str, peer: str = "") -> None:
    """A figure beside what is due."""
    print(f"{what!s:<58} due {due:<14} {figure:<22} {peer}".rstrip(), flush=True)


def say_speed(games: int, plies: int) -> None:
    """What the agents, trees and arenas do in a second."""
    for name in GAMES:
        game = make(name)

        def greedy(game: sarai.Game = game) -> int:
            return int(sarai.rollout(game, "greedy", 100 * games, seed=1, num_threads=1).lengths.sum())

        say(f"greedy decisions a second, {name}", "5 M", f"{rate(greedy) / 1e6:.2f} M")
    for name in ("shah", "morris"):
        positions = list(openings(make(name), 8, 12))

        def nodes(positions: list[sarai.State] = positions) -> int:
            return sum(sarai.agents.AlphaBeta(DEPTH).analyse(state).nodes for state in positions)

        say(f"alpha-beta nodes a second, {name}", "5 M", f"{rate(nodes) / 1e6:.2f} M")
    for name, theirs, times in (("morris", "nine_mens_morris", 12), ("backgammon", "backgammon", 150)):
        state = openings(make(name), 1, 0)[0]
        if state.is_chance_node():
            state.sample_chance(1)

        def simulations(state: sarai.State = state) -> int:
            return sarai.agents.MCTS(4000).analyse(state).simulations

        ours, peer = rate(simulations), open_spiel_simulations(theirs)
        beside = f"OpenSpiel in C++ {peer:,.0f}: {ours / peer:.0f} times" if peer else ""
        say(f"mcts simulations a second, {name}", f"{times} times", f"{ours:,.0f}", beside)
    for name in GAMES:
        s = make(name).sample_states(num_games=search.ROOTS, seed=1)
        one, outside = search.ours(s, 1, 3, 0.0)
        two, _ = search.ours(s, 2, 3, 0.0)
        each, _ = search.ours(s, 2, 3, 0.0, time.process_time)
        figure = f"{one / 1e6:.2f} M on one thread"
        beside = (
            f"on two {two / 1e6:.2f} M by the wall, {each / 1e6:.2f} M a second of each processor; "
            f"outside the evaluator {outside:.0%}"
        )
        say(f"sarai.search, leaf evaluations a second, {name}", "1 M", figure, beside)
    s = make("backgammon").sample_states(num_games=states.ROWS, seed=1)
    asked = states.questions(s, 1)["afterstates, observed"]
    ends = states.rate(asked, len(s.afterstates().states))
    say("afterstates with observations a second, backgammon", "4 M", f"{ends / 1e6:.2f} M")
    a, wall, spent = arena.rated("shuanglu")
    beside = f"by the wall {wall:.1f} s; the slowest agent takes {max(a.milliseconds):.3f} ms a decision"
    say("1,000 games of six agents in Shuanglu, rated", "60 s", f"{spent:.1f} s", beside)


def open_spiel_simulations(name: str) -> float:
    """OpenSpiel's simulations a second, in C++; 0 where it is not installed."""
    if not find_spec("pyspiel"):
        return 0.0
    import pyspiel

    game = pyspiel.load_game(name)
    state = game.new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.chance_outcomes()[0][0])
    count = 500
    playing = pyspiel.RandomRolloutEvaluator(1, 1)
    bot = pyspiel.MCTSBot(game, playing, 1.4, count, 1000, True, 1, False)

    def simulations() -> int:
        bot.mcts_search(state)
        return count

    return rate(simulations)


class OpenSpiel:
    """OpenSpiel's MCTSBot of 1,000 simulations as an agent; the engine plays the games out for it, as it would."""

    def __init__(self) -> None:
        """Set it up."""
        import pyspiel
        from open_spiel.python.algorithms import mcts

        class Evaluator(mcts.RandomRolloutEvaluator):  # type: ignore[misc]
            games = 0

            def evaluate(self, state: sarai.State) -> Any:
                self.games += 1
                return sarai.States.from_states([state]).rollout(seed=self.games, num_threads=1).returns[0, 0]

        rng = np.random.RandomState(1)
        # It asks its game for the range of the returns alone.
        game = pyspiel.load_game("nine_mens_morris")
        self.bot = mcts.MCTSBot(game, 1.4, 1000, Evaluator(1, rng), random_state=rng)

    def __str__(self) -> str:
        return "OpenSpiel's MCTSBot of 1,000 simulations"

    def choose_many(self, states: sarai.States, seats: Any) -> list[int]:
        """An action for each row."""
        return [int(self.bot.mcts_search(state).best_child().action) for state in states]


def say_alphabeta(games: int, plies: int) -> None:
    """Alpha-beta at about ten milliseconds against greedy, mcts:1000 and OpenSpiel."""
    for name in ("shah", "morris"):
        agent = alphabeta(name, 10)
        say(f"{name}, {agent}, a decision", "10 ms", f"{cost(name, agent):.1f} ms")
        say(duel(name, agent, "greedy", games, plies), "400", "")
        say(duel(name, agent, "mcts:1000", games, plies), "400", "")
        if find_spec("open_spiel"):
            say(duel(name, agent, OpenSpiel(), max(8, games // 2), plies), "600", "")


def say_expectimax(games: int, plies: int) -> None:
    """Expectimax over one turn against greedy and mcts:1000."""
    for name in DICE:
        say(f"{name}, expectimax:1, a decision", "1 ms", f"{cost(name, 'expectimax:1', 400):.3f} ms")
        say(duel(name, "expectimax:1", "greedy", 20 * games, plies), "more than 0", "")
        say(duel(name, "expectimax:1", "mcts:1000", games, plies), "more than 0", "")


def say_depth(games: int, plies: int) -> None:
    """Expectimax over two turns against one."""
    for name in DICE:
        say(f"{name}, expectimax:2, a decision", "-", f"{cost(name, 'expectimax:2'):.2f} ms")
        say(duel(name, "expectimax:2", "expectimax:1", 4 * games, plies), "more than 0", "")


def say_judged(games: int, plies: int, times: Sequence[float] = (2.0, 20.0)) -> None:
    """The tree search that judges positions against the one that plays them out, and greedy, at equal times.

    It judges by the heuristic, by the network of the package, and by the one of them that `docs/agents.md` advises.
    """
    for milliseconds in times:
        few = games if milliseconds < 10 else max(40, games // 4)
        found = {}
        for name in GAMES:
            patterns = [JUDGED, f"mcts:{{}},net={NETWORKS[name]}"]
            plain = calibrated(name, PLAIN, milliseconds)
            say(f"{name}, {plain}, a decision", f"{milliseconds:g} ms", f"{cost(name, plain):.1f} ms")
            gains = []
            for agent in (calibrated(name, pattern, milliseconds) for pattern in patterns):
                say(f"{name}, {agent}, a decision", f"{milliseconds:g} ms", f"{cost(name, agent):.1f} ms")
                gains.append(duel(name, agent, plain, few, plies))
                say(gains[-1], "more than 0", "")
                say(duel(name, agent, "greedy", few, plies), "more than 0", "")
            found[name] = [gain.middle for gain in gains]
        ways = {
            "heuristic": dict.fromkeys(GAMES, 0),
            "network": dict.fromkeys(GAMES, 1),
            "one advised": {name: int(name not in BY_HEURISTIC) for name in GAMES},
        }
        for way, taken in ways.items():
            mean = sum(gains[taken[name]] for name, gains in found.items()) / len(found)
            say(f"by the {way}, over plain mcts, {milliseconds:g} ms", "200 on average", f"{mean:+.0f}")


PARTS = {
    "speed": say_speed,
    "alphabeta": say_alphabeta,
    "expectimax": say_expectimax,
    "depth": say_depth,
    "judged": say_judged,
}


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
