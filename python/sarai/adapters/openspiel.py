"""OpenSpiel: every game as a game of `pyspiel`, for its algorithms in Python.

- `register`: registers every game with OpenSpiel.
- `load_game`: one game.
- `SaraiState` and `SaraiObserver`: its states and observers.
"""

from __future__ import annotations

import json
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sarai._base.extras import needed

with needed("sarai.adapters.openspiel", "openspiel", "pyspiel"):
    import pyspiel

from sarai import _core
from sarai._base.arguments import short
from sarai._core import Game, State
from sarai._game import as_game, make, show_value

__all__ = ["SaraiObserver", "SaraiState", "load_game", "register"]

# More decisions than a game has whose turns are limited; OpenSpiel wants a number.
MAX_GAME_LENGTH = 1_000_000


def register() -> list[str]:
    """Register every game with OpenSpiel as "sarai_<game>"; calling it twice is harmless.

    The parameters of a game are "preset", a name, and "rules", options written as "name:value" and separated by ";",
    because OpenSpiel uses commas and equals signs itself.

    Returns:
        The names.

    >>> import sarai
    >>> register() == [f"sarai_{name}" for name in sarai.games()]
    True
    >>> pyspiel.load_game("sarai_sho(rules=players:4;teams:true)").num_players()
    4
    >>> game = pyspiel.load_game("sarai_sho", {"preset": "lhasa", "rules": "first_player:random"})
    >>> pyspiel.load_game("sarai_sho(rules=players:9)")
    Traceback (most recent call last):
    ...
    ValueError: option 'players' got 9; it takes an integer from 2 to 4
    """
    known = set(pyspiel.registered_names())
    names = []
    for name in _core.games():
        short_name = f"sarai_{name}"
        names.append(short_name)
        if short_name not in known:
            pyspiel.register_game(_game_type(name), _game_class(name))
    return names


def load_game(game: str | Game) -> Any:
    """A game as an OpenSpiel game, registered if necessary: `pyspiel.load_game`, but with the names of Sarai.

    Args:
        game: A game, or its name as `sarai.make` takes it.

    Raises:
        ValueError: A game, preset or option is unknown, or an option does not take the given value.
        TypeError: A value has the wrong type.

    >>> game = load_game("sho(players=2)")
    >>> game.num_players()
    2
    >>> game.new_initial_state().current_player() == pyspiel.PlayerId.CHANCE
    True
    >>> load_game("sho(players=9)")
    Traceback (most recent call last):
    ...
    ValueError: option 'players' got 9; it takes an integer from 2 to 4
    """
    wanted = as_game(game)
    usual = make(wanted.name).rules
    changed = (
        f"{option}:{show_value(value)}" for option, value in wanted.rules.items() if value != usual[option]
    )
    return _loaded(f"sarai_{wanted.name}", {"rules": ";".join(changed)})


def _game_type(name: str) -> Any:
    players = [make(name, preset=preset).num_players for preset in json.loads(_core.presets_json(name))]
    described = json.loads(_core.describe_json(name))
    return pyspiel.GameType(
        short_name=f"sarai_{name}",
        long_name=f"Sarai {described['id']}",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.PERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=max(4, *players),
        min_num_players=2,
        provides_information_state_string=False,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={"preset": "", "rules": ""},
    )


def _rules(text: str) -> dict[str, Any]:
    """The options in a "rules" parameter: values as in JSON, or words."""
    rules: dict[str, Any] = {}
    for option in filter(None, text.split(";")):
        name, colon, value = option.partition(":")
        if not colon:
            raise ValueError(f'rules got {short(option)}; options are written as in "players:4;teams:true"')
        if name in rules:
            raise ValueError(f"rules got the option {short(name)} twice; give it once")
        try:
            rules[name] = json.loads(value)
        except (ValueError, RecursionError):
            rules[name] = value
    return rules


def _loaded(name: str, parameters: dict[str, Any]) -> Any:
    register()
    return pyspiel.load_game(name, parameters)


def _game_class(name: str) -> type:
    class SaraiGame(pyspiel.Game):  # type: ignore[misc]
        """A game of Sarai as a game of OpenSpiel."""

        def __init__(self, params: dict[str, Any] | None = None) -> None:
            params = dict(params or {})
            rules = _rules(params.get("rules", ""))
            self.sarai_game = make(name, preset=params.get("preset") or None, rules=rules)
            low, high = self.sarai_game.returns_range
            info = pyspiel.GameInfo(
                num_distinct_actions=self.sarai_game.num_actions,
                max_chance_outcomes=self.sarai_game.max_chance_outcomes,
                num_players=self.sarai_game.num_players,
                min_utility=low,
                max_utility=high,
                utility_sum=0.0,
                max_game_length=MAX_GAME_LENGTH,
            )
            super().__init__(_game_type(name), info, params)

        def new_initial_state(self) -> SaraiState:
            return SaraiState(self, self.sarai_game.new_initial_state())

        def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> SaraiObserver:
            return SaraiObserver(self.sarai_game)

        def observation_tensor_shape(self) -> list[int]:
            return list(self.sarai_game.observation_shape)

        def __reduce__(self) -> tuple[Any, ...]:
            # Pickle finds no class that is made in a function.
            return _loaded, (f"sarai_{name}", self.get_parameters())

    SaraiGame.__name__ = f"Sarai{name.capitalize()}"
    return SaraiGame


class SaraiState(pyspiel.State):  # type: ignore[misc]
    """A state of Sarai as a state of OpenSpiel; `sarai_state` is the one underneath.

    >>> state = load_game("shah").new_initial_state()
    >>> state.apply_action(3)
    >>> state.current_player(), state.history()
    (1, [3])
    >>> state.apply_action(3)
    Traceback (most recent call last):
    ...
    sarai.IllegalActionError: action 3 is not legal here; the legal ones are 0, 1, 2, 4, ...
    """

    def __init__(self, game: Any, state: State) -> None:
        super().__init__(game)
        self.sarai_state = state

    def current_player(self) -> int:
        """The seat to act, or OpenSpiel's numbers for chance and the end."""
        return self.sarai_state.current_player()

    def _legal_actions(self, player: int) -> list[int]:
        return self.sarai_state.legal_actions()

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The outcomes and their probabilities."""
        return self.sarai_state.chance_outcomes()

    def _apply_action(self, action: int) -> None:
        self.sarai_state.apply_action(action)

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return self.sarai_state.outcome_to_string(action)
        return self.sarai_state.action_to_string(action)

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return self.sarai_state.is_terminal()

    def returns(self) -> list[float]:
        """The returns of all players."""
        return self.sarai_state.returns()

    def __str__(self) -> str:
        return str(self.sarai_state)


class SaraiObserver:
    """What OpenSpiel reads observations from: a flat tensor of the player's view, and the line of text.

    >>> from open_spiel.python.observation import make_observation
    >>> game = load_game("shah")
    >>> observation = make_observation(game)
    >>> observation.set_from(game.new_initial_state(), 0)
    >>> observation.tensor.shape
    (113,)
    >>> observation.set_from(game.new_initial_state(), 7)
    Traceback (most recent call last):
    ...
    ValueError: player got 7; it takes 0 to 1
    """

    def __init__(self, game: Game) -> None:
        self.tensor: NDArray[np.float32] = np.zeros(game.observation_shape, np.float32)
        self.dict = {"observation": self.tensor}

    def set_from(self, state: SaraiState, player: int) -> None:
        """Write the player's view into the tensor."""
        self.tensor[:] = state.sarai_state.observation_tensor(player)

    def string_from(self, state: SaraiState, player: int) -> str:
        """The line of text, which is the same for all players."""
        return str(state)
