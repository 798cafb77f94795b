"""A game played by the names of its throws and moves, as the rule books write them."""

from __future__ import annotations

import sarai


def throw(state: sarai.State, name: str) -> sarai.State:
    """Let chance come to the outcome of this name."""
    named = {state.outcome_to_string(outcome): outcome for outcome, _ in state.chance_outcomes()}
    state.apply_action(named[name])
    return state


def play(state: sarai.State, *names: str) -> sarai.State:
    """Play the legal actions of these names, one after another."""
    for name in names:
        state.apply_action(state.string_to_action(name))
    return state


def legal(state: sarai.State) -> dict[str, int]:
    """The legal actions by their names."""
    return {state.action_to_string(action): action for action in state.legal_actions()}
