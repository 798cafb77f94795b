"""Games of a rollout that are kept as records."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sarai import arguments
from sarai._core import Game, State
from sarai.agents import Agent, label
from sarai.playout import Played
from sarai.records.record import Record
from sarai.results import npz, validation
from sarai.results.outcomes import Outcomes

__all__ = ["MAX_KEPT", "check", "check_labels", "layout", "packed", "records", "rows", "unpacked"]

MAX_KEPT = 1000
"""The most games of one rollout that are kept."""


def rows(keep: Iterable[int], num_games: int) -> list[int]:
    """The rows to keep, in the order given.

    Raises:
        TypeError: They are no whole numbers.
        ValueError: One is out of range or stands twice, or there are too many.
    """
    if isinstance(keep, (str, bytes)) or not isinstance(keep, Iterable):
        raise TypeError(f"keep must be a list of the rows to keep, not {type(keep).__name__}")
    num_games = arguments.whole("num_games", num_games)
    if num_games < 1:
        return []  # the engine refuses it in its own words
    found: list[int] = []
    for given in keep:
        if len(found) == MAX_KEPT:
            raise ValueError(
                f"keep has more than {MAX_KEPT:,} rows, the most of one rollout: keep fewer, or split it"
            )
        row = arguments.whole("every row in keep", given)
        if not 0 <= row < num_games:
            last = num_games - 1
            raise ValueError(
                f"keep has {arguments.in_words(row)}; the rows of {num_games} games are 0 to {last}"
            )
        found.append(row)
    if len(set(found)) < len(found):
        twice = next(row for place, row in enumerate(found) if row in found[:place])
        raise ValueError(f"keep has the row {twice} twice; give each row once")
    return found


def check_labels(game: Game, seats: list[Agent]) -> None:
    """Refuse, before the games are played, agents whose labels no record takes.

    Raises:
        ValueError: A label is too long.
    """
    # How many agents there must be is the engine's to say.
    if len(seats) == game.num_players:
        Record.from_steps(game, [], agents=[label(agent) for agent in seats])


def records(played: Played, wanted: list[int]) -> dict[int, Record]:
    """The records of these rows of a rollout, which were to be kept.

    Raises:
        ValueError: A game is longer than a record may be.
    """
    paths = played.columns["paths"]
    return {
        row: Record.from_steps(
            played.game if played.start is None else played.start,
            paths[row].tolist(),
            seed=played.seed,
            number=played.first_game + row,
            agents=played.agents,
        )
        for row in wanted
    }


def check(kept: Mapping[int, Record], rollout: Outcomes, start: str | None) -> None:
    """Refuse what is no record of the game in its row.

    Raises:
        TypeError: They are no dict.
        ValueError: With the row.
    """
    if not isinstance(kept, Mapping):
        raise TypeError(f"records must be a dict of records, not {type(kept).__name__}")
    for row, record in kept.items():
        if not isinstance(record, Record) or type(row) is not int or not 0 <= row < rollout.num_games:
            raise ValueError(
                f"records must have a Record for rows from 0 to {rollout.num_games - 1}, "
                f"not {arguments.short(row)}"
            )
        here = (
            rollout.game,
            rollout.rules,
            rollout.agents,
            rollout.seed,
            rollout.first_game + row,
            start,
        )
        if not tells_of(record, here, rollout.returns[row], rollout.winner[row], rollout.lengths[row]):
            raise ValueError(f"records[{row}] is not of the game in row {row}: it is {record!r}")


def tells_of(
    record: Record, origin: tuple[Any, ...], returns: NDArray[np.float32], winner: int, length: int
) -> bool:
    """Whether a record is of a game that ended so, and began as the origin says.

    The origin is the game, its rules, the agents, the seed, the number of the game, and the start.
    """
    begun = None if record.start is None else str(record.start)
    said = (record.game, record.rules, record.agents, record.seed, record.number, begun)
    scores = None if record.returns is None else np.array(record.returns, np.float32)
    decisions = sum(step.player >= 0 for step in record.steps)
    return bool(
        said == origin
        and record.winner == winner
        and np.array_equal(returns, scores)  # type: ignore[arg-type]
        and decisions == length
    )


def layout(games: int, steps: int) -> npz.Layout:
    """The arrays of so many records with so many steps in all; none where there are none.

    Raises:
        ValueError: There are steps of no record.
    """
    if games == 0 and steps == 0:
        return {}
    if games < 1:
        raise ValueError(f"{games} records cannot have {arguments.in_words(steps)} steps")
    return {
        "records.rows": (np.int64, (games,)),
        "records.offsets": (np.int64, (games + 1,)),
        "records.steps": (np.int32, (steps,)),
    }


def packed(kept: Mapping[int, Record]) -> dict[str, NDArray[Any]]:
    """Records as arrays for a file: the rows, where the steps of each begin, and the ids of all steps."""
    if not kept:
        return {}
    lengths = [len(record) for record in kept.values()]
    return {
        "records.rows": np.array(list(kept), np.int64),
        "records.offsets": np.cumsum([0, *lengths], dtype=np.int64),
        "records.steps": np.array(
            [step.id for record in kept.values() for step in record.steps], dtype=np.int32
        ),
    }


def unpacked(
    arrays: Mapping[str, NDArray[Any]],
    game: Game | State,
    seed: int,
    of: Callable[[int], tuple[tuple[str, ...], int]],
) -> dict[int, Record]:
    """The records of a file; every one is replayed. `of` says who played the game in a row, and its number.

    Raises:
        ValueError: A row stands twice, or a step is not legal.
    """
    if "records.rows" not in arrays:
        return {}
    where, offsets, steps = (arrays[f"records.{name}"] for name in ("rows", "offsets", "steps"))
    validation.check_offsets("records.offsets", offsets, len(steps), "steps")
    if len(set(where.tolist())) < len(where):
        raise ValueError("records.rows has a row twice")
    found = {}
    for place, row in enumerate(where.tolist()):
        ids = steps[offsets[place] : offsets[place + 1]].tolist()
        agents, number = of(row)
        found[row] = Record.from_steps(game, ids, seed=seed, number=number, agents=agents)
    return found
