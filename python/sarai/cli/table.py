"""A game that is being played by hand: whose turn it is, what happened, the way back, and the game in a record."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence

from sarai._core import Game, State, choose
from sarai.analysing import analyse
from sarai.cli import story
from sarai.exact import tables as exact
from sarai.records.record import Record

HUMAN = "human"

# How many moves of a search a hint names.
_HINTED = 3


class Table:
    """One game with its players, humans among them.

    Attributes:
        game: The rules.
        state: The position. It changes only by `advance`, `play` and `undo`.
        players: Who sits on each seat: `HUMAN`, or an agent's name.
        seed: What the dice and the agents' luck come from.
    """

    def __init__(
        self,
        game: Game,
        players: Sequence[str],
        seed: int,
        steps: Iterable[int] = (),
        start: State | None = None,
    ) -> None:
        """Seat the players at a position, and take the steps of a game that was played here before.

        The game goes on as it would have; None is the usual start.

        Raises:
            IllegalActionError: A step is not legal.
        """
        self.state = game.new_initial_state() if start is None else start.clone()
        self._start = start
        self.players = tuple(players)
        self.seed = seed
        self.game = game
        self._steps: list[int] = []
        # For each choice of a human the position before it, and the number of steps to there.
        self._choices: list[tuple[State, int]] = []
        self._generator = random.Random()
        self._story = story.Story(self.players)
        self._begin_stretch()
        for step in steps:
            if self.waits:
                self.play(step)
            else:
                # Drawn and not used: whatever comes after must find the generator where it would be.
                self._draw()
                self._take(step)

    @property
    def waits(self) -> bool:
        """Whether a human is to choose; otherwise the game is over or `advance` was not called yet."""
        player = self.state.current_player()
        return player >= 0 and self.players[player] == HUMAN

    @property
    def num_steps(self) -> int:
        """How many steps the game has so far."""
        return len(self._steps)

    def record(self) -> Record:
        """The game so far."""
        return Record.from_steps(self._start or self.game, self._steps, seed=self.seed, agents=self.players)

    def names(self) -> dict[str, int]:
        """The legal actions by their names, in the order of the list that is shown."""
        return {self.state.action_to_string(action): action for action in self.state.legal_actions()}

    def advance(self) -> list[str]:
        """Roll dice and play agents' moves until a human is to choose or the game is over.

        Returns:
            What happened since a human has chosen, a line for each player and turn.
        """
        state = self.state
        while not state.is_terminal() and not self.waits:
            number = self._draw()
            if state.is_chance_node():
                self._take(roll(state, number))
            else:
                agent = self.players[state.current_player()]
                self._take(choose(state, agent, seed=int(number * 2**53)))
        news = self._story.lines()
        self._story = story.Story(self.players)
        return news

    def play(self, action: int) -> None:
        """Play a human's action.

        Raises:
            ValueError: No human is to choose.
            IllegalActionError: The action is not legal; nothing has changed.
        """
        if not self.waits:
            raise ValueError("no human is to choose now: call advance first")
        before = self.state.clone()
        self.state.apply_action(action)
        self._choices.append((before, len(self._steps)))
        self._steps.append(action)
        self._begin_stretch()

    def hints(self, agents: Sequence[str]) -> list[str]:
        """What agents would play where a human is to choose, and how searches value their first moves.

        Asking changes nothing, nor any coming dice.

        Raises:
            ValueError: There is no such agent, or it is no player's turn.
        """
        return [*self._exact_hint(), *(self._hint(agent) for agent in agents)]

    def _exact_hint(self) -> list[str]:
        """What the best moves are for certain, where the tables that come with the package have the position."""
        folder = exact.shipped(self.game)
        if folder is None:
            return []
        tables = exact.Tables(self.game, folder)
        if not tables.covers(self.state):
            return []
        moves = tables.moves(self.state)[:_HINTED]
        told = (f"{self.state.action_to_string(move.action)} {exact.outcome(move)}" for move in moves)
        return [f"for certain: {', '.join(told)}"]

    def _hint(self, agent: str) -> str:
        told = analyse(self.state, agent, seed=0)
        hint = f"{agent} would play {told.moves[0].name}"
        if not told.simulations:
            return hint
        others = "".join(f", {move.name} {move.value:+.2f}" for move in told.moves[1:_HINTED])
        return f"{hint} {told.moves[0].value:+.2f}{others}"

    def undo(self) -> bool:
        """Go back to the last decision of a human; False when there is none."""
        if not self._choices:
            return False
        self.state, steps = self._choices.pop()
        del self._steps[steps:]
        self._begin_stretch()
        return True

    def result(self) -> str:
        """What every player has won or lost."""
        return story.result(self.state.returns(), self.players)

    def _begin_stretch(self) -> None:
        """Between two choices of humans there is one generator and one story.

        So a choice that is taken back and made again meets the same dice.
        """
        self._generator = random.Random(f"{self.seed} {len(self._choices)}")
        self._story = story.Story(self.players)

    def _draw(self) -> float:
        """The number that decides the next step; one a step, whatever it is, so that they can be counted off."""
        return self._generator.random()

    def _take(self, step: int) -> None:
        self._story.add(self.state, step)
        self.state.apply_action(step)
        self._steps.append(step)


def roll(state: State, number: float) -> int:
    """The chance outcome that a number from 0 to 1 falls on, each taking as much room as it has chance.

    Raises:
        ValueError: It is not chance's turn.

    >>> import sarai
    >>> state = sarai.make("sho").new_initial_state()
    >>> outcomes = [outcome for outcome, _ in state.chance_outcomes()]
    >>> roll(state, 0.0) == outcomes[0], roll(state, 0.9999) == outcomes[-1]
    (True, True)
    >>> roll(sarai.make("shah").new_initial_state(), 0.5)
    Traceback (most recent call last):
    ...
    ValueError: chance is not to act in this state: there is nothing to draw
    """
    outcomes = state.chance_outcomes()
    if not outcomes:
        raise ValueError("chance is not to act in this state: there is nothing to draw")
    left = number
    for outcome, chance in outcomes:
        left -= chance
        if left < 0:
            return outcome
    # The chances add up to 1 but for rounding.
    return outcomes[-1][0]


def find_move(names: dict[str, int], word: str) -> int | str:
    """The action that was typed: a name, an unambiguous beginning of one, or its number in the list.

    Returns:
        The action, or a sentence that says why it is none.

    >>> find_move({"hand/6": 5, "hand/6*": 7, "6/12": 20}, "6")
    20
    >>> find_move({"hand/6": 5, "6/12": 20}, "hand/6"), find_move({"hand/6": 5, "6/12": 20}, "2")
    (5, 20)
    >>> find_move({"hand/6": 5, "6/12": 20}, "7")
    "'7' is no legal move: type 'legal' for the list, 'help' for help"
    """
    if word in names:
        return names[word]
    # A number that counts in the list means that, though a name may begin with it.
    if word.isascii() and word.isdigit() and len(word) < 5 and 1 <= int(word) <= len(names):
        return list(names.values())[int(word) - 1]
    meant = [name for name in names if name.startswith(word)]
    if len(meant) == 1:
        return names[meant[0]]
    if meant:
        return f"{_quoted(word)} may be {' or '.join(meant[:6])}: type more of it"
    return f"{_quoted(word)} is no legal move: type 'legal' for the list, 'help' for help"


def _quoted(word: str) -> str:
    # Not every output can show every character.
    return ascii(word if len(word) <= 40 else word[:40] + "...")
