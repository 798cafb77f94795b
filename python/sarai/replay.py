"""A game of a rollout again, with its dice: what a record of it consists of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sarai._core import Game, State
from sarai.play import Agent, play
from sarai.record import MAX_STEPS, Record
from sarai.streams import Stream


@dataclass(frozen=True)
class Replayed:
    """The record of a game, and what the engine says came of the game."""

    record: Record
    returns: tuple[float, ...]
    winner: int
    length: int
    turns: int


def check_agents(seats: Sequence[Agent]) -> None:
    """Refuse agents of which nobody outside the engine knows how much of the stream they use.

    Raises:
        ValueError: There is one.
    """
    for agent in seats:
        if isinstance(agent, str) and agent.startswith("mcts:"):
            raise ValueError(
                f"a game with the agent {str(agent)!r} cannot be kept as a record, because its search and the dice "
                'share a random stream; "random", "greedy" and policies can'
            )


def replay(game: Game, seats: list[Agent], seed: int, number: int) -> Replayed:
    """Play one game of a seed and find every chance outcome of it.

    The engine plays the game and reports the decisions. The dice follow from the stream that the game was played
    on: chance outcomes and random agents draw from it, greedy ones and policies do not. Every decision is held
    against what the engine reported, so a difference cannot go unseen.

    Raises:
        ValueError: The agents, the seed or the number is refused, or no record can be made of these agents.
        IllegalActionError: A policy chose an action that is not legal.
    """
    check_agents(seats)
    played = play(game, 1, seats, seed, None, None, 1, False, number, record=True, max_decisions=MAX_STEPS)
    columns = played.columns
    actions, players = columns["actions"].tolist(), columns["players"].tolist()
    observations, masks = columns["observations"], columns["masks"]
    stream = Stream(played.seed, played.first_game)
    state = game.new_initial_state()
    steps: list[int] = []
    decided = 0
    while not state.is_terminal():
        if state.is_chance_node():
            step = stream.outcome(state.chance_outcomes())
        else:
            if decided == len(actions) or state.current_player() != players[decided]:
                raise _different(decided)
            _same_view(state, decided, observations[decided], masks[decided])
            step = actions[decided]
            if isinstance(seats[players[decided]], str) and seats[players[decided]] == "random":
                legal = state.legal_actions()
                if legal[stream.below(len(legal))] != step:
                    raise _different(decided)
            decided += 1
        state.apply_action(step)
        steps.append(step)
    record = Record.from_steps(game, steps, seed=played.seed, number=played.first_game, agents=played.agents)
    winner = -1 if record.winner is None else record.winner
    came = Replayed(
        record,
        tuple(columns["returns"][0].tolist()),
        int(columns["winner"][0]),
        int(columns["lengths"][0]),
        int(columns["turns"][0]),
    )
    turns = record.final_state.turns_passed + (winner != -1)
    if (decided, record.returns, winner, turns) != (came.length, came.returns, came.winner, came.turns):
        raise _different(decided)
    return came


def _same_view(state: State, decision: int, observation: NDArray[np.int8], mask: NDArray[np.int8]) -> None:
    same = np.array_equal(state.observation_tensor(), observation)
    if not (same and np.array_equal(state.legal_actions_mask(), mask)):
        raise _different(decision)


def _different(decision: int) -> RuntimeError:
    return RuntimeError(
        f"decision {decision} came out differently than in the engine: this is a fault of Sarai, please report it"
    )
