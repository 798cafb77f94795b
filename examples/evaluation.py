"""How good is an agent? The mean return of its games, with an interval that means something; the examples share it.

Two agents that always choose alike play one game of Shah again and again, for nothing is left to chance there: a
thousand of these games tell as much as one, and an interval over them tells nothing. Where there are no dice the games
begin with random decisions of both sides, so that there are as many facts as there are openings.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np

import sarai
from sarai.results.intervals import mean_interval

DECISIONS = 4
"""How many decisions are random at the beginning of a game without dice: two of each side."""

Table: TypeAlias = tuple[Sequence[sarai.Agent], int]
"""An agent for each seat, and the seat whose returns count."""


def how(game: sarai.Game) -> str:
    """A line that says how `measure` plays."""
    if plays_dice(game):
        return "measured in games from the beginning, each with dice of its own"
    return f"measured from openings: {DECISIONS} random decisions of both sides, no two alike, for there are no dice"


def measure(game: sarai.Game, tables: Sequence[Table], games: int, seed: int) -> tuple[float, float]:
    """The mean return at some tables, and half its 95% interval.

    Where all facts are alike, the interval is that of the rule of three: with 95% confidence fewer than 3 in n of such
    games end otherwise.

    Args:
        game: The rule book.
        tables: Who sits where. Without dice each opening is played at every table, and the mean of its games is a fact.
        games: How many, at all tables together; at least two at each.
        seed: Of the dice, or of the openings, and of the agents by name.

    Raises:
        ValueError: Too few games, or more than there are openings; what `sarai.rollout` raises.

    >>> game = sarai.make("shah")
    >>> mean, half = measure(game, [(["greedy", "random"], 0), (["random", "greedy"], 1)], 20, seed=1)
    >>> mean, half
    (1.0, 0.6)
    >>> measure(game, [(["greedy", "random"], 0)], 1, seed=1)
    Traceback (most recent call last):
    ...
    ValueError: games got 1; it takes at least 2 at each of the tables, of which there are 1
    """
    number = games // len(tables)
    if number < 2:
        raise ValueError(
            f"games got {games}; it takes at least 2 at each of the tables, of which there are {len(tables)}"
        )
    if plays_dice(game):
        played = [
            sarai.rollout(game, number, agents=agents, seed=seed + place).returns[:, seat]
            for place, (agents, seat) in enumerate(tables)
        ]
        facts = np.concatenate(played)
    else:
        states = openings(game, number, DECISIONS, seed)
        facts = np.mean([play_on(states, agents, seed)[:, seat] for agents, seat in tables], axis=0)
    mean, low, _ = mean_interval(facts)
    if (facts == facts[0]).all():
        worst, best = game.returns_range
        return mean, 3 / len(facts) * (best - worst)
    return mean, mean - low


def plays_dice(game: sarai.Game) -> bool:
    """Whether chance has a say after the first decision, as it has in every game of dice.

    >>> plays_dice(sarai.make("shuanglu")), plays_dice(sarai.make("shah"))
    (True, False)
    """
    rng = np.random.default_rng(1)
    state = draw(game.new_initial_state(), rng)
    while not state.is_terminal():
        state.apply_action(int(rng.choice(state.legal_actions())))
        if state.is_chance_node():
            return True
    return False


def draw(state: sarai.State, rng: np.random.Generator) -> sarai.State:
    """Let chance play until somebody is to decide; the same state comes back."""
    while state.is_chance_node():
        outcomes, chances = zip(*state.chance_outcomes(), strict=True)
        state.apply_action(int(rng.choice(outcomes, p=chances)))
    return state


def openings(game: sarai.Game, number: int, decisions: int, seed: int) -> list[sarai.State]:
    """Positions after so many random decisions, no two alike.

    Raises:
        ValueError: There are hardly as many, or games are over before.

    >>> len({str(state) for state in openings(sarai.make("shah"), 100, 4, seed=1)})
    100
    >>> openings(sarai.make("shah"), 100, 1, seed=1)
    Traceback (most recent call last):
    ...
    ValueError: 24 of 100 openings were found after 1 random decisions; ask for fewer, or let more decisions be random
    """
    rng = np.random.default_rng(seed)
    found: dict[str, sarai.State] = {}
    for _ in range(10 * number):
        state = draw(game.new_initial_state(), rng)
        for _ in range(decisions):
            if state.is_terminal():
                break
            state.apply_action(int(rng.choice(state.legal_actions())))
            draw(state, rng)
        if not state.is_terminal():
            found.setdefault(str(state), state)
        if len(found) == number:
            return list(found.values())
    raise ValueError(
        f"{len(found)} of {number} openings were found after {decisions} random decisions; "
        "ask for fewer, or let more decisions be random"
    )


def play_on(states: Sequence[sarai.State], agents: Sequence[sarai.Agent], seed: int) -> np.ndarray:
    """The returns of games that begin at these positions, float64 (len(states), players).

    Args:
        states: They stay as they are.
        agents: A name or a policy for each seat; policies are asked for all games at once.
        seed: Of what chance and the agents by name draw.

    Raises:
        ValueError: There is not one agent for each seat, or an unknown one.

    >>> states = openings(sarai.make("shah"), 10, 4, seed=1)
    >>> play_on(states, ["greedy", "random"], seed=1).shape
    (10, 2)
    >>> play_on(states, ["greedy"], seed=1)
    Traceback (most recent call last):
    ...
    ValueError: 1 agents for 2 seats
    """
    if len(agents) != len(states[0].returns()):
        raise ValueError(f"{len(agents)} agents for {len(states[0].returns())} seats")
    rng = np.random.default_rng(seed)
    games = [draw(state.clone(), rng) for state in states]
    while under_way := [game for game in games if not game.is_terminal()]:
        for seat, agent in enumerate(agents):
            waiting = [game for game in under_way if game.current_player() == seat]
            if not waiting:
                continue
            if callable(agent):
                views = np.stack([game.observation_tensor(seat) for game in waiting])
                chosen = agent(views, np.stack([game.legal_actions_mask() for game in waiting]))
            else:
                chosen = [sarai.choose(game, agent, seed=int(rng.integers(2**63))) for game in waiting]
            for game, action in zip(waiting, chosen, strict=True):
                game.apply_action(int(action))
                draw(game, rng)
    return np.array([game.returns() for game in games])
