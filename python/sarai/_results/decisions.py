"""Playing games with every decision kept, all at once or part by part."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Literal, overload

from sarai import _core
from sarai._base import arguments
from sarai._base.progress import ProgressOption, Report, shown
from sarai._core import MAX_GAMES, Game, State, check_agents
from sarai._playout import Run
from sarai._results.trajectories import DEFAULT_MAX_DECISIONS, Trajectories
from sarai._states import States
from sarai.agents import Agents

DEFAULT_CHUNK_GAMES = 1000
"""The games of a part, unless told otherwise."""


@overload
def trajectories(
    game: str | Game | State,
    agents: Agents = "random",
    num_games: int = 1000,
    *,
    seed: int | None = None,
    num_threads: int | None = None,
    progress: ProgressOption = False,
    first_game: int = 0,
    max_decisions: int = DEFAULT_MAX_DECISIONS,
    random_plies: int = 0,
    stream: Literal[False] = False,
    chunk_games: int = DEFAULT_CHUNK_GAMES,
) -> Trajectories: ...
@overload
def trajectories(
    game: str | Game | State,
    agents: Agents = "random",
    num_games: int = 1000,
    *,
    seed: int | None = None,
    num_threads: int | None = None,
    progress: ProgressOption = False,
    first_game: int = 0,
    max_decisions: int = DEFAULT_MAX_DECISIONS,
    random_plies: int = 0,
    stream: Literal[True],
    chunk_games: int = DEFAULT_CHUNK_GAMES,
) -> Iterator[Trajectories]: ...
def trajectories(
    game: str | Game | State,
    agents: Agents = "random",
    num_games: int = 1000,
    *,
    seed: int | None = None,
    num_threads: int | None = None,
    progress: ProgressOption = False,
    first_game: int = 0,
    max_decisions: int = DEFAULT_MAX_DECISIONS,
    random_plies: int = 0,
    stream: bool = False,
    chunk_games: int = DEFAULT_CHUNK_GAMES,
) -> Trajectories | Iterator[Trajectories]:
    """Play games to their ends and return every decision of each.

    The games are the same as those of `sarai.rollout` with the same arguments, with any number of threads. With
    stream=True they are returned in parts, so memory holds one part at a time (while a part is made, the caller's loop
    still has the last one, unless it deletes it).

    Args:
        game: A game, its name as `sarai.make` takes it, or a state from which every game starts.
        agents: One agent for all seats, or a list with one per seat, as for `sarai.rollout`.
        num_games: The number of games, 1 to 100,000,000; unlimited with stream=True.
        seed: 0 to 2**64 - 1; None draws one, which the result has as `seed`.
        num_threads: The number of threads; None uses all processors.
        progress: True shows a progress bar in a terminal or notebook; a callable is called with the number of games
            finished, about ten times a second and once at the end.
        first_game: The number of the first game.
        max_decisions: The maximum number of decisions to keep in total, or with stream=True in a part. A decision takes
            about L + A bytes, the length of an observation plus that of a mask. The limit is checked while games are
            played, and keeps a large num_games from exhausting the memory.
        random_plies: The number of random decisions at the beginning of each game, 0 to 1,000, as for `sarai.rollout`;
            they are among those that are returned.
        stream: Whether to return an iterator over parts.
        chunk_games: With stream=True, the games of a part, 1 to 100,000,000; the last part may have fewer.

    Returns:
        The decisions of all games, game by game; or an iterator over parts, each with those of the next games.

    Raises:
        ValueError: As for `sarai.rollout`; also if the games have more than `max_decisions` decisions.
        TypeError: An argument, or a value returned by a policy, has the wrong type.
        IllegalActionError: A policy chose an action that is not legal.
        KeyboardInterrupt: Ctrl-C.
        Exception: Exceptions raised by a policy are passed on unchanged.

    Examples:
        >>> import sarai
        >>> t = sarai.trajectories("sho", num_games=5, agents=["greedy", "random", "random"], seed=7)
        >>> len(t), t.offsets.shape, bool(t.masks[0, t.actions[0]])
        (5, (6,), True)
        >>> r = sarai.rollout("sho", num_games=5, agents=["greedy", "random", "random"], seed=7)
        >>> bool((t[4].rewards.sum(axis=0) == r.returns[4]).all())
        True

        >>> parts = sarai.trajectories("sho", num_games=5, seed=7, stream=True, chunk_games=2)
        >>> [(part.first_game, len(part)) for part in parts]
        [(0, 2), (2, 2), (4, 1)]

        >>> sarai.trajectories("sho", num_games=5, max_decisions=1)
        Traceback (most recent call last):
        ...
        ValueError: ...
    """
    run = Run.of(game, agents, num_games, seed, num_threads, progress, first_game, random_plies)
    if not arguments.flag("stream", stream):
        return _play(run, max_decisions)
    # What would be refused with the first part is refused here, before anybody asks for it.
    check_agents(run.game, run.agents)
    first = arguments.from_zero("first_game", first_game)
    games = arguments.between("num_games", num_games, 1, arguments.MAX_NUMBER - first)
    chunk = arguments.between("chunk_games", chunk_games, 1, MAX_GAMES)
    arguments.random_plies(random_plies)
    arguments.between("max_decisions", max_decisions, 1, 2**63 - 1)
    States(run.game, 0).legal_actions_mask(num_threads=num_threads)
    with shown(progress, run.game.name, games):
        pass

    def parts() -> Iterator[Trajectories]:
        with shown(progress, run.game.name, games) as report:
            for done in range(0, games, chunk):
                part = replace(
                    run, num=min(chunk, games - done), first=first + done, progress=_counted(report, done)
                )
                # What is yielded has no name here, so that it goes when the caller lets it go.
                yield _play(part, max_decisions)

    return parts()


def _counted(report: Report | None, before: int) -> ProgressOption:
    """Tells of a part's games together with those before it."""
    return False if report is None else lambda done: report(before + done)


def _play(run: Run, max_decisions: int) -> Trajectories:
    columns, _ = run.ask(_core.rollout, max_decisions=arguments.whole("max_decisions", max_decisions))
    names = ("observations", "masks", "actions", "players", "rewards", "final_observations", "offsets")
    return Trajectories(**run.told, **{name: columns[name] for name in names}, start=run.start_text)
