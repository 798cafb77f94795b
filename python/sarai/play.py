"""The one way from Python into the engine's playing of whole games.

`sarai.rollout` and `sarai.trajectories` differ in what they keep of the games; how the arguments are
understood, how the progress is shown and how the time is taken is the same and stands here.
"""

from __future__ import annotations

import difflib
import inspect
import itertools
import secrets
import time
import types
import weakref
from collections.abc import Callable, Iterable, Mapping, Sized
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from sarai import _core, arguments
from sarai._core import Game
from sarai.game import make, presets
from sarai.progress import ProgressOption, shown

Policy: TypeAlias = Callable[[NDArray[np.int8], NDArray[np.int8]], NDArray[np.integer[Any]]]
"""Decides for a batch: `policy(observations (n, L) int8, masks (n, A) int8) -> actions (n,)`, integers."""

Agent: TypeAlias = str | Policy
"""An agent's name ("random", "greedy", "mcts:200") or a policy."""

Agents: TypeAlias = Agent | Iterable[Agent] | None
"""One agent for every seat, or one a seat in the order of the seats; None is "random" everywhere."""

_ENGINE_AGENTS = ("random", "greedy", "mcts")
"""What the names of the engine's agents begin with."""

_marks: dict[int, tuple[weakref.ref[Any], str]] = {}
"""The mark of every policy that has played and is still there, by its id."""


@dataclass(frozen=True)
class Played:
    """What came back from the engine, and what it was asked for."""

    game: Game
    agents: tuple[str, ...]
    seed: int
    first_game: int
    columns: dict[str, Any]
    seconds: float

    @property
    def origin(self) -> dict[str, Any]:
        """What says which games these are, by the names that results give it."""
        return {
            "game": self.game.name,
            "rules": self.game.rules,
            "agents": self.agents,
            "seed": self.seed,
            "first_game": self.first_game,
            "sides": tuple(self.game.sides),
        }


def play(
    game: Game,
    num_games: int,
    seats: list[Agent],
    *,
    seed: int | None,
    first_game: int,
    max_decisions: int,
    num_threads: int | None = None,
    progress: ProgressOption = False,
    record: bool = False,
    keep: Iterable[int] = (),
) -> Played:
    """Play games to their ends; whether a number is in range is said by the engine."""
    seed = arguments.seed(seed)
    num_games = arguments.whole("num_games", num_games)
    first_game = arguments.whole("first_game", first_game)
    max_decisions = arguments.whole("max_decisions", max_decisions)
    num_threads = None if num_threads is None else arguments.whole("num_threads", num_threads)
    labels = tuple(label(agent) for agent in seats)
    with shown(progress, game.name, num_games) as report:
        start = time.perf_counter()
        columns = _core.rollout(
            game,
            num_games,
            seats,
            seed=seed,
            first_game=first_game,
            num_threads=num_threads,
            progress=report,
            record=record,
            max_decisions=max_decisions,
            keep=set(keep),
        )
        seconds = time.perf_counter() - start
    return Played(game, labels, seed, first_game, columns, seconds)


def as_game(
    game: str | Game,
    rules: Mapping[str, Any] | None,
    preset: str | None,
    options: Mapping[str, Any] | None = None,
    function: Callable[..., object] | None = None,
) -> Game:
    """The game object for a name with its rules, or the one that was given.

    `options` are rule options that a caller gave as keywords; they come on top of `rules`. `function` is what was
    called: one of its own keywords may be meant.
    """
    if not isinstance(game, (str, Game)):
        raise TypeError(
            f"game must be a name (one of sarai.games()) or a sarai.Game, not {type(game).__name__}"
        )
    if options and function is not None:
        known = next(iter(presets(game).values())) if isinstance(game, str) else game.rules
        _check_spelling(options, known, function)
    if isinstance(game, str):
        return make(game, preset=preset, rules=rules, **(options or {}))
    if rules is not None or preset is not None or options:
        given = ", ".join(options or ["rules" if rules is not None else "preset"])
        raise ValueError(
            f"{given} got a value, but a Game object has its rules already: leave it out, or give the game's name"
        )
    return game


def _check_spelling(options: Iterable[str], known: Iterable[str], function: Callable[..., object]) -> None:
    """Refuse what looks more like a keyword of the function than like an option of the game.

    Raises:
        ValueError: With the keyword.
    """
    own = list(inspect.signature(function).parameters)
    for name in options:
        near = difflib.get_close_matches(name[:80], [*known, *own], n=1, cutoff=0.7)
        if name not in known and near and near[0] in own:
            raise ValueError(f"unknown option {name[:80]!r} (did you mean {near[0]!r}?)")


def one_agent_a_seat(agents: Agents, num_players: int) -> list[Agent]:
    """Spread a single agent over all seats; a list is taken as it is, its length is the engine's to check."""
    if agents is None:
        agents = "random"
    # A policy may well be both callable and iterable (a torch.nn.Sequential is), so callable comes first.
    if isinstance(agents, str) or callable(agents):
        return [agents] * num_players
    if not isinstance(agents, Iterable):
        raise TypeError(
            "agents must be an agent's name, a policy, or a list with one of them a seat, "
            f"not {type(agents).__name__}"
        )
    if isinstance(agents, Sized):
        return list(agents)
    # One more than there are seats is enough to be refused, and an endless iterator ends.
    return list(itertools.islice(agents, num_players + 1))


def label(agent: Agent) -> str:
    """How an agent is called in results: its name, or the policy's qualified name."""
    if isinstance(agent, str):
        return str(agent)
    if not callable(agent):
        raise TypeError(f"an agent must be a name or a policy (a callable), not {type(agent).__name__}")
    name = getattr(agent, "__qualname__", None)
    known = name if isinstance(name, str) else type(agent).__qualname__
    if known.partition(":")[0] in _ENGINE_AGENTS:
        # A policy that somebody calls "greedy" is not the engine's.
        known += "()"
    # A name may hold what no file and no terminal takes.
    return known.encode("utf-8", "backslashreplace").decode()


def mark(agent: Agent) -> str | None:
    """What tells one policy from another, which may have the same label; None for an agent of the engine.

    The same object has the same mark for as long as the process lives, and no other object has it, here or elsewhere.

    >>> mark("greedy") is None, mark(print) == mark(print), mark(print) == mark(len)
    (True, True, False)
    """
    if isinstance(agent, str):
        return None
    if isinstance(agent, types.MethodType):
        # `learner.act` is another object each time that it is written down.
        return f"{_mark(agent.__self__)}.{_mark(agent.__func__)}"
    return _mark(agent)


def _mark(thing: object) -> str:
    key, new = id(thing), secrets.token_hex(8)
    try:
        reference = weakref.ref(thing, lambda _: _marks.pop(key, None))
    except TypeError:
        # What cannot be referred to weakly would have to be kept alive to be known again.
        return new
    # What stands there is of this very object: it goes when its object goes.
    return _marks.setdefault(key, (reference, new))[1]
