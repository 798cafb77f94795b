"""Positions drawn from games."""

from __future__ import annotations

from sarai import _core
from sarai._base import arguments
from sarai._core import Game
from sarai._playout import Run
from sarai._states import States
from sarai.agents import Agents


def _sample_states(  # noqa: D417  (self is no argument)
    self: Game,
    agents: Agents = "random",
    num_games: int = 1000,
    *,
    seed: int | None = None,
    first_game: int = 0,
    num_threads: int | None = None,
) -> States:
    """Draw one position from each of `num_games` games, as `sarai.States`.

    State i is drawn uniformly from the positions of game `first_game + i` of the seed in which a player decided. The
    result does not depend on `num_threads`.

    Args:
        agents: As `sarai.rollout` takes them.
        num_games: The number of games, 0 to 100,000,000.
        seed: 0 to 2**64 - 1; None draws one.
        first_game: The number of the first game.
        num_threads: The number of threads; None uses all processors.

    Raises:
        ValueError: A number is out of range, or an agent is unknown.
        TypeError: An argument has the wrong type.
        IllegalActionError: A policy chose an action that is not legal.
        KeyboardInterrupt: Ctrl-C.

    Examples:
        >>> import sarai
        >>> game = sarai.make("tshupu")
        >>> s = game.sample_states(num_games=100, seed=4)
        >>> bool((s.current_player() >= 0).all())
        True
        >>> s[60:] == game.sample_states(num_games=40, seed=4, first_game=60)
        True
        >>> game.sample_states(num_games=-1)
        Traceback (most recent call last):
        ...
        ValueError: num_games got -1; it takes 0 to 100000000
    """
    rows = arguments.from_zero("num_games", num_games, _core.MAX_GAMES)
    run = Run.of(self, agents, rows, seed, first=first_game, num_threads=num_threads)
    if rows == 0:
        none = States(self, 0)
        none.legal_actions_mask(num_threads=num_threads)  # which refuses what is no number of threads
        return none
    return States.of_rows(_core.sample_states(run))


Game.sample_states = _sample_states  # type: ignore[method-assign]
