"""Positions written as the keywords of `Game.position`, and read again."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from typing import Any

import sarai


def positions(game: sarai.Game, number: int) -> Iterator[sarai.State]:
    """One decision of each of so many games, and what follows one of its actions: also throws and ends."""
    for agents in ("random", "greedy"):
        for row, state in enumerate(game.sample_states(agents, number, seed=7)):
            yield state
            actions = state.legal_actions()
            yield state.child(actions[row % len(actions)])


def names(state: sarai.State) -> list[str]:
    """The names of the legal actions or of the outcomes."""
    if state.is_chance_node():
        return [state.outcome_to_string(outcome) for outcome, _ in state.chance_outcomes()]
    return [state.action_to_string(action) for action in state.legal_actions()]


def check(
    game: sarai.Game,
    seen: Callable[[dict[str, Any]], dict[str, Any]],
    unseen: Collection[str],
    number: int = 150,
) -> None:
    """What `seen` makes of a state's dict describes that state, but for the keys that are `unseen`."""
    for state in positions(game, number):
        keywords = seen(state.to_dict())
        again = game.position(**keywords)
        left = [
            {key: value for key, value in one.to_dict().items() if key not in unseen}
            for one in (state, again)
        ]
        assert left[0] == left[1], (str(state), keywords)
        assert names(again) == names(state), (str(state), keywords)
