"""Positions drawn from games."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sarai import _core, arguments
from sarai._core import Game
from sarai.agents import Agents, one_agent_a_seat
from sarai.game import as_game
from sarai.states import States


def sample_states(
    game: str | Game,
    n: int,
    agents: Agents = "random",
    *,
    seed: int | None = 0,
    first_game: int = 0,
    num_threads: int | None = None,
    rules: Mapping[str, Any] | None = None,
    preset: str | None = None,
    **options: Any,
) -> States:
    """Draw one position from each of n games.

    State i is drawn uniformly from the positions of game `first_game + i` of the seed in which a player had to decide.
    The result does not depend on `num_threads`.

    Args:
        game: A game's name (`sarai.games()`), or a game made by `sarai.make`.
        n: The number of games, 0 to 100,000,000.
        agents: As `sarai.rollout` takes them.
        seed: 0 to 2**64 - 1; None draws one from the operating system.
        first_game: The number of the first game.
        num_threads: The number of threads; None uses all processors.
        rules: Options of the game by name, applied on top of the preset; only allowed with a game's name.
        preset: A named set of options (`sarai.presets(game)`); only allowed with a game's name.
        **options: Options of the game as keywords, applied on top of `rules`; only allowed with a game's name.

    Raises:
        ValueError: A number is out of range, or the game or an agent is unknown.
        TypeError: An argument has the wrong type.
        IllegalActionError: A policy chose an action that is not legal.
        KeyboardInterrupt: Ctrl-C.

    Examples:
        >>> import sarai
        >>> s = sarai.sample_states("tshupu", 100, seed=4)
        >>> bool((s.current_player >= 0).all())
        True
        >>> s[60:] == sarai.sample_states("tshupu", 40, seed=4, first_game=60)
        True
        >>> sarai.sample_states("tshupu", -1)
        Traceback (most recent call last):
        ...
        ValueError: n got -1; it takes 0 to 100000000
    """
    game = as_game(game, rules, preset, options, sample_states)
    rows = arguments.from_zero("n", n, _core.MAX_GAMES)
    seats = one_agent_a_seat(agents, game.num_players)
    numbers = {"seed": arguments.seed(seed), "first_game": arguments.whole("first_game", first_game)}
    if rows == 0:
        return States(game, 0)
    return States.of_rows(_core.sample_states(game, rows, seats, num_threads=num_threads, **numbers))
