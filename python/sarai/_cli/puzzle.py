"""A puzzle at the terminal: whoever plays has to win as quickly as can be, against the best defence."""

from __future__ import annotations

from rich.console import Console

from sarai._analysing import analyse
from sarai._base.arguments import counted
from sarai._cli import screen
from sarai._cli.session import Session
from sarai._cli.table import HUMAN, Table
from sarai._core import State
from sarai._exact.exploring import outcome
from sarai._exact.puzzling import Puzzle, defender, name_of
from sarai.agents import MoveAnalysis


class PuzzleSession(Session):
    """A puzzle, and where it is shown. A turn that gives the win away, or takes longer, is refused."""

    _commands = (*Session._commands, "solution")

    def __init__(self, puzzle: Puzzle, out: Console) -> None:
        self._puzzle = puzzle
        self._start = puzzle.state
        self._knows = defender(self._start, puzzle.length)
        self._hinted: State | None = None
        super().__init__(Table(puzzle.game, [HUMAN, self._knows], 0, start=self._start), out, None)

    def begin(self) -> None:
        """Play until it is solved or the user leaves.

        Raises:
            Interrupted: On Ctrl-C.
        """
        self.run(
            f"Puzzle {self._puzzle.number}: {self._puzzle.task}, counting those of both sides. You are White, "
            "player 0 (O). Only one turn wins. Type 'help', or 'quit' to leave."
        )

    def _best(self, state: State) -> MoveAnalysis:
        """The best move of whoever acts: certain as long as the position is won in as many turns as are left."""
        left = max(1, self._left(state))
        return analyse(state, "perfect" if self._knows == "perfect" else f"alphabeta:{left}").moves[0]

    def _left(self, state: State) -> int:
        """How many turns the win may take from here on."""
        return self._puzzle.length - (state.turns_passed() - self._start.turns_passed())

    def _told(self, word: str) -> list[str]:
        if word == "help":
            return [
                line.replace("show this", "show this".ljust(32) + "solution  show how to win").replace(
                    "show what agents would play", "name the stone to move, then the move"
                )
                for line in super()._told(word)
            ]
        state = self._table.state
        if word not in ("hint", "solution"):
            return []
        if state.is_terminal():
            return ["The puzzle is solved."]
        best = self._best(state)
        if word == "solution":
            return screen.wrapped([" ".join(best.line)])
        if self._hinted == state or "-" not in best.name:
            return [best.name]
        self._hinted = state
        return [f"Move the stone on {best.name.partition('-')[0]}. Another 'hint' says where."]

    def _refused(self, actions: list[int]) -> str:
        before, state = self._table.state, self._table.state
        name = name_of(before, actions)
        for action in actions:
            state.apply_action(action)
        if state.is_terminal():
            return ""
        best = self._best(state)
        mine = state.current_player() == before.current_player()
        value = round(best.value if mine else -best.value)
        if best.kind == "exact" and value > 0 and best.turns is not None and best.turns <= self._left(state):
            return ""
        return f"{name} {self._worth(before, name, value, state, best)}. Try again, or type 'hint' or 'solution'."

    def _worth(self, before: State, name: str, value: int, after: State, best: MoveAnalysis) -> str:
        """What a turn gives away, in words."""
        left = counted(self._left(before), "turn")
        if before == self._start:
            # The best of those that begin so.
            for other in self._puzzle.others:
                if other.name == name or other.name.startswith(f"{name} "):
                    return outcome(other.value, other.turns)
        if best.kind != "exact":
            return f"does not win in {left}"
        turns = None if best.turns is None else best.turns + after.turns_passed() - before.turns_passed()
        worth = outcome(value, turns)
        return f"{worth}; it can be done in {left}" if value > 0 else worth

    def _part(self) -> None:
        number, game = self._puzzle.number, self._puzzle.game.name
        if self._table.state.is_terminal():
            self._out.print(f"You have solved puzzle {number}.")
        else:
            self._out.print(
                f"You have left puzzle {number}; to try again: sarai play {game} --puzzle {number}"
            )
