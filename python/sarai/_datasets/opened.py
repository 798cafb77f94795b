"""Datasets that are there: what they are, their parts, and whether these are whole."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from sarai._base import arguments
from sarai._base.progress import ProgressOption, shown
from sarai._core import Game
from sarai._datasets import manifest
from sarai._datasets.parts import Part, digest, found_in
from sarai._game import make
from sarai._tables import arrow, notebook

if TYPE_CHECKING:
    import polars
    import pyarrow
    import pyarrow.dataset


class Dataset:
    """A finished dataset in a folder. Only the list of its parts is in memory.

    Made by `sarai.dataset` and `sarai.open_dataset`. Polars, DuckDB and pyarrow take `paths`; any reader of Arrow
    streams takes the dataset itself, part by part.

    Attributes:
        folder: The folder, as an absolute path.
        asked: The arguments that made it: "what", "game", "agents", "seed", "first_game", "num_games", "chunk_games",
            "start" and "random_plies".
        made_with: The versions of Sarai and pyarrow that made it.
        parts: The parts in order, each a `Part`.
    """

    def __init__(
        self, folder: str, asked: dict[str, Any], made_with: dict[str, str], parts: tuple[Part, ...]
    ) -> None:
        self.folder = folder
        self.asked = asked
        self.made_with = made_with
        self.parts = parts

    @property
    def paths(self) -> list[str]:
        """The files, in order."""
        return [os.path.join(self.folder, part.file) for part in self.parts]

    @property
    def game(self) -> Game:
        """The game that was played."""
        return make(self.asked["game"])

    @property
    def agents(self) -> tuple[str, ...]:
        """One label per seat."""
        return tuple(self.asked["agents"])

    @property
    def seed(self) -> int:
        """The seed."""
        return int(self.asked["seed"])

    @property
    def num_games(self) -> int:
        """The number of games."""
        return int(self.asked["num_games"])

    @property
    def num_rows(self) -> int:
        """The number of rows: games of a rollout, decisions of trajectories."""
        return sum(part.rows for part in self.parts)

    @property
    def num_bytes(self) -> int:
        """The length of all files together."""
        return sum(part.bytes for part in self.parts)

    def __eq__(self, other: object) -> bool:
        """Whether it is the same data, whatever its folder: the digests of all parts are equal."""
        if not isinstance(other, Dataset):
            return NotImplemented
        return (self.asked, self.parts) == (other.asked, other.parts)

    __hash__ = None  # type: ignore[assignment]  # it has a dict

    def __repr__(self) -> str:
        return (
            f"Dataset({self.folder!r}, {self.asked['what']!r}, {self.asked['game']!r}, {self.num_games:,} games, "
            f"{len(self.parts):,} parts)"
        )

    def _repr_html_(self) -> str:
        asked = self.asked
        rows = [
            ("games", f"{self.num_games:,}, from game {asked['first_game']:,} of seed {asked['seed']} on"),
            ("agents", ", ".join(asked["agents"])),
            ("rows", f"{self.num_rows:,}"),
            ("parts", f"{len(self.parts):,}, {self.num_bytes:,} bytes"),
            ("folder", self.folder),
        ]
        title = notebook.heading(f"{asked['game']}: a dataset of {asked['what']}")
        return title + notebook.table(("", ""), rows, text_columns=2)

    def verify(self, *, progress: ProgressOption = False) -> list[str]:
        """Read every part and compare its digest; return a sentence for each problem.

        `sarai.dataset` with the same arguments repairs missing or damaged parts.

        Args:
            progress: As `sarai.rollout` takes it; told of games.

        Raises:
            OSError: A part cannot be read.
            KeyboardInterrupt: Ctrl-C.
        """
        wrong, done = [], 0
        known = {part.file for part in self.parts}
        with shown(progress, "verify", self.num_games) as report:
            for part, path in zip(self.parts, self.paths, strict=True):
                if not os.path.exists(path):
                    wrong.append(f"{part.file} is missing")
                elif os.path.getsize(path) != part.bytes:
                    wrong.append(f"{part.file} has {os.path.getsize(path):,} bytes instead of {part.bytes:,}")
                elif digest(path) != part.sha256:
                    wrong.append(f"{part.file} is damaged: its digest is another")
                done += part.games
                if report is not None:
                    report(done)
        for files in found_in(os.listdir(self.folder)).values():
            wrong += [f"{file} is no part of the dataset" for file in files if file not in known]
        return wrong

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """All rows as an Arrow stream; one row group is in memory at a time.

        Raises:
            ImportError: pyarrow is not installed.
            OSError: A part cannot be read.
        """
        pa = arrow.arrow()
        import pyarrow.parquet

        def batches() -> Iterator[pyarrow.RecordBatch]:
            for path in self.paths:
                with pyarrow.parquet.ParquetFile(path) as file:
                    for group in range(file.num_row_groups):
                        yield from file.read_row_group(group).to_batches()

        schema = pyarrow.parquet.read_schema(self.paths[0])
        reader = pa.RecordBatchReader.from_batches(schema, batches())
        found: object = reader.__arrow_c_stream__(requested_schema)
        return found

    def to_pyarrow(self) -> pyarrow.dataset.Dataset:
        """The parts as a pyarrow.dataset.Dataset, which reads lazily.

        Raises:
            ImportError: pyarrow is not installed.
        """
        arrow.arrow()
        import pyarrow.dataset

        return pyarrow.dataset.dataset(self.paths, format="parquet")

    def to_polars(self) -> polars.LazyFrame:
        """The parts as a polars.LazyFrame, which reads lazily.

        Raises:
            ImportError: polars is not installed.
        """
        try:
            import polars
        except ImportError as error:
            raise ImportError("to_polars() needs polars: pip install polars") from error
        return polars.scan_parquet(self.paths)


def open_dataset(folder: arguments.StrPath) -> Dataset:
    """The dataset in a folder. Only its manifest is read; `Dataset.verify` reads the rest.

    Args:
        folder: What `sarai.dataset` or `sarai dataset` wrote into.

    Raises:
        OSError: It cannot be read; if there is no manifest, this is a FileNotFoundError.
        TypeError: The folder is neither a str nor a path object.
        ValueError: The dataset is not finished, a part is missing, or the manifest is damaged or of another version.

    Examples:
        >>> import sarai, tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     made = sarai.dataset("sho", num_games=1000, out=folder, chunk_games=500, seed=0)
        ...     sarai.open_dataset(folder) == made
        True

        >>> sarai.open_dataset("no_such_folder")
        Traceback (most recent call last):
        ...
        FileNotFoundError: [Errno 2] No such folder: '...no_such_folder'
    """
    path = os.path.abspath(arguments.path(folder))
    found = manifest.read(path)
    seed = found.asked["seed"]
    again = f"run `sarai.dataset` with the same arguments and seed={seed} again, which makes what is missing"
    if found.parts is None:
        made = len(found_in(os.listdir(path)))
        raise ValueError(
            f"the dataset in {path!r} is not finished: it has {made:,} of {found.num_parts:,} parts; {again}"
        )
    for part in found.parts:
        if not os.path.exists(os.path.join(path, part.file)):
            raise ValueError(f"{part.file} is missing in {path!r}: {again}")
    return Dataset(path, found.asked, found.made_with, found.parts)
