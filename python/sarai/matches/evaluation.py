"""How one agent does against others, on every side."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from sarai import notebook
from sarai._core import Game, State
from sarai._tables import text_table
from sarai._tables.columns import Table, of_rows
from sarai._tables.tabular import Tabular
from sarai.agents import Agent, Agents, label
from sarai.agents.policies import is_one
from sarai.arguments import counted
from sarai.game import game_and_start
from sarai.matches import schedule
from sarai.matches.playing import Setting, play_games
from sarai.matches.standings import Results
from sarai.progress import ProgressOption, shown
from sarai.results.summary import Estimate, texts
from sarai.terminal import printable

_HEADER = ("against", "side", "games", "wins", "95% interval", "mean return", "95% interval", "draws")


@dataclass(frozen=True)
class Score:
    """How an agent did against one opponent.

    Attributes:
        opponent: The opponent's name.
        side: The agent's side, or None for all sides together.
        games: The number of games.
        win_share: The share of games that the agent's side won, with its 95% interval.
        mean_return: The mean return of the agent's side, with its 95% interval.
        draws: The number of drawn games.
        distinct: The number of games that differ in how they ended, where that is fewer than half of them; there are no
            intervals then. Otherwise None.
    """

    opponent: str
    side: int | None
    games: int
    win_share: Estimate
    mean_return: Estimate
    draws: int
    distinct: int | None

    def to_dict(self) -> dict[str, Any]:
        """Plain texts and numbers."""
        return {
            **vars(self),
            "win_share": self.win_share.to_dict(),
            "mean_return": self.mean_return.to_dict(),
        }


@dataclass(frozen=True)
class Evaluation(Tabular, by=("score",)):
    """How an agent did against each of some opponents. `print` it or display it in a notebook.

    As a table (`to_pandas`, `to_arrow`, `to_parquet`) it has a row for each `Score`.

    Attributes:
        game: The game's name.
        rules: Every option of the game that was played.
        agent: The agent's label.
        opponents: The names of the opponents.
        seed: The seed.
        random_plies: The number of random decisions at the beginning of each game.
        scores: For each opponent a `Score` of all sides together, and then one for each side.
        seconds: How long the call took, in seconds of wall-clock time; not compared by ==.
    """

    game: str
    rules: dict[str, Any]
    agent: str
    opponents: tuple[str, ...]
    seed: int
    random_plies: int
    scores: tuple[Score, ...]
    seconds: float = field(compare=False)

    def __str__(self) -> str:
        table = text_table.lines(_HEADER, self._rows())
        return "\n".join([self._title(), "", *table, *self._notes()])

    def _repr_html_(self) -> str:
        table = notebook.table(_HEADER, self._rows(), text_columns=2)
        return notebook.heading(self._title()) + table + "".join(map(notebook.line, self._notes()))

    def to_dict(self) -> dict[str, Any]:
        """Plain lists, dicts, texts and numbers."""
        return {
            **vars(self),
            "opponents": list(self.opponents),
            "scores": [score.to_dict() for score in self.scores],
        }

    def _table(self, by: str) -> Table:
        """A row for each score; the side is -1 for all sides together."""
        rows = [
            {
                "game": self.game,
                "agent": self.agent,
                "opponent": score.opponent,
                "side": -1 if score.side is None else score.side,
                "games": score.games,
                **score.win_share.to_columns("win_share"),
                **score.mean_return.to_columns("mean_return"),
                "draws": score.draws,
            }
            for score in self.scores
        ]
        names = ("game", "rules", "agent", "opponents", "seed", "random_plies")
        return of_rows("evaluation", rows, {name: getattr(self, name) for name in names})

    def _title(self) -> str:
        plies = f", {counted(self.random_plies, 'random ply', 'random plies')}" if self.random_plies else ""
        return f"{self.game}: {printable(self.agent)} on every side, seed {self.seed}{plies}"

    def _rows(self) -> list[tuple[str, ...]]:
        shares = texts([score.win_share for score in self.scores], 100, "%")
        means = texts([score.mean_return for score in self.scores], sign="+")
        return [
            (
                printable(score.opponent),
                "all" if score.side is None else str(score.side),
                f"{score.games:,}",
                *share,
                *mean,
                f"{score.draws / score.games:.1%}",
            )
            for score, share, mean in zip(self.scores, shares, means, strict=True)
        ]

    def _notes(self) -> list[str]:
        few = [score for score in self.scores if score.side is None and score.distinct is not None]
        return [
            f"distinct games against {printable(score.opponent)}: {score.distinct:,} of {score.games:,}, so there are "
            "no intervals; let random_plies begin them differently"
            for score in few
        ]


def evaluate(
    agent: Agent,
    opponents: Mapping[str, Agent] | Agents = ("random", "greedy"),
    *,
    game: str | Game | State,
    num_games: int = 2000,
    seed: int | None = None,
    random_plies: int = 0,
    num_threads: int | None = None,
    progress: ProgressOption = False,
) -> Evaluation:
    """Let an agent play others on every side, and say how it did.

    Against each opponent, the agent has one side and the opponent all the others; in team games, a side is a team.
    Game i has the same dice on every side and against every opponent. The result does not depend on `num_threads`.

    Args:
        agent: The agent, as `sarai.rollout` takes agents for a seat.
        opponents: An agent, a list of agents, or a dict of agents by name.
        game: A game, its name as `sarai.make` takes it, or a state from which every game starts.
        num_games: The least number of games against each opponent; it is rounded up to as many on each side.
        seed: 0 to 2**64 - 1; None draws one, which the result has as `seed`.
        random_plies: How many decisions at the beginning of each game are random, 0 to 1,000, as for `sarai.rollout`.
        num_threads: The number of threads; None uses all processors.
        progress: As `sarai.rollout` takes it, for all games together.

    Raises:
        ValueError: A number is out of range; two opponents have the same name, or an agent cannot play this game; or a
            game, preset, option or agent is unknown.
        TypeError: An argument, or a value returned by a policy, has the wrong type.
        IllegalActionError: A policy chose an action that is not legal.
        KeyboardInterrupt: Ctrl-C.

    Examples:
        >>> import sarai
        >>> found = sarai.evaluate("expectimax:1", game="shuanglu", num_games=400, seed=1)
        >>> [(score.opponent, score.side) for score in found.scores]
        [('random', None), ('random', 0), ('random', 1), ('greedy', None), ('greedy', 0), ('greedy', 1)]
        >>> found.scores[0].win_share.low > 0.8
        True
        >>> sarai.evaluate("expectimax:1", game="shuanglu", num_games=0)
        Traceback (most recent call last):
        ...
        ValueError: num_games got 0; with these seat orders it takes 1 to 10000000
    """
    book, start = game_and_start(game)
    setting = Setting.of(book, start, seed, random_plies, num_threads)
    schedule.entrants({"agent": agent}, book, least=1)
    against = schedule.entrants([opponents] if is_one(opponents) else opponents, book, least=1)
    orders = schedule.seatings(2, setting.num_sides, "gauntlet")
    number = schedule.games_a_seating(num_games, orders)
    begun = time.perf_counter()
    scores: list[Score] = []
    with shown(progress, book.name, number * len(orders) * len(against)) as report:
        for place, (name, opponent) in enumerate(against.items()):
            played = []
            for turn, order in enumerate(orders):
                seats = schedule.seats(order, setting.sides, [agent, opponent])
                before = number * (place * len(orders) + turn)
                played.append(play_games(setting, seats, number, 0, (), report, before))
            results = Results(
                orders,
                np.stack([part.returns for part in played]),
                np.stack([part.winner for part in played]),
                np.stack([part.digests for part in played]),
            )
            every = np.ones(len(orders), bool)
            scores.append(_score(name, None, results, every))
            sides = range(setting.num_sides)
            scores.extend(_score(name, side, results, orders[:, side] == 0) for side in sides)
    return Evaluation(
        game=book.name,
        rules=book.rules,
        agent=label(agent),
        opponents=tuple(against),
        seed=setting.seed,
        random_plies=setting.random_plies,
        scores=tuple(scores),
        seconds=time.perf_counter() - begun,
    )


def _score(name: str, side: int | None, results: Results, seatings: np.typing.NDArray[np.bool_]) -> Score:
    distinct = results.distinct(seatings)
    return Score(
        opponent=name,
        side=side,
        games=int(results.winner[seatings].size),
        win_share=results.win_share(0, seatings, distinct is not None),
        mean_return=results.mean_return(0, seatings, distinct is not None),
        draws=int(np.count_nonzero(results.winner[seatings] < 0)),
        distinct=distinct,
    )
