"""What environments with opponents have in common: who plays is drawn for each game, or changed while games go on."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sarai import _core
from sarai._agents.answers import judged
from sarai._core import Game
from sarai._envs import opponents as others
from sarai._envs.batch_holder import HoldsBatch
from sarai._envs.opponents import Opponents, Seat, Seats
from sarai.agents import Context, ContextPolicy, WholePositions


class HasOpponents(HoldsBatch):
    """An environment in which agents may play other seats than the learner's.

    Attributes:
        seats: Who plays.
    """

    seats: Seats

    @abstractmethod
    def _seats_of(self, opponents: Opponents) -> Seats:
        """Who plays against these opponents."""

    def _lanes_of(
        self,
        num_envs: int,
        seed: int,
        autoreset_mode: str,
        illegal_action: str,
        max_episode_steps: int | None = None,
        num_threads: int | None = None,
        copy: bool = True,
        snapshot: str | None = None,
    ) -> _core.Batch:
        """The lanes."""
        return _core.Batch(
            self.game,
            num_envs,
            seed,
            autoreset_mode,
            max_episode_steps,
            num_threads,
            copy,
            self.seats.engine,
            illegal_action,
            self._counts,
            snapshot=snapshot,
        )

    def set_opponents(self, opponents: Opponents) -> None:
        """Change the opponents, from the next game of each lane on.

        A game under way goes on against the opponents that it began with. Training against snapshots of the learner
        calls this now and then, with one more network in the pool.

        Args:
            opponents: As the environment takes them: an agent, a list of agents, or a `sarai.agents.Pool`.

        Raises:
            ValueError, TypeError: As when the environment was made. The opponents are the same as before then.
            RuntimeError: Another thread is stepping this environment, or one of its own callables made this call.

        >>> import sarai
        >>> from sarai.agents import Pool
        >>> env = sarai.SingleAgentVectorEnv("shuanglu", 2, opponents=Pool(["random"]), seed=1)
        >>> observation, info = env.reset()
        >>> env.set_opponents(Pool({"greedy": 0.75, "random": 0.25}))
        >>> info["opponent"].tolist()
        ['random', 'random']
        >>> env.set_opponents("clever")
        Traceback (most recent call last):
        ...
        ValueError: unknown agent 'clever'; agents are ...
        """
        new = self._seats_of(opponents)
        used = [int(lineup) for lineup in np.unique(self._batch.lineups())]
        seats, moved = new.after(self.seats, used)
        self._batch.set_lineups(seats.engine, moved)
        self.seats = seats


class OneLearner(HasOpponents):
    """An environment with one learner, and agents in the other seats."""

    def _seated(self, game: Game, seat: Seat, opponents: Opponents) -> None:
        """Read who plays, before there is a batch."""
        self.game, self._seat = game, seat
        self.seats = self._seats_of(opponents)

    def _seats_of(self, opponents: Opponents) -> Seats:
        return others.seats(self.game, self._seat, opponents)

    def _ask(
        self,
        lanes: NDArray[np.int64],
        players: NDArray[np.int8],
        lineups: NDArray[np.int32],
        episodes: NDArray[np.int64],
        observations: NDArray[np.int8],
        masks: NDArray[np.int8],
        states: _core.States,
    ) -> NDArray[np.int64]:
        """What the policies choose in lanes that wait for them, each asked once."""
        whom = self.seats.whom[lineups, players]
        chosen = np.empty(len(lanes), np.int64)
        for number, policy in enumerate(self.seats.policies):
            rows = np.flatnonzero(whom == number)
            if not len(rows):
                continue
            given: Any
            if isinstance(policy, WholePositions):
                given = policy(states.take(rows))
            elif isinstance(policy, ContextPolicy):
                context = Context(lanes[rows], players[rows], episodes[rows])
                given = policy(observations[rows], masks[rows], context)
            else:
                given = policy(observations[rows], masks[rows])
            chosen[rows] = judged(given, masks[rows], lanes[rows] if self._batch.num_envs > 1 else None)
        return chosen

    def _opponents(self, lineups: NDArray[np.int32]) -> dict[str, NDArray[Any]]:
        """What infos say of these lineups, as far as it is drawn."""
        told: dict[str, NDArray[Any]] = {}
        if self.seats.drawn_opponents:
            told["opponent"] = self.seats.names[lineups]
        if self.seats.drawn_seat:
            told["seat"] = self.seats.learners[lineups]
        return told
