"""Datasets that are there: what they are, their parts, and whether these are whole."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from sarai._base import arguments
from sarai._base.progress import ProgressOption, shown
from sarai._core import Game
from sarai._datasets import card, manifest, reading
from sarai._datasets.parts import Part, digest, found_in
from sarai._game import make
from sarai._tables import arrow, notebook

if TYPE_CHECKING:
    import minari
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

    def batches(
        self,
        columns: Sequence[str] | None = None,
        *,
        batch_size: int = 4096,
        shuffle: bool = False,
        seed: int = 0,
        as_: str = "numpy",
        drop_last: bool = False,
        shard: tuple[int, int] = (0, 1),
        shuffle_rows: int = reading.SHUFFLE_ROWS,
    ) -> Iterator[dict[str, Any]]:
        """All rows once, in batches, for training. Memory holds `shuffle_rows` rows, or one row group.

        A batch is a dict by column of new, writable arrays with n rows: numbers as (n,) in the dtype of the table,
        observations as (n, L) int8, masks as (n, A) bool, texts as (n,) str. Without `shuffle`, rows come in the order
        of the games.

        With `shuffle`, row groups (131,072 rows or fewer) are read in random order, and the rows of as many as have
        `shuffle_rows` rows are permuted together: this is no uniform permutation of all rows. The order depends only on
        the dataset, the seed, the shard and `shuffle_rows`, on any machine; use another seed for each epoch.

        Args:
            columns: The columns to read, as the table names them; None reads all but texts (game and agents).
            batch_size: n; the last batch may be shorter.
            shuffle: Whether to shuffle the rows.
            seed: The seed of the shuffle, 0 to 2**64 - 1.
            as_: "numpy", or "torch" for tensors that share the memory of the arrays; they cannot hold texts.
            drop_last: Whether to leave out a last batch that is shorter.
            shard: (i, k) reads every k-th row group, from the i-th on; the k shards together have every row once.
            shuffle_rows: The number of rows that are permuted together, at least.

        Raises:
            ValueError: A column is unknown, a number is out of range, or, while reading, a part is damaged.
            TypeError: An argument has the wrong type.
            ImportError: pyarrow is not installed, or torch.
            OSError: A part cannot be read.

        Examples:
            >>> import sarai, tempfile
            >>> with tempfile.TemporaryDirectory() as folder:
            ...     made = sarai.dataset("shah", num_games=20, out=folder, what="trajectories", seed=1)
            ...     found = made.batches(["observation", "mask", "action", "return"], batch_size=256, shuffle=True)
            ...     batch = next(found)
            >>> {name: (values.shape, str(values.dtype)) for name, values in batch.items()}
            {'observation': ((256, 113), 'int8'), 'mask': ((256, 136), 'bool'), 'action': ((256,), 'int32'),
             'return': ((256,), 'float32')}

            >>> made.batches(batch_size=0)
            Traceback (most recent call last):
            ...
            ValueError: batch_size got 0; it takes 1 to ...
        """
        as_ = arguments.one_of("as_", as_, ("numpy", "torch"))
        size = arguments.between("batch_size", batch_size, 1, reading.MAX_ROWS)
        rows = arguments.between("shuffle_rows", shuffle_rows, 1, reading.MAX_ROWS)
        drop = arguments.flag("drop_last", drop_last)
        seed = arguments.from_zero("seed", seed)
        # RandomState is the generator whose permutations no version of NumPy changes.
        order = np.random.RandomState(np.random.MT19937(seed)) if arguments.flag("shuffle", shuffle) else None
        if not isinstance(shard, tuple) or len(shard) != 2:
            raise TypeError(f"shard must be (i, k), for the i-th of k shards, not {arguments.short(shard)}")
        count = arguments.between("the number of shards", shard[1], 1, reading.MAX_ROWS)
        index = arguments.between("shard", shard[0], 0, count - 1)
        names = reading.chosen(columns, self._schema(), as_)

        def arrays() -> Iterator[reading.Arrays]:
            groups = reading.groups(self.folder, self.parts)
            if order is not None:
                groups = [groups[place] for place in order.permutation(len(groups))]
            yield from reading.batches(groups[index::count], names, size, order, rows, drop)

        return arrays() if as_ == "numpy" else reading.tensors(arrays())

    def _schema(self) -> pyarrow.Schema:
        with reading.opened(self.paths[0]) as file:
            return arrow.unpacked(file.schema_arrow)

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """All rows as an Arrow stream; one row group is in memory at a time.

        Raises:
            ImportError: pyarrow is not installed.
            OSError: A part cannot be read.
            ValueError: A part is damaged.
        """
        pa = arrow.arrow()

        def batches() -> Iterator[pyarrow.RecordBatch]:
            for group in reading.groups(self.folder, self.parts):
                yield from reading.read(group).to_batches()

        reader = pa.RecordBatchReader.from_batches(self._schema(), batches())
        found: object = reader.__arrow_c_stream__(requested_schema)
        return found

    def to_pyarrow(self) -> pyarrow.dataset.Dataset:
        """The parts as a pyarrow.dataset.Dataset, which reads lazily; observations and masks are bytes.

        Raises:
            ImportError: pyarrow is not installed.
        """
        arrow.arrow()
        import pyarrow.dataset

        return pyarrow.dataset.dataset(self.paths, format="parquet")

    def to_polars(self) -> polars.LazyFrame:
        """The parts as a polars.LazyFrame, which reads lazily; observations and masks are bytes.

        Raises:
            ImportError: polars is not installed.
        """
        try:
            import polars
        except ImportError as error:
            raise ImportError("to_polars() needs polars: pip install polars") from error
        return polars.scan_parquet(self.paths)

    def to_minari(
        self, dataset_id: str, *, seat: int | None = None, progress: ProgressOption = False
    ) -> minari.MinariDataset:
        """Write the decisions as a local dataset of Minari (0.5 or newer), which `minari.load_dataset` loads.

        An episode is one game as one seat sees it, as in the Gymnasium environment "sarai/Shah-v0": the n decisions of
        the seat, n + 1 observations (the last one when the game is over), and the other seats as part of the
        environment. Observations are dicts of "observation" and "action_mask"; rewards are 0 but the last, which is the
        return of the seat; the last step terminates, and none is truncated. The metadata of an episode has the number
        of its game, its seat and agent. A seat that never decided in a game has no episode of it.

        Args:
            dataset_id: Minari's name for it, such as "sarai/shah-greedy-v0"; it must be new. It is written where Minari
                keeps its datasets: in MINARI_DATASETS_PATH, or ~/.minari/datasets.
            seat: The seat whose episodes to write; None writes those of every seat. With a seat, and agents of the
                engine for the others, Minari can recover the environment.
            progress: As `sarai.rollout` takes it; told of games.

        Returns:
            The dataset of Minari.

        Raises:
            ValueError: The name is taken or not of this form; the seat does not exist; the dataset has no decisions
                (what="trajectories") or no final observations; or a part is damaged.
            TypeError: An argument has the wrong type.
            ImportError: minari, h5py or pillow is not installed.
            OSError: A file cannot be read or written.
        """
        from sarai._datasets import to_minari

        return to_minari.write(self, dataset_id, seat, progress)

    def card(self) -> str:
        """The text of a dataset card for the Hugging Face Hub: a README.md that says how the data was made.

        Its head has the tags, the size and the files for `datasets.load_dataset`; add a license before you publish it.
        `sarai dataset card` writes it.

        Raises:
            ImportError: pyarrow is not installed.
            OSError: A part cannot be read.
            ValueError: A part is damaged.
        """
        return card.text(self)


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
