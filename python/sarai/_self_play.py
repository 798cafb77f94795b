"""Games of a search against itself, as AlphaZero's data: many at once, and a new one wherever one has ended."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sarai import _core
from sarai._agents.trees import Evaluator, grow
from sarai._base import arguments
from sarai._base.arguments import counted
from sarai._core import Game
from sarai._game import as_game
from sarai._states import States

_STEPS = 1 << 20
"""The streams of a game: more than a game has decisions."""

_SIMULATIONS = 20_000_000
"""Of all lanes together, as in `sarai.search`."""


@dataclass(frozen=True, eq=False)
class SelfPlayGame:
    """A finished game of `sarai.self_play`: a row for each of its D decisions, in order.

    Attributes:
        number: The number of the game, from 0, in the order in which games began.
        observations: int8 (D, L): the position as the player to act sees it.
        masks: int8 (D, A): 1 for each legal action.
        policy: float32 (D, A): the share of the visits of each action in the search, the target for logits.
        values: float32 (D, P): the expected return of each seat, as the search found it.
        actions: int64 (D,): the action that was played.
        players: int8 (D,): the seat that acted.
        returns: float32 (P,): the final score of each seat.
    """

    number: int
    observations: NDArray[np.int8]
    masks: NDArray[np.int8]
    policy: NDArray[np.float32]
    values: NDArray[np.float32]
    actions: NDArray[np.int64]
    players: NDArray[np.int8]
    returns: NDArray[np.float32]

    @property
    def gains(self) -> NDArray[np.float32]:
        """float32 (D,): the final score of the player of each decision, the target for values."""
        return self.returns[self.players]

    def __len__(self) -> int:
        """D, the number of decisions."""
        return len(self.actions)

    def __repr__(self) -> str:
        return f"<SelfPlayGame {self.number}: {counted(len(self), 'decision')}>"


def self_play(
    game: str | Game,
    simulations: int = 100,
    evaluator: Evaluator = "heuristic",
    *,
    num_games: int | None = None,
    lanes: int = 64,
    sampling_moves: int | None = None,
    priors: bool = True,
    noise: tuple[float, float] | None = (0.3, 0.25),
    exploration: float = 1.25,
    seed: int | None = None,
    num_threads: int | None = None,
) -> Iterator[SelfPlayGame]:
    """Play games in which a search chooses every action for every seat, and yield each game when it ends.

    `lanes` games are always under way: their positions are searched together as in `sarai.search`, so the evaluator
    gets large batches, and when a game ends, the next one begins in its lane. Nothing is played between two games that
    you take, so you can train the evaluator there; games that are under way go on with the new weights.

    Game i has streams of its own for dice, noise and choices. While the evaluator stays the same and evaluates each row
    by itself, a game depends on the seed and its number only, not on `lanes` or `num_threads`; they only change the
    order in which games end.

    Args:
        game: A `Game`, or the name of one.
        simulations: The number of simulations of each search, at least 1; `lanes` times that is 20,000,000 at most.
        evaluator: As `sarai.search` takes it.
        num_games: The number of games, 0 or more. None for no end: short games then come first, so that the first games
            are not a fair sample; take many more games than there are lanes.
        lanes: The number of games that are under way at once, at least 1.
        sampling_moves: After so many decisions of a game, its players play the best action of the search; before, an
            action with the probability of its share of the visits. None for always drawing.
        priors: As in `sarai.search`.
        noise: The same; None for no noise.
        exploration: The same.
        seed: 0 to 2**64 - 1; None draws one.
        num_threads: The number of threads; None uses all processors. It changes no result.

    Raises:
        ValueError: A number is out of range, or as in `sarai.search`.
        TypeError: An argument has the wrong type, or as in `sarai.search`.
        KeyboardInterrupt: Ctrl-C.

    Exceptions of the evaluator are passed on unchanged.

    Examples:
        >>> import sarai
        >>> played = list(sarai.self_play("shuanglu", 4, "heuristic", num_games=3, seed=1))
        >>> sorted(game.number for game in played)
        [0, 1, 2]
        >>> one = played[0]
        >>> one.observations.shape[1:], one.policy.shape == one.masks.shape, len(one) == len(one.gains)
        ((65,), True, True)
        >>> sarai.self_play("shuanglu", 4, lanes=0)
        Traceback (most recent call last):
        ...
        ValueError: lanes got 0; it takes 1 or more
    """
    game = as_game(game)
    simulations = arguments.whole("simulations", simulations)
    width = arguments.whole("lanes", lanes)
    if width < 1:
        raise ValueError(f"lanes got {arguments.short(lanes)}; it takes 1 or more")
    if width * simulations > _SIMULATIONS:
        raise ValueError(
            f"{counted(width, 'lane')} with {simulations} simulations each are {width * simulations} simulations; at "
            f"most {_SIMULATIONS} may be made at once: use fewer lanes"
        )
    most = None if num_games is None else arguments.from_zero("num_games", num_games, _core.MAX_GAMES)
    drawn = None if sampling_moves is None else arguments.from_zero("sampling_moves", sampling_moves, _STEPS)
    settings: dict[str, Any] = {
        "priors": arguments.flag("priors", priors),
        "noise": noise,
        "exploration": exploration,
        "num_threads": num_threads,
    }
    # What a search refuses is refused now, and not when the first game is taken.
    grow(game, States(game, 0)._rows, simulations, evaluator, **settings)
    return _played(game, simulations, evaluator, most, width, drawn, arguments.seed(seed), settings)


class _Lane:
    """A game under way."""

    def __init__(self, number: int, seed: int) -> None:
        self.number = number
        self.rng = np.random.default_rng([seed, number])
        self.rows: list[tuple[NDArray[Any], ...]] = []

    @property
    def stream(self) -> int:
        """The stream of its next step."""
        return self.number * _STEPS + len(self.rows)


def _played(
    game: Game,
    simulations: int,
    evaluator: Evaluator,
    most: int | None,
    width: int,
    drawn: int | None,
    seed: int,
    settings: dict[str, Any],
) -> Iterator[SelfPlayGame]:
    """The games that `self_play` yields."""
    begun = 0
    lanes: list[_Lane] = []
    states = States(game, 0)
    while True:
        fresh = width - len(lanes) if most is None else min(width - len(lanes), most - begun)
        if fresh:
            lanes += [_Lane(number, seed) for number in range(begun, begun + fresh)]
            states = States.concatenate([states, States(game, fresh)])
            begun += fresh
        if not lanes:
            return
        streams = np.array([lane.stream for lane in lanes], np.uint64)
        states._rows.sample_chance(seed, streams, settings["num_threads"])
        over = states.is_terminal()
        if over.any():
            ended = [(lane, returns) for lane, returns in zip(lanes, states.returns(), strict=True)]
            ended = [pair for pair, is_over in zip(ended, over, strict=True) if is_over]
            lanes = [lane for lane, is_over in zip(lanes, over, strict=True) if not is_over]
            states = states[~over]
            for lane, returns in ended:
                yield _finished(game, lane, returns)
            continue
        forest = grow(game, states._rows, simulations, evaluator, seed=seed, streams=streams, **settings)
        _, policy, values, best = forest.found()
        observations, masks = states.observation_tensor(), states.legal_actions_mask()
        players = states.current_player()
        actions = best.copy()
        for row, lane in enumerate(lanes):
            if drawn is None or len(lane.rows) < drawn:
                actions[row] = _draw(policy[row], lane.rng, int(best[row]))
        columns = (observations, masks, policy, values, actions, players)
        for row, lane in enumerate(lanes):
            lane.rows.append(tuple(column[row] for column in columns))
        states.apply_actions(actions)


def _draw(policy: NDArray[np.float32], rng: np.random.Generator, best: int) -> int:
    """An action with the probability of its share; the best where nothing was visited below the root."""
    sums = policy.cumsum(dtype=np.float64)
    chance = rng.random() * sums[-1]
    return int(np.searchsorted(sums, chance, side="right")) if chance < sums[-1] else best


def _finished(game: Game, lane: _Lane, returns: NDArray[np.float32]) -> SelfPlayGame:
    """What is told of a game that is over."""
    (cells,), actions, players = game.observation_shape, game.num_actions, game.num_players
    shapes: list[tuple[tuple[int, ...], Any]] = [
        ((cells,), np.int8),
        ((actions,), np.int8),
        ((actions,), np.float32),
        ((players,), np.float32),
        ((), np.int64),
        ((), np.int8),
    ]
    decisions = len(lane.rows)
    columns = [
        np.array([row[number] for row in lane.rows], dtype).reshape(decisions, *shape)
        for number, (shape, dtype) in enumerate(shapes)
    ]
    observations, masks, policy, values, chosen, to_act = columns
    return SelfPlayGame(lane.number, observations, masks, policy, values, chosen, to_act, returns)
