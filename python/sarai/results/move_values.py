"""How good each legal action of a position is, found by playing on from there."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from sarai import _core, notebook
from sarai._core import State
from sarai._tables import text_table
from sarai._tables.columns import Table, of_rows
from sarai._tables.tabular import Tabular
from sarai.agents import Agents
from sarai.progress import ProgressOption
from sarai.results.summary import Estimate, texts
from sarai.states import States

_HEADER = ("action", "name", "win share", "95% interval", "mean return", "95% interval")


@dataclass(frozen=True)
class MoveValue:
    """What came of the games that began with one action.

    Attributes:
        action: The action, as `State.apply_action` takes it.
        name: Its name.
        win_share: The share of games that the side of the player to act won, with Wilson's 95% interval.
        mean_return: The mean return of the player to act, with its 95% interval by the normal approximation.
    """

    action: int
    name: str
    win_share: Estimate
    mean_return: Estimate


@dataclass(frozen=True)
class MoveValues(Tabular, by=("move",)):
    """The values of all legal actions of a position, best mean return first. `print` it or display it in a notebook.

    As a table (`to_pandas`, `to_arrow`, `to_parquet`) it has a row for each action.

    Attributes:
        game: The game's name.
        rules: All its options.
        state: The position as text.
        player: The player to act.
        agents: One label per seat: who played the games.
        num_games: The number of games for each action.
        seed: The seed.
        moves: One `MoveValue` per legal action; of equal means, smaller actions first.
        seconds: How long playing took; not compared by ==.
    """

    game: str
    rules: dict[str, Any]
    state: str
    player: int
    agents: tuple[str, ...]
    num_games: int
    seed: int
    moves: tuple[MoveValue, ...]
    seconds: float = field(compare=False)

    def _table(self, by: str) -> Table:
        rows = [
            {
                "game": self.game,
                "player": self.player,
                "action": move.action,
                "name": move.name,
                "games": self.num_games,
                **move.win_share.to_columns("win_share"),
                **move.mean_return.to_columns("mean_return"),
            }
            for move in self.moves
        ]
        names = ("game", "rules", "state", "player", "agents", "seed")
        return of_rows("move_values", rows, {name: getattr(self, name) for name in names})

    @property
    def best(self) -> MoveValue:
        """The action with the largest mean return."""
        return self.moves[0]

    def __str__(self) -> str:
        return "\n".join([self._title(), "", *text_table.lines(_HEADER, self._rows(), left=(1,))])

    def _repr_html_(self) -> str:
        return notebook.heading(self._title()) + notebook.table(_HEADER, self._rows(), text_columns=2)

    def _title(self) -> str:
        games = f"{self.num_games:,} games each" if self.num_games > 1 else "1 game each"
        agents = ", ".join(dict.fromkeys(self.agents))
        return f"{self.game}: the actions of player {self.player}, {games}, played on by {agents}, seed {self.seed}"

    def _rows(self) -> Iterable[tuple[str, ...]]:
        wins = texts([move.win_share for move in self.moves], 100, "%")
        means = texts([move.mean_return for move in self.moves], sign="+")
        return [
            (str(move.action), move.name, *win, *mean)
            for move, win, mean in zip(self.moves, wins, means, strict=True)
        ]


def evaluate_moves(
    state: State,
    agent: Agents = "random",
    num_games: int = 1000,
    *,
    seed: int | None = None,
    num_threads: int | None = None,
    progress: ProgressOption = False,
) -> MoveValues:
    """Play games after each legal action of a position, and compare what comes of them.

    Args:
        state: A position in which it is a player's turn.
        agent: Who plays on, as `sarai.rollout` takes agents: one for all seats, or a list with one per seat.
        num_games: The number of games for each action, 1 to 100,000,000 divided by the number of actions.
        seed: 0 to 2**64 - 1; None draws one from the operating system, and the result records it.
        num_threads: The number of threads; None uses all processors.
        progress: As `sarai.rollout` takes it.

    Raises:
        ValueError: It is no player's turn, a number is out of range, or an agent is unknown.
        TypeError: An argument has the wrong type.
        IllegalActionError: A policy chose an action that is not legal.
        KeyboardInterrupt: Ctrl-C.

    Examples:
        >>> import sarai
        >>> state = sarai.make("shuanglu").sample_states(num_games=1, seed=1)[0]
        >>> values = sarai.evaluate_moves(state, "greedy", 200, seed=1)
        >>> sorted(move.action for move in values.moves) == state.legal_actions()
        True
        >>> values.best.win_share.low <= values.best.win_share.value
        True
        >>> sarai.evaluate_moves(sarai.make("sho").new_initial_state())
        Traceback (most recent call last):
        ...
        ValueError: it is no player's turn in this state, so there are no moves to compare
    """
    if not isinstance(state, State):
        raise TypeError(f"state must be a sarai.State, not {type(state).__name__}")
    state = state.clone()
    player = state.current_player()
    if player < 0:
        raise ValueError("it is no player's turn in this state, so there are no moves to compare")
    game = state.get_game()
    found = _core.States.of(game, [state]).expand("actions", game.num_actions, 1)
    played = States.of_rows(found["states"]).rollout(
        agent, num_games, seed=seed, num_threads=num_threads, progress=progress
    )
    games = played.winner.shape[1]
    side = game.sides[player]
    moves = [
        MoveValue(
            action=int(action),
            name=state.action_to_string(int(action)),
            win_share=Estimate.of_share(int(np.count_nonzero(played.winner[row] == side)), games),
            mean_return=Estimate.of_mean(played.returns[row, :, player]),
        )
        for row, action in enumerate(found["action"])
    ]
    return MoveValues(
        game=game.name,
        rules=dict(game.rules),
        state=str(state),
        player=player,
        agents=played.agents,
        num_games=games,
        seed=played.seed,
        moves=tuple(sorted(moves, key=lambda move: (-move.mean_return.value, move.action))),
        seconds=played.seconds,
    )
