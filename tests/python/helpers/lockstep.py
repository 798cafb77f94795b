"""A state of the engine held against a rule book in plain Python, dict by dict."""

from __future__ import annotations

import json
import random
from typing import Any, Protocol

import pytest

import sarai


class Reference(Protocol):
    """A rule book in plain Python: functions of the state dict."""

    def legal(self, d: Any, /) -> list[int]: ...
    def chance(self, d: Any, /) -> list[tuple[int, float]]: ...
    def name(self, d: Any, action: int, /) -> str: ...
    def returns(self, d: Any, /) -> list[float]: ...


def assert_same(state: sarai.State, ref: Reference, d: Any) -> list[int]:
    """Compare a node, and return the outcomes or the actions that are open."""
    told = state.to_dict()
    assert told == d
    assert json.dumps(told, sort_keys=True) == json.dumps(d, sort_keys=True)  # plain data: True is not 1
    assert json.loads(state.to_json()) == d
    legal, chance = ref.legal(d), ref.chance(d)
    assert list(state.legal_actions()) == legal
    assert state.legal_actions_mask().nonzero()[0].tolist() == legal
    names = [ref.name(d, action) for action in legal]
    assert [state.action_to_string(action) for action in legal] == names
    assert [state.string_to_action(name) for name in names] == legal
    assert list(state.returns()) == ref.returns(d)
    assert state.turns_passed() == d["turn"]
    if d["phase"] == "over":
        assert state.is_terminal()
        assert state.current_player() == sarai.TERMINAL
    elif chance:
        assert state.is_chance_node()
        assert state.current_player() == sarai.CHANCE
        outcomes = state.chance_outcomes()
        assert [outcome for outcome, _ in outcomes] == [outcome for outcome, _ in chance]
        assert [p for _, p in outcomes] == pytest.approx([p for _, p in chance])
    else:
        assert state.current_player() == d["player"]
        assert not state.is_chance_node()
        assert not state.is_terminal()
    return [outcome for outcome, _ in chance] or legal


def assert_rejects(state: sarai.State, d: Any, choices: list[int], rng: random.Random) -> None:
    """Something else than these outcomes or actions is refused, and changes nothing."""
    action = rng.choice(list({*range(-2, state.get_game().num_actions + 5)} - set(choices)))
    with pytest.raises(sarai.IllegalActionError):
        state.apply_action(action)
    assert state.to_dict() == d


def any_copy(state: sarai.State, d: Any, rng: random.Random) -> sarai.State:
    """The state made anew from its dict, its text or itself: they hold all that the rest of the game needs."""
    game = state.get_game()
    copies = (game.state_from_dict(d), game.parse(str(state)), state.clone())
    assert all(other == state for other in copies)
    return rng.choice(copies)
