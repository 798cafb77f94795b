"""What happens in a game, in words."""

from __future__ import annotations

from collections.abc import Sequence

from sarai._cli.screen import printable
from sarai._core import CHANCE, State

# A record may come from anywhere, with labels that would fill the screen.
_LONGEST_LABEL = 40


def player_name(player: int, labels: Sequence[str] | None) -> str:
    """How a player is called in what is printed.

    >>> player_name(1, ["human", "greedy"]), player_name(1, None)
    ('player 1 (greedy)', 'player 1')
    """
    if labels is None:
        return f"player {player}"
    label = printable(labels[player])
    return f"player {player} ({label if len(label) <= _LONGEST_LABEL else label[:_LONGEST_LABEL] + '...'})"


def result(returns: Sequence[float], labels: Sequence[str] | None) -> str:
    """What every player has won or lost.

    >>> result([1.0, -1.0], None)
    'player 0 +1, player 1 -1'
    """
    return ", ".join(f"{player_name(player, labels)} {value:+g}" for player, value in enumerate(returns))


class Story:
    """Steps of a game as lines, a line for each player and turn.

    Args:
        labels: One a seat, where they are known.
    """

    def __init__(self, labels: Sequence[str] | None) -> None:
        self._labels = labels
        self._told: list[tuple[str, list[str]]] = []

    def add(self, state: State, step: int) -> None:
        """Tell of a step that is to be taken in this state.

        Raises:
            IllegalActionError: The step is not legal.
        """
        if state.is_chance_node():
            self.tell(CHANCE, state.view()["state"].get("player"), state.outcome_to_string(step))
        else:
            self.tell(state.current_player(), None, state.action_to_string(step))

    def tell(self, player: int, thrower: int | None, name: str) -> None:
        """Tell of a step by a player, or of chance and by whoever threw."""
        who = thrower if player == CHANCE else player
        named = "drawn" if who is None else player_name(who, self._labels)
        verb = "plays " if player != CHANCE else "" if thrower is None else "throws "
        if not self._told or self._told[-1][0] != named:
            self._told.append((named, []))
        self._told[-1][1].append(verb + name)

    def lines(self) -> list[str]:
        """What was added so far.

        >>> import sarai
        >>> story, state = Story(["human", "greedy"]), sarai.make("shah").new_initial_state()
        >>> for step in (4, 19):
        ...     story.add(state, step)
        ...     state.apply_action(step)
        >>> story.lines()
        ['player 0 (human): plays d6', 'player 1 (greedy): plays d2']
        """
        return [f"{who}: {', '.join(done)}" for who, done in self._told]
