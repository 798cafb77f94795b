"""Datasets that are to be made."""

from __future__ import annotations

import functools
import os
from collections.abc import Iterator
from typing import Any

from sarai._base import arguments
from sarai._base.lock import locked
from sarai._base.progress import ProgressOption, Report, shown
from sarai._core import MAX_GAMES, Game, State, check_agents
from sarai._datasets import executors, manifest, parts
from sarai._datasets.opened import Dataset
from sarai._game import game_and_start
from sarai._results.trajectories import DEFAULT_MAX_DECISIONS
from sarai.agents import Agents, label, one_agent_a_seat

CHUNKS = {"rollout": 1_000_000, "trajectories": 2_000}
"""The games of a part, unless told otherwise."""

MAX_PARTS = 1_000_000
_MAX_THREADS = 256
"""As the engine has it."""


def dataset(
    game: str | Game | State,
    agents: Agents = "random",
    num_games: int = 1000,
    *,
    out: arguments.StrPath,
    what: str = "rollout",
    chunk_games: int | None = None,
    executor: Any = None,
    seed: int | None = None,
    num_threads: int | None = None,
    progress: ProgressOption = False,
    first_game: int = 0,
    max_decisions: int = DEFAULT_MAX_DECISIONS,
    random_plies: int = 0,
    in_flight: int | None = None,
) -> Dataset:
    """Play games and write them into a folder of Parquet files with a manifest.

    If the call is stopped or killed, call it again with the same arguments, including the seed: it keeps every complete
    part and makes the others. The bytes are the same on any executor, with any number of workers, and after any number
    of kills, for the versions of Sarai and pyarrow in the manifest.

    Args:
        game: A game, its name as `sarai.make` takes it, or a state from which every game starts.
        num_games: The number of games, 1 or more; there are at most 1,000,000 parts.
        agents: As `sarai.rollout` takes them. Policies are pickled for the workers, and must be deterministic functions
            of their rows; the manifest has only their labels.
        out: The folder: new, empty, or with this same dataset. The workers of an executor must see it under the same
            name.
        what: "rollout" for a row for each game, "trajectories" for a row for each decision.
        chunk_games: The games of a part, 1 to 100,000,000; None takes 1,000,000 for rollouts and 2,000 for
            trajectories. A worker holds one part in memory.
        executor: Where the parts are made. None makes them here, in order. Otherwise an executor of concurrent.futures,
            or anything with its `submit`; "ray", or the module `ray` when it is initialised; a dask.distributed.Client;
            or a joblib.Parallel. Workers write the parts themselves.
        seed: 0 to 2**64 - 1; None draws one, which the dataset has as `seed`; pass it to resume an unfinished dataset.
        num_threads: The number of threads for a part; None uses all processors here, and one thread on an executor.
        progress: As `sarai.rollout` takes it, for the games of all parts.
        first_game: The number of the first game.
        max_decisions: The maximum number of decisions of a part of trajectories.
        random_plies: The number of random decisions at the beginning of each game, as for `sarai.rollout`.
        in_flight: How many parts are submitted to the executor at a time; None takes twice the number of its workers.
            Apart from a short summary of each part, the memory of this process does not depend on the number of parts.

    Returns:
        The dataset, as `sarai.open_dataset` opens it.

    Raises:
        ValueError: As for `sarai.rollout`. Also if the folder holds another dataset, or an unfinished one begun by
            other versions; if another run is writing into it; or if a part differs when it is made again.
        TypeError: An argument has the wrong type.
        ImportError: pyarrow is not installed, or the library of the executor.
        OSError: A file cannot be written, for example because the disk is full. Finished parts stay.
        KeyboardInterrupt: Ctrl-C. Finished parts stay.

    Examples:
        >>> import sarai, tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     made = sarai.dataset("sho", "greedy", 1000, out=folder, chunk_games=400, seed=0)
        ...     [part.games for part in made.parts], made.verify()
        ([400, 400, 200], [])

        >>> sarai.dataset("sho", num_games=0, out="games")
        Traceback (most recent call last):
        ...
        ValueError: num_games got 0; it takes 1 to ...
    """
    book, start = game_and_start(game)
    seats = one_agent_a_seat(agents, book.num_players)
    check_agents(book, seats)
    what = arguments.one_of("what", what, tuple(CHUNKS))
    chunk = arguments.between(
        "chunk_games", CHUNKS[what] if chunk_games is None else chunk_games, 1, MAX_GAMES
    )
    first = arguments.from_zero("first_game", first_game)
    games = arguments.between("num_games", num_games, 1, min(arguments.MAX_NUMBER - first, chunk * MAX_PARTS))
    flight = None if in_flight is None else arguments.between("in_flight", in_flight, 1, MAX_PARTS)
    asked = {
        "what": what,
        "game": str(book),
        "agents": [label(agent) for agent in seats],
        "seed": arguments.seed(seed),
        "first_game": first,
        "num_games": games,
        "chunk_games": chunk,
        "start": None if start is None else str(start),
        "random_plies": arguments.random_plies(random_plies),
    }
    threads = None if num_threads is None else arguments.between("num_threads", num_threads, 1, _MAX_THREADS)
    how: dict[str, Any] = {
        "agents": tuple(seats),
        "num_threads": 1 if threads is None and executor is not None else threads,
        "max_decisions": arguments.between("max_decisions", max_decisions, 1, 2**63 - 1),
    }
    executors.check(executor, seats)
    parts.versions()
    folder = os.path.abspath(arguments.path(out))
    manifest.check_empty(folder)
    # What is refused leaves no folder behind, so that the display, which refuses a `progress` too, comes first.
    with shown(progress, book.name, games) as report:
        os.makedirs(folder, exist_ok=True)
        with locked(folder):
            begun = manifest.begin(folder, asked)
            manifest.sweep(folder)
            made = _make(folder, begun, how, executor, flight, report)
            if made != begun.parts:
                manifest.Manifest(begun.asked, begun.made_with, made).write(folder)
            # What Ray has begun twice, because a worker was lost, may have left something.
            manifest.sweep(folder)
    return Dataset(folder, begun.asked, begun.made_with, made)


def _make(
    folder: str,
    begun: manifest.Manifest,
    how: dict[str, Any],
    executor: Any,
    in_flight: int | None,
    report: Report | None,
) -> tuple[parts.Part, ...]:
    """Make what is missing; all parts come back in order."""
    found = parts.found_in(os.listdir(folder))

    def tasks() -> Iterator[parts.Task]:
        for index in range(begun.num_parts):
            first, games = begun.games_of(index)
            known = None if begun.parts is None else begun.parts[index].sha256
            yield parts.Task(
                folder=folder,
                index=index,
                first_game=first,
                games=games,
                asked=begun.asked,
                made_with=begun.made_with,
                found=found.get(index, ()),
                sha256=known,
                **how,
            )

    made: dict[int, parts.Part] = {}
    done = 0

    def within(games: int) -> None:
        if report is not None:
            report(done + games)

    make = parts.make if executor is not None else functools.partial(parts.make, progress=within)
    for part in executors.results(executor, make, tasks(), in_flight):
        made[part.first_game] = part
        done += part.games
        within(0)
    return tuple(made[first] for first in sorted(made))
