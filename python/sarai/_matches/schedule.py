"""Who meets whom, and on which side."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations, combinations_with_replacement, islice, permutations
from math import comb, factorial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sarai import _core
from sarai._agents.external import External
from sarai._agents.policies import is_one
from sarai._base import arguments
from sarai._base.arguments import counted
from sarai._core import Game
from sarai._results import validation
from sarai.agents import Agent, Agents, label, one_agent_a_seat

SCHEDULES = ("round_robin", "gauntlet")
"""Every agent against every other, or the first against every other."""

DICE = ("shared", "own")
"""Whether all games of a number have the same dice, or every game its own."""

MOST_AGENTS = 100
MOST_GAMES = 10_000_000
MOST_SEATINGS = 20_000
LONGEST_NAME = 100


def entrants(agents: Mapping[str, Agent] | Agents, game: Game, least: int = 2) -> dict[str, Agent]:
    """The agents by name; those of a list are called by their labels.

    Raises:
        TypeError: They are neither a dict nor a list, or an agent is none.
        ValueError: There are too few or too many, a name is missing or comes twice, or an agent cannot play the game.

    >>> import sarai
    >>> list(entrants(["greedy", "random"], sarai.make("sho")))
    ['greedy', 'random']
    >>> entrants(["greedy", "greedy"], sarai.make("sho"))
    Traceback (most recent call last):
    ...
    ValueError: two agents are called 'greedy': give each once, or a dict, {name: agent}, with other names
    """
    found: dict[str, Agent] = {}
    if isinstance(agents, Mapping):
        given = list(agents.items())
    elif agents is None or is_one(agents):
        raise TypeError(
            f"agents must be a dict of agents by name, or a list of agents, not {arguments.short(agents)}"
        )
    else:
        try:
            # One more than there may be is enough to be refused, and an endless iterator ends.
            given = [(label(agent), agent) for agent in islice(agents, MOST_AGENTS + 1)]  # type: ignore[arg-type]
        except TypeError as error:
            raise TypeError(
                f"agents must be a dict of agents by name, or a list of agents: {error}"
            ) from None
    for name, agent in given:
        if not isinstance(name, str):
            raise TypeError(f"the name of an agent must be a str, not {type(name).__name__}")
        if not 1 <= len(name) <= LONGEST_NAME:
            raise ValueError(
                f"an agent's name must have 1 to {LONGEST_NAME} characters, got {arguments.short(name)}: "
                "give a dict, {name: agent}, with another name"
            )
        validation.labels("agents", (name,), 1)
        if name in found:
            raise ValueError(
                f"two agents are called {name!r}: give each once, or a dict, {{name: agent}}, with other names"
            )
        found[name] = agent
    if not least <= len(found) <= MOST_AGENTS:
        raise ValueError(
            f"agents has {counted(len(found), 'entry', 'entries')}; it takes {least} to {MOST_AGENTS}"
        )
    for agent in found.values():
        label(agent)
        _core.check_agents(game, one_agent_a_seat(agent, game.num_players))
    return {
        name: agent._in_arena(game) if isinstance(agent, External) else agent for name, agent in found.items()
    }


def seatings(num_agents: int, num_sides: int, schedule: str) -> NDArray[np.int16]:
    """The agent on each side for every table and all its seat orders, (S, K); orders of a table follow one another.

    In a round robin a table has different agents as far as there are enough of them; in a gauntlet the first agent has
    one side, and one of the others all the rest.

    Raises:
        ValueError: There are too many.

    >>> seatings(3, 2, "round_robin").tolist()
    [[0, 1], [1, 0], [0, 2], [2, 0], [1, 2], [2, 1]]
    >>> seatings(2, 3, "gauntlet").tolist()
    [[0, 1, 1], [1, 0, 1], [1, 1, 0]]
    >>> len(seatings(2, 3, "round_robin")), len(seatings(4, 4, "round_robin"))
    (6, 24)
    >>> seatings(100, 4, "round_robin")
    Traceback (most recent call last):
    ...
    ValueError: a round robin of 100 agents has 94109400 seatings of 4 sides, more than the ...
    """
    agents = range(num_agents)
    total = comb(num_agents, num_sides) * factorial(num_sides)
    if schedule != "gauntlet" and total > MOST_SEATINGS:
        raise ValueError(
            f"a round robin of {num_agents} agents has {total} seatings of {num_sides} sides, more than the "
            f'{MOST_SEATINGS} that an arena takes: give fewer agents, or schedule="gauntlet"'
        )
    if schedule == "gauntlet":
        tables = [(0, *[other] * (num_sides - 1)) for other in agents[1:]]
    elif num_agents >= num_sides:
        tables = list(combinations(agents, num_sides))
    else:
        every = combinations_with_replacement(agents, num_sides)
        tables = [table for table in every if len(set(table)) == num_agents]
    return np.array([order for table in tables for order in sorted(set(permutations(table)))], np.int16)


def tables(orders: NDArray[np.int16]) -> NDArray[np.int64]:
    """(S,): for each seating the number of its table, which is that of all orders of the same agents.

    >>> tables(seatings(3, 2, "round_robin")).tolist()
    [0, 0, 1, 1, 2, 2]
    """
    _, found = np.unique(np.sort(orders, axis=1), axis=0, return_inverse=True)
    return np.asarray(found, np.int64).reshape(-1)


def games_a_seating(games: object, orders: NDArray[np.int16]) -> int:
    """How many games each seating has, so that every table has at least `games`.

    Raises:
        TypeError: `games` is no whole number.
        ValueError: It is out of range.

    >>> games_a_seating(1000, seatings(3, 3, "round_robin"))
    167
    >>> games_a_seating(0, seatings(2, 2, "round_robin"))
    Traceback (most recent call last):
    ...
    ValueError: num_games got 0; with these seat orders it takes 1 to 10000000
    """
    seatings = int(np.bincount(tables(orders)).min())
    most = MOST_GAMES // len(orders) * seatings
    wanted = arguments.between("num_games", games, 1, most, "with these seat orders ")
    return -(-wanted // seatings)


def total_games(game: Game, agents: Mapping[str, Agent] | Agents, games: object, schedule: str) -> int:
    """How many games an arena plays.

    Raises:
        TypeError: An argument is of another type.
        ValueError: One is out of range, or an agent cannot play.

    >>> import sarai
    >>> total_games(sarai.make("sho"), ["greedy", "random"], 1000, "gauntlet")
    1002
    """
    orders = seatings(len(entrants(agents, game)), max(game.sides) + 1, schedule)
    return len(orders) * games_a_seating(games, orders)


def seats(order: NDArray[np.int16], sides: tuple[int, ...], agents: list[Any]) -> list[Any]:
    """What sits on each seat where the agents on the sides are these."""
    return [agents[order[side]] for side in sides]
