"""What results of many games have in common: they declare what they hold, and everything else follows from that.

A field of such a class is a column, which is an array whose axes have names, or an attribute, which says how the games
were played. From these declarations follow the checks of a result that somebody makes by hand, `==`, files, joining,
slices, tables, what a notebook shows, and the list of attributes in the documentation.
"""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import Field, dataclass, field, fields, replace
from functools import partial
from math import prod
from types import MappingProxyType
from typing import Any, ClassVar, TypeAlias, TypeVar

import numpy as np
from numpy.typing import DTypeLike, NDArray

from sarai._base import arguments
from sarai._base.arguments import counted, longer
from sarai._core import Game
from sarai._game import make
from sarai._results import npz, validation
from sarai._tables import notebook
from sarai._tables.columns import Column, Labels, Table, same
from sarai._tables.equality import EqualByValues
from sarai._tables.plain import plain
from sarai._tables.tabular import Tabular

_R = TypeVar("_R", bound="ArrayResult")

Range: TypeAlias = Callable[[Game], tuple[float, float | None]]
"""The least and the greatest value of a column; None is no limit."""

_LETTERS = {
    "game": "G",
    "seat": "P",
    "side": "K",
    "decision": "T",
    "cell": "L",
    "action": "A",
    "series": "S",
    "position": "N",
    "seating": "S",
}
"""What the documentation calls the length of each axis."""

_KNOWN: Mapping[str, Callable[[Game], int]] = {
    "seat": lambda game: game.num_players,
    "side": lambda game: max(game.sides) + 1,
    "cell": lambda game: game.observation_shape[0],
    "action": lambda game: game.num_actions,
}
"""The axes whose lengths the game knows."""


@dataclass(frozen=True)
class Array:
    """A column: an array, or with `each` a dict with an array for each statistic of the game.

    Attributes:
        dtype: Its dtype.
        axes: The names of its axes.
        about: What it holds, for the documentation.
        within: The values that it may have.
        label: What tables call it. They leave it out if that is empty, and call statistics by their own names.
        each: Whether it is a dict by statistic.
        into: For offsets the axis whose rows they are: there is one for each place of the first axis, where its rows
            begin, and one more at the end.
        least: The least number of rows between two offsets.
    """

    dtype: np.dtype[Any]
    axes: tuple[str, ...]
    about: str
    within: Range | None
    label: str
    each: bool
    into: str
    least: int

    def __str__(self) -> str:
        """Shape and dtype, as the documentation has them."""
        lengths = [_LETTERS[axis] for axis in self.axes]
        if self.into:
            lengths[0] += " + 1"
        return f"({', '.join(lengths)}{',' * (len(lengths) == 1)}) {self.dtype}"


@dataclass(frozen=True)
class Attribute:
    """Something that is said about how the games were played.

    Attributes:
        about: What it says, for the documentation.
        check: Called with the name, the value and the game: gives the value as it is kept, or raises TypeError or
            ValueError.
        role: "alike" if all parts of a result share it, "first" if it is the number of the first row, "sum" if it adds
            up, "own" if `concatenate` of the class knows.
    """

    about: str
    check: Callable[[str, Any, Game], Any]
    role: str


def anything(name: str, value: Any, game: Game) -> Any:
    """The check of an attribute that takes anything."""
    return value


def column(
    dtype: DTypeLike,
    *axes: str,
    about: str,
    within: Range | None = None,
    label: str = "",
    each: bool = False,
    into: str = "",
    least: int = 0,
) -> dict[str, Any]:
    """The metadata of a field that is a column; see `Array`."""
    return {"declared": Array(np.dtype(dtype), axes, about, within, label, each, into, least)}


def attribute(
    about: str, check: Callable[[str, Any, Game], Any] = anything, role: str = "alike"
) -> dict[str, Any]:
    """The metadata of a field that says how the games were played; see `Attribute`."""
    return {"declared": Attribute(about, check, role)}


def from_zero(game: Game) -> tuple[float, float | None]:
    """Counts."""
    return 0, None


def a_side(game: Game) -> tuple[float, float | None]:
    """A side, or -1 for none."""
    return -1, max(game.sides)


def a_seat(game: Game) -> tuple[float, float | None]:
    """A seat."""
    return 0, game.num_players - 1


def _whole(name: str, value: object, game: Game) -> int:
    return arguments.from_zero(name, value)


AGENTS = attribute(
    "one label per seat: an agent's name, or a policy's `__qualname__`, followed by \"()\" if it is the same as an "
    "agent's name",
    lambda name, value, game: validation.labels(name, value, game.num_players),
)
SEED = attribute("the seed", _whole)
START = attribute(
    "the state from which every game started, as `str(state)` writes it; None for the usual start",
    lambda name, value, game: validation.start(value, game),
)
RANDOM_PLIES = attribute(
    "the number of random decisions at the beginning of each game",
    lambda name, value, game: arguments.random_plies(value),
)
SECONDS = attribute(
    "how long the call took, in seconds of wall-clock time; `==` ignores it",
    lambda name, value, game: validation.time_taken(name, value),
    "sum",
)


def _declared(cls: Any) -> Mapping[str, Array | Attribute]:
    return {each.name: each.metadata["declared"] for each in fields(cls) if "declared" in each.metadata}


# Columns that several results have, each by its axes.
winner = partial(column, np.int8, about="the side that won, -1 for a draw", within=a_side, label="winner")
lengths = partial(
    column, np.int32, about="decisions taken by all seats together", within=from_zero, label="length"
)
digests = partial(
    column,
    np.uint32,
    about="equal for games that ended in the same position after as many decisions and turns with the same "
    "statistics",
    label="digest",
)
returns = partial(column, np.float32, about="the final score of each seat", label="return")
TURNS = column(np.int32, "game", about="turns played", within=from_zero, label="turns")
STATISTICS = column(np.int32, "game", "seat", about="a statistic of the game", within=from_zero, each=True)


def first(of: str) -> dict[str, Any]:
    """The metadata of the field that has the number of the first row."""
    return attribute(f"the number of the first {of}", _whole, "first")


def _with_attributes(doc: str, cls: type[Result]) -> str:
    """The documentation of a class with its attributes, which are said where they are declared."""
    own = {name: found.metadata for name, found in vars(cls).items() if isinstance(found, Field)}
    every = {each.name: each.metadata for each in fields(Result)} | own
    lines = ["Attributes:"]
    for name, metadata in every.items():
        told = metadata.get("declared")
        shape = f"{told}, " if isinstance(told, Array) else ""
        each = "a dict by name; each is " if isinstance(told, Array) and told.each else ""
        about = f"{each}{shape}{told.about if told else metadata['about']}"
        text = f"{name}: {about[0].upper()}{about[1:]}."
        lines.append(textwrap.fill(text, 112, initial_indent="    ", subsequent_indent="        "))
    before, mark, after = doc.partition("\n    Examples:")
    return f"{before.rstrip()}\n\n{textwrap.indent(chr(10).join(lines), '    ')}\n{mark}{after}"


@dataclass(frozen=True, eq=False, repr=False)
class Result(EqualByValues, Tabular, by=()):
    """The base of all results that declare what they hold."""

    game: Game = field(metadata={"about": "the game that was played"})
    agents: tuple[str, ...] = field(metadata=AGENTS)
    seed: int = field(metadata=SEED)

    __hash__ = None  # type: ignore[assignment]  # arrays can change

    def __init_subclass__(cls, *, by: tuple[str, ...]) -> None:
        super().__init_subclass__(by=by)
        if cls.__doc__:
            cls.__doc__ = _with_attributes(cls.__doc__, cls)

    def __post_init__(self) -> None:
        if not isinstance(self.game, Game):
            raise TypeError(f"game must be a sarai.Game, not {type(self.game).__name__}")
        for name, told in self._attributes().items():
            object.__setattr__(self, name, told.check(name, getattr(self, name), self.game))

    @classmethod
    def _attributes(cls) -> dict[str, Attribute]:
        return {name: found for name, found in _declared(cls).items() if isinstance(found, Attribute)}

    def _said(self) -> dict[str, Any]:
        """How the games were played, as JSON can hold it: what equal results share."""
        told = {each.name: getattr(self, each.name) for each in fields(self) if each.compare}
        said = {name: plain(told[name]) for name in self._attributes() if name in told}
        return {"game": str(self.game), **said}

    @property
    def rules(self) -> dict[str, Any]:
        """Every option of the game that was played."""
        return self.game.rules

    @property
    def sides(self) -> tuple[int, ...]:
        """The side of each seat; partners share one."""
        return tuple(self.game.sides)

    @property
    def num_players(self) -> int:
        """P, the number of seats."""
        return self.game.num_players


@dataclass(frozen=True, eq=False, repr=False)
class ArrayResult(Result, by=()):
    """The base of all results that have columns."""

    _KIND: ClassVar[str]
    """What files and the metadata of tables call it."""
    _ROWS: ClassVar[Mapping[str, tuple[str, ...]]]
    """The axes that make the rows of each table."""
    _ALONG: ClassVar[str]
    """The axis along which results are cut and joined."""

    _lengths = MappingProxyType[str, int]({})
    """The length of each axis."""

    def __init_subclass__(cls, *, kind: str, rows: Mapping[str, tuple[str, ...]], along: str) -> None:
        super().__init_subclass__(by=tuple(rows))
        cls._KIND, cls._ROWS, cls._ALONG = kind, rows, along

    def __post_init__(self) -> None:
        super().__post_init__()
        lengths = {axis: length(self.game) for axis, length in _KNOWN.items()}
        for name, array in self._arrays().items():
            for title, values in self._values(name, array):
                _check(title, values, array, lengths, self.game)
        object.__setattr__(self, "_lengths", lengths)
        for name, array in self._arrays().items():
            if array.into:
                rows = lengths[array.into]
                validation.check_offsets(name, getattr(self, name), rows, array.into, array.least)
        arguments.from_zero("the number after the last one", self._first() + lengths[self._ALONG])

    # What is declared.

    @classmethod
    def _arrays(cls) -> dict[str, Array]:
        return {name: found for name, found in _declared(cls).items() if isinstance(found, Array)}

    def _values(self, name: str, array: Array) -> Iterator[tuple[str, Any]]:
        """The arrays of a column, by the names that they have in a file.

        Raises:
            TypeError: What should be a dict is none.
            ValueError: It does not have the statistics of the game.
        """
        found = getattr(self, name)
        if not array.each:
            yield name, found
            return
        if not isinstance(found, dict):
            raise TypeError(f"{name} must be a dict of arrays, not {type(found).__name__}")
        if list(found) != self.game.statistics:
            raise ValueError(
                f"{name} must have the statistics of {self.game.name}, {', '.join(self.game.statistics)}, "
                f"not {arguments.short(list(found))}"
            )
        for statistic, values in found.items():
            yield f"{name}.{statistic}", values

    def _members(self) -> dict[str, NDArray[Any]]:
        """All arrays by the names that they have in a file."""
        return {
            title: values
            for name, array in self._arrays().items()
            for title, values in self._values(name, array)
        }

    def _first(self) -> int:
        """The number of the first row."""
        return next(
            (getattr(self, name) for name, told in self._attributes().items() if told.role == "first"), 0
        )

    def __len__(self) -> int:
        """How many there are of what is numbered: games, series or positions."""
        return self._lengths[self._ALONG]

    # Slices and joining.

    def _cut(self: _R, rows: slice) -> _R:
        """The result of some rows that follow one another; its arrays are views."""
        if not isinstance(rows, slice):
            raise TypeError(
                f"a {self._KIND} takes a slice of {self._ALONG}s, such as [0:1], not {type(rows).__name__}; "
                "to_pandas().iloc takes single rows and lists"
            )
        begin, end, step = rows.indices(len(self))
        if step != 1:
            raise ValueError(
                f"a slice must have consecutive {self._ALONG}s, got a step of {arguments.in_words(step)}"
            )
        end = max(begin, end)
        where = {self._ALONG: slice(begin, end)}
        changed: dict[str, Any] = {}
        for name, array in self._arrays().items():
            if array.into:
                offsets = getattr(self, name)[begin : end + 1]
                where[array.into] = slice(int(offsets[0]), int(offsets[-1]))
                changed[name] = offsets - offsets[0]
        for name, array in self._arrays().items():
            if not array.into:
                found, here = getattr(self, name), where[array.axes[0]]
                changed[name] = (
                    {key: values[here] for key, values in found.items()} if array.each else found[here]
                )
        for name, told in self._attributes().items():
            if told.role == "first":
                changed[name] = getattr(self, name) + begin
        return self._with(changed)

    def _with(self: _R, changed: dict[str, Any]) -> _R:
        """The same with some fields changed."""
        return replace(self, **changed)

    @classmethod
    def _alike(cls: type[_R], parts: Iterable[_R]) -> list[_R]:
        """The parts of a result, which were played alike and follow one another.

        Raises:
            TypeError: A part is of another kind.
            ValueError: There are no parts; or with the first part that does not belong.
        """
        if isinstance(parts, ArrayResult) or not isinstance(parts, Iterable):
            raise TypeError(f"parts must be a list of {cls.__name__} objects, not {type(parts).__name__}")
        parts = list(parts)
        if not parts:
            raise ValueError(f"there is nothing to join: give at least one {cls.__name__}")
        for place, part in enumerate(parts):
            if not isinstance(part, cls):
                raise TypeError(f"part {place} must be a {cls.__name__}, not {type(part).__name__}")
        start = parts[0]
        shared = ["game", *(name for name, told in cls._attributes().items() if told.role == "alike")]
        following = start._first()
        for place, part in enumerate(parts):
            for name in shared:
                here, value = getattr(part, name), getattr(start, name)
                if here != value:
                    raise ValueError(
                        f"part {place} has {name} {longer(here)}, but part 0 has {longer(value)}: parts must be "
                        "played in the same way"
                    )
            if part._first() != following:
                raise ValueError(
                    f"part {place} begins with {cls._ALONG} {part._first()}, but {cls._ALONG} {following} is next: "
                    "give the parts in order, without gaps"
                )
            following += len(part)
        return parts

    @classmethod
    def _joined(cls: type[_R], parts: list[_R], **changed: Any) -> _R:
        """The result whose parts these are."""
        for name, array in cls._arrays().items():
            found = [getattr(part, name) for part in parts]
            if array.into:
                ends = np.cumsum([0, *(int(part[-1]) for part in found)])
                shifted = [part[1:] + end for part, end in zip(found, ends, strict=False)]
                changed[name] = np.concatenate([found[0][:1], *shifted])
            elif array.each:
                changed[name] = {key: np.concatenate([part[key] for part in found]) for key in found[0]}
            else:
                changed[name] = np.concatenate(
                    found, axis=array.axes.index(cls._ALONG) if cls._ALONG in array.axes else 0
                )
        for name, told in cls._attributes().items():
            if told.role == "sum":
                changed[name] = sum(getattr(part, name) for part in parts)
        return parts[0]._with(changed)

    @classmethod
    def concatenate(cls: type[_R], parts: Iterable[_R]) -> _R:
        """Join results that were played alike and follow one another; policies are compared by label.

        The result equals one whose games are all played in one call; its seconds are the sum over the parts.

        Raises:
            TypeError: A part is something else.
            ValueError: There are no parts, the parts were played differently, or one does not begin where the previous
                one ends.
        """
        return cls._joined(cls._alike(parts))

    # Files.

    def _check_rules(self) -> None:
        """Hold the arrays against the rules of the game.

        Raises:
            ValueError: They contradict them.
        """

    def save(self, path: npz.StrPath) -> None:
        """Write a compressed numpy .npz to exactly this path, either completely or not at all.

        Besides the arrays, the file holds "metadata", a JSON text. Both `sarai.load` and `numpy.load` can read it.

        Raises:
            OSError: The file cannot be written; an existing file is left as it was.
            TypeError: The path is neither a str nor a path object.
            ValueError: The arrays have been changed so that they contradict the rules, and could not be loaded again.
        """
        path = arguments.path(path)
        self.__post_init__()
        self._check_rules()
        rows, members = self._stored()
        told = {name: getattr(self, name) for name in self._attributes()}
        npz.write(path, self._KIND, {"game": str(self.game), **told, "rows": rows}, members)

    def _stored(self) -> tuple[dict[str, int], dict[str, NDArray[Any]]]:
        """What a file has: the lengths that the game does not know, and the arrays."""
        return {axis: self._lengths[axis] for axis in self._axes()}, self._members()

    def _restored(self: _R, found: dict[str, NDArray[Any]]) -> _R:
        """The result with what a file has beside its columns."""
        return self

    @classmethod
    def load(cls: type[_R], path: npz.StrPath) -> _R:
        """Read what `save` or the command line wrote. Nothing in the file is ever executed.

        Raises:
            OSError: The file cannot be read; if it does not exist, this is a FileNotFoundError.
            TypeError: The path is neither a str nor a path object.
            ValueError: The file holds another kind of result, is damaged, or contradicts the rules.

        Examples:
            >>> import sarai
            >>> sarai.results.Rollout.load("no_such_file.npz")
            Traceback (most recent call last):
            ...
            FileNotFoundError: [Errno 2] No such file or directory: 'no_such_file.npz'
        """
        with npz.reading(path, cls._KIND) as file:
            return cls._read(file)

    @classmethod
    def _axes(cls) -> list[str]:
        """The axes whose lengths the game does not know."""
        axes = (axis for array in cls._arrays().values() if not array.into for axis in array.axes)
        return [axis for axis in dict.fromkeys((cls._ALONG, *axes)) if axis not in _KNOWN]

    @classmethod
    def _read(cls: type[_R], file: npz.File) -> _R:
        """What `save` wrote, checked."""
        told = file.fields(["game", *cls._attributes(), "rows"])
        game, rows = told.pop("game"), told.pop("rows")
        if not isinstance(game, str):
            raise ValueError("its metadata does not name a game")
        game = make(game)
        axes = cls._axes()
        if not isinstance(rows, dict) or sorted(rows) != sorted(axes):
            raise ValueError(f"its metadata must have rows of {', '.join(axes)}, not {arguments.short(rows)}")
        lengths = {axis: length(game) for axis, length in _KNOWN.items()}
        lengths |= {axis: arguments.from_zero(axis, length, npz.MAX_ROWS) for axis, length in rows.items()}
        found = file.arrays(cls._layout(game, lengths))
        given: dict[str, Any] = {
            name: tuple(value) if isinstance(value, list) else value for name, value in told.items()
        }
        for name, array in cls._arrays().items():
            given[name] = (
                {statistic: found[f"{name}.{statistic}"] for statistic in game.statistics}
                if array.each
                else found[name]
            )
        result = cls(game=game, **given)
        result = result._restored(found)
        result._check_rules()
        return result

    @classmethod
    def _layout(cls, game: Game, lengths: Mapping[str, int]) -> npz.Layout:
        """The arrays of a file."""
        return {
            f"{name}.{statistic}" if array.each else name: (
                array.dtype,
                (lengths[array.axes[0]] + bool(array.into), *(lengths[axis] for axis in array.axes[1:])),
            )
            for name, array in cls._arrays().items()
            for statistic in (game.statistics if array.each else [""])
        }

    # Tables.

    def _places(self, by: str) -> dict[str, Column]:
        """The columns that say where each row of a table stands."""
        raise NotImplementedError

    def _table(self, by: str) -> Table:
        axes = self._ROWS[by]
        rows = prod(self._lengths[axis] for axis in axes)
        columns: dict[str, Column] = {
            "game": Labels.same(str(self.game), rows),
            "seed": same(self.seed, rows, np.uint64),
            **self._places(by),
        }
        for name, array in self._arrays().items():
            if not (array.label or array.each):
                continue
            found = getattr(self, name)
            for label, values in found.items() if array.each else [(array.label, found)]:
                if array.axes == axes[: len(array.axes)]:
                    times = prod(self._lengths[axis] for axis in axes[len(array.axes) :])
                    flat = values.reshape(-1)
                    columns[label] = flat if times == 1 else np.repeat(flat, times)
                elif array.axes[: len(axes)] == axes:
                    flat = values.reshape(rows, prod(values.shape[len(axes) :]))
                    if array.each:
                        columns[label] = flat.sum(axis=1, dtype=array.dtype)
                    if array.axes[-1] in ("seat", "side"):
                        columns |= {f"{label}_{seat}": flat[:, seat] for seat in range(flat.shape[1])}
                    else:
                        columns[label] = flat
        return Table(self._KIND, columns, {**self._said(), "by": by})

    def _agents_of(self, rows: int) -> dict[str, Column]:
        """Who played each seat, in columns of their own."""
        return {f"agent_{seat}": Labels.same(agent, rows) for seat, agent in enumerate(self.agents)}

    def _numbers(self, times: int | NDArray[np.int64] = 1) -> NDArray[Any]:
        """The numbers of games, series or positions, each so many times."""
        return np.repeat(np.uint64(self._first()) + np.arange(len(self), dtype=np.uint64), times)

    # Words.

    def __repr__(self) -> str:
        shown = [
            f"{field.name}={getattr(self, field.name)!r}"
            for field in fields(self)
            if field.name in self._attributes()
            and field.compare
            and getattr(self, field.name) != field.default
        ]
        return f"{type(self).__name__}({', '.join([repr(str(self.game)), *self._amounts(), *shown])})"

    def _amounts(self) -> list[str]:
        """How much there is, in words."""
        axes = [axis for axis in self._axes() if axis in self._lengths]
        return [counted(self._lengths[axis], axis, axis if axis == "series" else "") for axis in axes]

    def _repr_html_(self) -> str:
        """What the arrays are, for notebooks."""
        about = {name: array.about for name, array in self._arrays().items()}
        rows = [
            (
                title,
                " x ".join(f"{length:,}" for length in array.shape),
                str(array.dtype),
                about[title.split(".")[0]],
            )
            for title, array in self._members().items()
        ]
        amounts = ", ".join([*self._amounts(), f"seed {self.seed}"])
        return (
            notebook.heading(f"{self.game}: {amounts}, from {self._ALONG} {self._first():,} on")
            + notebook.table(("array", "shape", "dtype", "holds"), rows, text_columns=4)
            + notebook.line(
                "agents: " + ", ".join(f"{seat}: {agent}" for seat, agent in enumerate(self.agents))
            )
        )


def _check(title: str, values: object, array: Array, lengths: dict[str, int], game: Game) -> None:
    """Hold an array to its declaration; lengths that were not known before are known then."""
    name = title.replace(".", "[", 1) + "]" if array.each else title
    more = bool(array.into)
    shape = [lengths.get(axis) for axis in array.axes]
    if more:
        shape[0] = None if shape[0] is None else shape[0] + 1
    found = validation.array(name, values, array.dtype, tuple(shape))
    for place, axis in enumerate(array.axes):
        lengths.setdefault(axis, found.shape[place] - (more and place == 0))
    if array.within is not None:
        validation.check_range(name, found, *array.within(game))
