"""A game that is being played by hand: whose turn it is, what happened, and the way back."""

from __future__ import annotations

import random
from collections.abc import Sequence

from sarai._core import Game, State, choose

HUMAN = "human"


class Table:
    """One game with its players, humans among them.

    Attributes:
        state: The position. It changes only by `advance`, `play` and `undo`.
        players: Who sits on each seat: `HUMAN`, or an agent's name.
    """

    def __init__(self, game: Game, players: Sequence[str], seed: int) -> None:
        self.state = game.new_initial_state()
        self.players = tuple(players)
        self._seed = seed
        self._past: list[State] = []

    @property
    def waits(self) -> bool:
        """Whether a human is to choose; otherwise the game is over or `advance` was not called yet."""
        player = self.state.current_player()
        return player >= 0 and self.players[player] == HUMAN

    def names(self) -> dict[str, int]:
        """The legal actions by their names, in the order of the list that is shown."""
        return {self.state.action_to_string(action): action for action in self.state.legal_actions()}

    def advance(self) -> list[str]:
        """Roll dice and play agents' moves until a human is to choose or the game is over.

        Returns:
            What happened, a line for each player and turn.
        """
        # A generator for each choice of a human: one that is taken back and made again meets the same dice.
        generator = random.Random(f"{self._seed} {len(self._past)}")
        news: list[tuple[str, list[str]]] = []
        state = self.state
        while not state.is_terminal() and not self.waits:
            if state.is_chance_node():
                thrower = state.view()["state"].get("player")
                action = roll(state, generator)
                who = "drawn" if thrower is None else self.name(thrower)
                what = ("" if thrower is None else "throws ") + state.outcome_to_string(action)
            else:
                player = state.current_player()
                action = choose(state, self.players[player], generator.getrandbits(64))
                who, what = self.name(player), f"plays {state.action_to_string(action)}"
            if not news or news[-1][0] != who:
                news.append((who, []))
            news[-1][1].append(what)
            state.apply_action(action)
        return [f"{who}: {', '.join(done)}" for who, done in news]

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
        self._past.append(before)

    def hints(self, agents: Sequence[str]) -> list[str]:
        """What agents would play where a human is to choose. Asking changes nothing, nor any coming dice.

        Raises:
            ValueError: There is no such agent, or no player is to act.
        """
        state = self.state
        return [f"{agent} would play {state.action_to_string(choose(state, agent))}" for agent in agents]

    def undo(self) -> bool:
        """Go back to the last decision of a human; False when there is none."""
        if not self._past:
            return False
        self.state = self._past.pop()
        return True

    def name(self, player: int) -> str:
        """How a player is called in what is printed."""
        return f"player {player} ({self.players[player]})"

    def result(self) -> str:
        """What every player has won or lost."""
        returns = enumerate(self.state.returns())
        return ", ".join(f"{self.name(player)} {value:+g}" for player, value in returns)


def roll(state: State, generator: random.Random) -> int:
    """A chance outcome, drawn with the chances that the state gives.

    Raises:
        ValueError: It is not chance's turn.

    >>> import random, sarai
    >>> state = sarai.make("sho").new_initial_state()
    >>> roll(state, random.Random(7)) in dict(state.chance_outcomes())
    True
    >>> roll(sarai.make("shah").new_initial_state(), random.Random(7))
    Traceback (most recent call last):
    ...
    ValueError: chance is not to act in this state: there is nothing to draw
    """
    outcomes = state.chance_outcomes()
    if not outcomes:
        raise ValueError("chance is not to act in this state: there is nothing to draw")
    left = generator.random()
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
