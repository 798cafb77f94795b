"""`Dataset.batches`: every row once, in an order that the seed fixes, in bounded memory."""

from __future__ import annotations

import shutil
import sys
import weakref
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import sarai
from helpers.folders import part_files
from helpers.refusals import refused
from sarai._datasets import reading

pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")

GAME = "shah(max_turns=12)"
GAMES, CHUNK = 60, 7
AGENTS = ["greedy", "random"]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> sarai.datasets.Dataset:
    folder = tmp_path_factory.mktemp("batches") / "d"
    how: dict[str, Any] = {"what": "trajectories", "chunk_games": CHUNK, "seed": 3, "random_plies": 1}
    return sarai.dataset(GAME, AGENTS, GAMES, out=folder, **how)


@pytest.fixture(scope="module")
def whole() -> sarai.results.Trajectories:
    return sarai.trajectories(GAME, AGENTS, GAMES, seed=3, random_plies=1)


def rows_of(batch: dict[str, Any]) -> list[tuple[int, int]]:
    return list(zip(batch["number"].tolist(), batch["decision"].tolist(), strict=True))


@pytest.mark.parametrize("size", [1, 100, 10_000])
def test_batches_hold_what_was_played(
    made: sarai.datasets.Dataset, whole: sarai.results.Trajectories, size: int
) -> None:
    batches = list(made.batches(batch_size=size))
    lengths = [len(batch["action"]) for batch in batches]
    assert lengths[:-1] == [size] * (len(lengths) - 1)
    assert sum(lengths) == whole.num_decisions
    found = {name: np.concatenate([batch[name] for batch in batches]) for name in batches[0]}
    assert found["observation"].dtype == np.int8
    assert np.array_equal(found["observation"], whole.observations)
    assert found["mask"].dtype == np.bool_
    assert np.array_equal(found["mask"], whole.masks)
    assert np.array_equal(found["action"], whole.actions)
    table = whole.to_arrow()
    texts = {"game", "agent"}
    assert list(found) == [name for name in table.column_names if name not in texts]
    for name in set(found) - {"mask"}:
        assert found[name].tolist() == table[name].to_pylist(), name
    # Each array is the caller's own.
    for batch in batches[:3]:
        for values in batch.values():
            assert values.flags.writeable
            assert values.flags.c_contiguous
            values.fill(0)
    assert np.array_equal(next(made.batches(["action"]))["action"][:50], whole.actions[:50])


def test_texts_come_by_name(made: sarai.datasets.Dataset, whole: sarai.results.Trajectories) -> None:
    batch = next(made.batches(["agent", "game"], batch_size=whole.num_decisions))
    assert list(batch) == ["agent", "game"]
    assert batch["agent"].tolist() == whole.to_arrow()["agent"].to_pylist()
    assert set(batch["game"].tolist()) == {str(made.game)}


@pytest.mark.parametrize("rows", [1, 300, 10**6])
def test_a_shuffle_has_every_row_once_with_what_belongs_to_it(
    made: sarai.datasets.Dataset, whole: sarai.results.Trajectories, rows: int
) -> None:
    batches = list(made.batches(batch_size=64, shuffle=True, seed=5, shuffle_rows=rows))
    order = [row for batch in batches for row in rows_of(batch)]
    assert len(order) == whole.num_decisions
    assert sorted(order) == sorted(set(order))
    assert order != sorted(order)
    begins = dict(enumerate(whole.offsets.tolist()))
    for batch in batches:
        places = [begins[number] + decision for number, decision in rows_of(batch)]
        assert np.array_equal(batch["observation"], whole.observations[places])
        assert np.array_equal(batch["action"], whole.actions[places])


def test_the_seed_fixes_the_order(made: sarai.datasets.Dataset) -> None:
    def order(**how: Any) -> list[tuple[int, int]]:
        found = made.batches(["number", "decision"], shuffle=True, **{"shuffle_rows": 300, **how})
        return [row for batch in found for row in rows_of(batch)]

    first = order(seed=1)
    assert order(seed=1, batch_size=7) == first
    assert order(seed=2) != first
    assert order(seed=1, shuffle_rows=10) != first


def test_the_order_is_the_same_everywhere(tmp_path: Path) -> None:
    made = sarai.dataset("sho", num_games=12, out=tmp_path / "d", chunk_games=2, seed=1)
    found = made.batches(["number"], shuffle=True, seed=2**63, shuffle_rows=5)
    # As it was when this was written: on another machine, or with another version of NumPy, it must not change.
    assert [number for batch in found for number in batch["number"].tolist()] == [
        5,
        3,
        4,
        2,
        6,
        7,
        0,
        10,
        1,
        8,
        11,
        9,
    ]


def test_shards_together_have_every_row_once(made: sarai.datasets.Dataset) -> None:
    for shuffle in (False, True):
        shards = [
            [
                row
                for batch in made.batches(shard=(index, 4), shuffle=shuffle, seed=9)
                for row in rows_of(batch)
            ]
            for index in range(4)
        ]
        assert all(shards)
        assert sorted(chain(*shards)) == [row for batch in made.batches() for row in rows_of(batch)]
    assert list(made.batches(shard=(50, 51))) == []


def test_the_last_batch_is_short_or_dropped(made: sarai.datasets.Dataset) -> None:
    size = made.num_rows // 2 - 1
    assert [len(batch["seat"]) for batch in made.batches(batch_size=size)] == [
        size,
        size,
        made.num_rows - 2 * size,
    ]
    assert [len(batch["seat"]) for batch in made.batches(batch_size=size, drop_last=True)] == [size, size]
    assert list(made.batches(batch_size=made.num_rows + 1, drop_last=True)) == []


@pytest.mark.parametrize(("shuffle", "rows"), [(False, 1), (True, 1), (True, 200)])
def test_memory_holds_no_more_than_was_said(
    made: sarai.datasets.Dataset, monkeypatch: pytest.MonkeyPatch, shuffle: bool, rows: int
) -> None:
    tables: list[weakref.ref[Any]] = []
    read, taken = 0, 0
    largest = max(part.rows for part in made.parts)
    usual = reading.read

    def counted(*given: Any) -> Any:
        nonlocal read
        table = usual(*given)
        read += table.num_rows
        tables.append(weakref.ref(table))
        return table

    monkeypatch.setattr(reading, "read", counted)
    for batch in made.batches(batch_size=50, shuffle=shuffle, shuffle_rows=rows):
        taken += len(batch["action"])
        assert read - taken < rows + largest
        alive = [table for table in (one() for one in tables) if table is not None]
        assert sum(table.num_rows for table in alive) <= largest
        del alive
    assert read == taken == made.num_rows


def test_rollouts_have_batches_too(tmp_path: Path) -> None:
    made = sarai.dataset("sho", num_games=50, out=tmp_path / "d", chunk_games=20, seed=1)
    played = sarai.rollout("sho", num_games=50, seed=1)
    found = list(made.batches(["winner", "return_2"], batch_size=30))
    assert [len(batch["winner"]) for batch in found] == [30, 20]
    assert np.array_equal(np.concatenate([batch["winner"] for batch in found]), played.winner)
    assert np.array_equal(np.concatenate([batch["return_2"] for batch in found]), played.returns[:, 2])


def test_bad_arguments_are_refused_before_anything_is_read(made: sarai.datasets.Dataset) -> None:
    values: dict[str, list[object]] = {
        "columns": [["actions"], [], ["action", "mesk"]], "batch_size": [0, -1, 2**31], "seed": [-1, 2**64],
        "as_": ["jax"], "shard": [(2, 2), (-1, 2), (0, 0)], "shuffle_rows": [0],
    }  # fmt: skip
    types: dict[str, list[object]] = {
        "columns": ["action", 3, [3]], "batch_size": [2.5, True], "seed": [None], "as_": [np],
        "shard": [1, (1, 2, 3), [0, 1], (0.5, 2)], "shuffle_rows": ["x"], "shuffle": [1], "drop_last": ["yes"],
    }  # fmt: skip
    refused(lambda **given: made.batches(**given), values, types)


def test_without_torch_tensors_are_refused_at_once(
    made: sarai.datasets.Dataset, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(ImportError, match="pip install torch"):
        made.batches(as_="torch")


@pytest.fixture
def copied(made: sarai.datasets.Dataset, tmp_path: Path) -> Path:
    return Path(shutil.copytree(made.folder, tmp_path / "copy"))


@pytest.mark.parametrize("fault", ["truncated", "flipped", "empty", "of another"])
def test_a_damaged_part_is_named(copied: Path, fault: str) -> None:
    opened = sarai.open_dataset(copied)
    _, part, other, *_ = part_files(copied)
    whole = part.read_bytes()
    group = pq.read_metadata(part).row_group(0)
    place = next(
        column.data_page_offset + column.total_compressed_size - 50
        for column in map(group.column, range(group.num_columns))
        if column.path_in_schema == "observation"
    )
    part.write_bytes(
        {
            "truncated": whole[:-1],
            "flipped": whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :],
            "empty": b"",
            "of another": other.read_bytes() if opened.parts[1].rows != opened.parts[2].rows else b"x",
        }[fault]
    )
    for read in (lambda: list(opened.batches()), lambda: pa.RecordBatchReader.from_stream(opened).read_all()):
        with pytest.raises((ValueError, pa.ArrowException), match=f"{part.name} is damaged"):
            read()


def test_a_part_that_goes_missing_is_named(copied: Path) -> None:
    opened = sarai.open_dataset(copied)
    part_files(copied)[2].unlink()
    with pytest.raises(FileNotFoundError, match="part-00000002"):
        list(opened.batches())


def test_parts_with_lists_of_earlier_versions_are_read(
    copied: Path, whole: sarai.results.Trajectories
) -> None:
    new = {"return", "last_of_seat", "last_of_game", "final_observation"}
    for part in part_files(copied):
        table = pq.read_table(part)
        lists = reading.arrow.viewed(table, reading.arrow.unpacked(table.schema))
        pq.write_table(lists.drop_columns(sorted(new)), part)
    opened = sarai.open_dataset(copied)
    batches = list(opened.batches(batch_size=100))
    assert not new & set(batches[0])
    assert np.array_equal(np.concatenate([batch["mask"] for batch in batches]), whole.masks)
    stream = pa.RecordBatchReader.from_stream(opened).read_all()
    assert stream.equals(whole.to_arrow().drop_columns(sorted(new)))
    with pytest.raises(ValueError, match="earlier version of Sarai"):
        opened.to_minari("test/shah-v0")
