"""Who plays the seats that the learner does not play."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from sarai._core import Game
from sarai.agents import Agents, Policy, one_agent_a_seat
from sarai.envs.arguments import one_seat


@dataclass(frozen=True)
class Seats:
    """The learner's seat and everybody else's.

    Attributes:
        learner: The seat that the environment's user plays.
        agents: One entry a seat: an agent that plays inside the engine, or None.
        policies: The callables, by their seats.
    """

    learner: int
    agents: tuple[str | None, ...]
    policies: Mapping[int, Policy]


def seats(game: Game, seat: object, opponents: Agents) -> Seats:
    """Read `seat` and `opponents` as the environments take them.

    Args:
        game: The rule book.
        seat: The learner's seat, 0 to `game.num_players - 1`.
        opponents: An agent for all other seats, or a list with one for each of them in the order of the seats. A
            partner in a team game is one of them. None is "random".

    Raises:
        ValueError: There is no such seat, or the list has another length.
        TypeError: A seat that is no integer, an agent that is neither a name nor a callable.

    >>> import sarai
    >>> seats(sarai.make("sho"), 1, ["greedy", "random"]).agents
    ('greedy', None, 'random')
    >>> seats(sarai.make("sho"), 3, "greedy")
    Traceback (most recent call last):
    ...
    ValueError: seat got 3; it takes an integer from 0 to 2
    """
    players = game.num_players
    learner = one_seat(seat, game)
    others = one_agent_a_seat(opponents, players - 1)
    if len(others) != players - 1:
        raise ValueError(
            f"opponents has {len(others)} entries; beside seat {learner} there are {players - 1}, one agent each"
        )
    agents: list[str | None] = []
    policies: dict[int, Policy] = {}
    for place, agent in enumerate(others):
        player = place + (place >= learner)
        if isinstance(agent, str):
            agents.append(agent)
        elif callable(agent):
            agents.append(None)
            policies[player] = agent
        else:
            raise TypeError(f"an agent must be a name or a policy (a callable), not {type(agent).__name__}")
    agents.insert(learner, None)
    return Seats(learner, tuple(agents), policies)
