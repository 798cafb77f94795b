"""Games of a rollout that are kept as records."""

from __future__ import annotations

import operator
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sarai._core import Game
from sarai.game import make
from sarai.play import Agent, Played, label
from sarai.record import Record
from sarai.results import checks

__all__ = ["check", "check_labels", "packed", "records", "rows", "unpacked"]

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
    try:
        num_games = operator.index(num_games)
    except TypeError:
        raise TypeError(f"num_games must be a whole number, not {type(num_games).__name__}") from None
    if num_games < 1:
        return []  # the engine refuses it in its own words
    found: list[int] = []
    for given in keep:
        if len(found) == MAX_KEPT:
            raise ValueError(
                f"keep has more than {MAX_KEPT:,} rows, the most of one rollout: keep fewer, or split it"
            )
        try:
            row = operator.index(given)
        except TypeError:
            raise TypeError(f"keep has {given!r}, which is no whole number") from None
        if not 0 <= row < num_games:
            raise ValueError(f"keep has {row}; the rows of {num_games} games are 0 to {num_games - 1}")
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
            played.game,
            paths[row].tolist(),
            seed=played.seed,
            number=played.first_game + row,
            agents=played.agents,
        )
        for row in wanted
    }


def check(kept: Mapping[int, Record], returns: NDArray[np.float32], first_game: int) -> None:
    """Refuse what is no record of the game in its row.

    Raises:
        ValueError: With the row.
    """
    for row, record in kept.items():
        if not isinstance(record, Record) or type(row) is not int or not 0 <= row < len(returns):
            raise ValueError(f"records must have a Record for rows from 0 to {len(returns) - 1}, not {row!r}")
        same = record.returns is not None and np.array_equal(
            returns[row], np.array(record.returns, np.float32)
        )
        if not same or record.number != first_game + row:
            raise ValueError(f"records[{row}] is not of the game in row {row}: it is {record!r}")


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
    *,
    game: str,
    rules: dict[str, Any],
    agents: tuple[str, ...],
    seed: int,
    first_game: int,
) -> dict[int, Record]:
    """The records of a file; every one is replayed.

    Raises:
        KeyError: An array is missing.
        ValueError: An array is of a wrong dtype or shape, or a step is not legal.
    """
    where, offsets, steps = (arrays[f"records.{name}"] for name in ("rows", "offsets", "steps"))
    checks.check_array("records.rows", where, np.int64, (None,))
    checks.check_array("records.offsets", offsets, np.int64, (len(where) + 1,))
    checks.check_array("records.steps", steps, np.int32, (None,))
    if offsets[0] != 0 or offsets[-1] != len(steps) or np.any(offsets[1:] < offsets[:-1]):
        raise ValueError(f"records.offsets must ascend from 0 to {len(steps)}, the number of steps")
    if len(set(where.tolist())) < len(where):
        raise ValueError("records.rows has a row twice")
    if not all(isinstance(agent, str) for agent in agents):
        raise ValueError(f"agents must be one label a seat, not {agents!r}")
    made = make(game, rules=rules)
    found = {}
    for place, row in enumerate(where.tolist()):
        ids = steps[offsets[place] : offsets[place + 1]].tolist()
        found[row] = Record.from_steps(made, ids, seed=seed, number=first_game + row, agents=agents)
    return found
