"""An arena on disk, and what it is held to."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from sarai import arguments
from sarai.matches import schedule
from sarai.records.record import Record
from sarai.results import npz, rollout_records, validation


class Match(Protocol):
    """An arena, as `sarai.matches.Arena` describes it."""

    @property
    def game(self) -> str: ...  # noqa: D102
    @property
    def rules(self) -> dict[str, Any]: ...  # noqa: D102
    @property
    def names(self) -> tuple[str, ...]: ...  # noqa: D102
    @property
    def agents(self) -> tuple[str, ...]: ...  # noqa: D102
    @property
    def sides(self) -> tuple[int, ...]: ...  # noqa: D102
    @property
    def schedule(self) -> str: ...  # noqa: D102
    @property
    def dice(self) -> str: ...  # noqa: D102
    @property
    def seed(self) -> int: ...  # noqa: D102
    @property
    def random_plies(self) -> int: ...  # noqa: D102
    @property
    def start(self) -> str | None: ...  # noqa: D102
    @property
    def orders(self) -> NDArray[np.int16]: ...  # noqa: D102
    @property
    def returns(self) -> NDArray[np.float32]: ...  # noqa: D102
    @property
    def winner(self) -> NDArray[np.int8]: ...  # noqa: D102
    @property
    def lengths(self) -> NDArray[np.int32]: ...  # noqa: D102
    @property
    def digests(self) -> NDArray[np.uint32]: ...  # noqa: D102
    @property
    def milliseconds(self) -> tuple[float, ...]: ...  # noqa: D102
    @property
    def seconds(self) -> float: ...  # noqa: D102
    @property
    def records(self) -> dict[tuple[int, int], Record]: ...  # noqa: D102


def played_as(match: Match) -> dict[str, Any]:
    """How the games were played."""
    names = ("game", "rules", "names", "agents", "sides", "schedule", "dice", "seed", "random_plies", "start")
    return {name: getattr(match, name) for name in names}


def arrays(match: Match) -> dict[str, NDArray[Any]]:
    """The arrays by the names that they have in a file."""
    return {name: getattr(match, name) for name in ("returns", "winner", "lengths", "digests")}


def check_shapes(match: Match) -> None:
    """Hold everything to its documented type and shape, and the seatings to the schedule.

    Raises:
        TypeError: Something is of another type.
        ValueError: An array has another dtype or shape, or a value is out of range.
    """
    count = len(match.names) if isinstance(match.names, tuple) else 0
    known = {name for name in match.names if isinstance(name, str)} if count else set()
    if not 2 <= count <= schedule.MOST_AGENTS or len(known) < count:
        raise ValueError(f"names must be a tuple of different names, not {arguments.short(match.names)}")
    kinds: dict[str, Callable[[object], bool]] = {
        "agents": lambda value: isinstance(value, str),
        "milliseconds": arguments.is_number,
    }
    for name, fits in kinds.items():
        values = getattr(match, name)
        if not isinstance(values, tuple) or len(values) != count:
            raise ValueError(f"{name} must be a tuple with one value for each of {count} agents")
        if not all(map(fits, values)):
            raise ValueError(f"{name} has a value of another type: {arguments.short(values)}")
    validation.check_encodable("names", match.names)
    validation.check_encodable("agents", match.agents)
    for spent in match.milliseconds:
        validation.time_taken("milliseconds", spent)
    validation.time_taken("seconds", match.seconds)
    if not isinstance(match.sides, tuple) or not match.sides:
        raise ValueError(
            f"sides must be a tuple with one side for each seat, not {arguments.short(match.sides)}"
        )
    validation.check_origin(match.game, match.rules, ("",) * len(match.sides), match.sides)
    schedule.one_of("schedule", match.schedule, schedule.SCHEDULES)
    schedule.one_of("dice", match.dice, schedule.DICE)
    arguments.from_zero("seed", match.seed)
    arguments.random_plies(match.random_plies)
    validation.check_start(match.start)
    num_sides = max(match.sides) + 1
    orders = schedule.seatings(count, num_sides, match.schedule)
    validation.check_array("orders", match.orders, np.int16, orders.shape)
    if not np.array_equal(orders, match.orders):
        raise ValueError(f"orders does not have the seatings of a {match.schedule} of {count} agents")
    validation.check_array("winner", match.winner, np.int8, (len(orders), None))
    shape = match.winner.shape
    if shape[1] < 1:
        raise ValueError("winner must have at least one game of each seating")
    validation.check_range("winner", match.winner, -1, num_sides - 1)
    validation.check_array("returns", match.returns, np.float32, (*shape, num_sides))
    validation.check_counts("lengths", match.lengths, shape)
    validation.check_array("digests", match.digests, np.uint32, shape)
    if not isinstance(match.records, dict):
        raise TypeError(f"records must be a dict of records, not {type(match.records).__name__}")
    _check_records(match)


def check(match: Match) -> None:
    """Hold everything against the rules of the game.

    Raises:
        ValueError: They contradict it.
    """
    seats = ("",) * len(match.sides)
    game = validation.complete_game_of(match.game, match.rules, seats, match.sides)
    if match.start is not None:
        validation.start_of(game, match.start)
    by_seat = match.returns.reshape(-1, match.returns.shape[2])[:, list(match.sides)]
    validation.check_outcomes(game, match.winner.reshape(-1), by_seat)
    validation.check_range("lengths", match.lengths, 0)
    _check_records(match)


def _check_records(match: Match) -> None:
    for place, record in match.records.items():
        if not _belongs(match, place, record):
            raise ValueError(
                f"records[{arguments.short(place)}] is not of that game: it is {arguments.short(record)}"
            )


def _belongs(match: Match, place: Any, record: object) -> bool:
    if not isinstance(record, Record) or not isinstance(place, tuple) or len(place) != 2:
        return False
    seatings, games = match.winner.shape
    if not all(type(number) is int for number in place) or not (
        0 <= place[0] < seatings and 0 <= place[1] < games
    ):
        return False
    labels, number = _of(match, place[0] * games + place[1])
    origin = (match.game, match.rules, labels, match.seed, number, match.start)
    returns = match.returns[place][list(match.sides)]
    return rollout_records.tells_of(
        record, origin, returns, int(match.winner[place]), int(match.lengths[place])
    )


def _of(match: Match, row: int) -> tuple[tuple[str, ...], int]:
    """Who played a game, and its number, where all games are counted through.

    Raises:
        ValueError: There is no such game.
    """
    if not 0 <= row < match.winner.size:
        raise ValueError(f"records.rows has {row}, where there are {match.winner.size} games")
    seating, game = divmod(row, match.winner.shape[1])
    labels = tuple(schedule.seats(match.orders[seating], match.sides, list(match.agents)))
    return labels, game if match.dice == "shared" else row


def write(match: Match, path: npz.StrPath) -> None:
    """Write it to this path; see `sarai.matches.Arena.save`."""
    seatings, games = match.winner.shape
    metadata = {
        **played_as(match),
        "milliseconds": match.milliseconds,
        "seconds": match.seconds,
        "seatings": seatings,
        "games": games,
        "records": len(match.records),
        "steps": sum(map(len, match.records.values())),
    }
    kept = {seating * games + game: record for (seating, game), record in match.records.items()}
    npz.write(path, "arena", metadata, {**arrays(match), **rollout_records.packed(kept)})


class _Read:
    """What has been read of a file so far."""

    def __init__(self, **fields: Any) -> None:
        vars(self).update(fields)


def read(file: npz.File) -> dict[str, Any]:
    """What a file holds, by the names of the arena's attributes; the arrays are held against the rules later.

    Raises:
        ValueError: It is not of this form.
    """
    fields = file.fields(
        **validation.ORIGIN,
        names=list,
        schedule=str,
        dice=str,
        random_plies=int,
        start=(str, type(None)),
        milliseconds=list,
        seconds=(int, float),
        seatings=int,
        games=int,
        records=int,
        steps=int,
    )
    seatings, games, records, steps = (fields.pop(name) for name in ("seatings", "games", "records", "steps"))
    for name in ("agents", "sides", "names", "milliseconds"):
        fields[name] = tuple(fields[name])
    game = validation.game_of(fields["game"], fields["rules"], ("",) * len(fields["sides"]), fields["sides"])
    fields["rules"] = game.rules
    plan = schedule.one_of("schedule", fields["schedule"], schedule.SCHEDULES)
    num_sides = max(game.sides) + 1
    if not 2 <= len(fields["names"]) <= schedule.MOST_AGENTS or not 0 < games <= schedule.MOST_GAMES:
        raise ValueError("its metadata has too few or too many agents or games")
    orders = schedule.seatings(len(fields["names"]), num_sides, plan)
    if seatings != len(orders) or len(fields["agents"]) != len(fields["names"]):
        raise ValueError("its metadata does not fit together")
    found = file.arrays(
        {
            "returns": (np.float32, (seatings, games, num_sides)),
            "winner": (np.int8, (seatings, games)),
            "lengths": (np.int32, (seatings, games)),
            "digests": (np.uint32, (seatings, games)),
            **rollout_records.layout(records, steps),
        }
    )
    if not all(isinstance(agent, str) for agent in fields["agents"]):
        raise ValueError("its metadata has no valid 'agents'")
    match: Any = _Read(**fields, orders=orders, winner=found["winner"])
    start = game if fields["start"] is None else validation.start_of(game, fields["start"])
    kept = rollout_records.unpacked(found, start, fields["seed"], lambda row: _of(match, row))
    return {
        **fields,
        "orders": orders,
        **{name: found[name] for name in ("returns", "winner", "lengths", "digests")},
        "records": {divmod(row, games): record for row, record in kept.items()},
    }
