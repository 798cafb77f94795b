"""A game in progress, played in the words of its rule book; the games' tables add what is theirs."""

from __future__ import annotations

from typing import Any, TypeVar

AnyTable = TypeVar("AnyTable", bound="GameTable")


class GameTable:
    """A state, the position it began with, and what can be asked of any game."""

    def __init__(self, game: Any, state: Any) -> None:
        self.game = game
        self.state = state
        self.start = state.to_dict()

    def __getitem__(self, key: str) -> Any:
        return self.state.to_dict()[key]

    def copy(self: AnyTable) -> AnyTable:
        return type(self)(self.game, self.state.clone())

    def play(self: AnyTable, *names: str) -> AnyTable:
        """Play the legal actions of these names, one after another."""
        for name in names:
            by_name = {self.state.action_to_string(a): a for a in self.state.legal_actions()}
            assert name in by_name
            self.state.apply_action(by_name[name])
        return self

    def moves(self) -> set[str]:
        """The names of the legal actions, none of them twice."""
        names = [self.state.action_to_string(a) for a in self.state.legal_actions()]
        assert len(names) == len(set(names))
        return set(names)
