"""`sarai.dataset`: what it holds, that its bytes are always the same, and what it refuses."""

from __future__ import annotations

import json
import os
import shutil
from concurrent import futures
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import sarai
from helpers.folders import content, part_files
from helpers.refusals import refused
from sarai import _cli as cli
from sarai._cli import hints
from sarai._datasets import executors

pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")

GAMES, CHUNK = 500, 120
SHORT = "sho(coins=1,num_shells=16)"


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("datasets") / "undisturbed"
    make(folder)
    return folder


def make(folder: Path, **how: Any) -> sarai.datasets.Dataset:
    given = {"game": SHORT, "num_games": GAMES, "chunk_games": CHUNK, "seed": 3, **how}
    return sarai.dataset(out=folder, **given)


def told_by(folder: Path) -> dict[str, Any]:
    told: dict[str, Any] = json.loads(
        pq.read_schema(folder / "_manifest.parquet").metadata[b"sarai.manifest"]
    )
    return told


def tell(folder: Path, told: object) -> None:
    """Put another manifest in place of the folder's, in the form of earlier versions, which is plain JSON."""
    (folder / "_manifest.parquet").unlink(missing_ok=True)
    (folder / "manifest.json").write_text(json.dumps(told))


@pytest.fixture
def copied(undisturbed: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(undisturbed, tmp_path / "copy"))


def test_a_rollout_in_parts(undisturbed: Path) -> None:
    found = sarai.open_dataset(undisturbed)
    whole = sarai.rollout(SHORT, num_games=GAMES, seed=3).to_arrow()
    chunks = [(0, 120), (120, 120), (240, 120), (360, 120), (480, 20)]
    assert [(part.first_game, part.games) for part in found.parts] == chunks
    assert found.num_rows == found.num_games == GAMES
    assert pa.concat_tables(map(pq.read_table, found.paths)).equals(whole)
    assert pa.RecordBatchReader.from_stream(found).read_all().equals(whole)
    assert found.to_pyarrow().to_table().to_pydict() == whole.to_pydict()
    assert found.num_bytes == sum(path.stat().st_size for path in part_files(undisturbed))
    files = {".lock", "_manifest.parquet", *(part.file for part in found.parts)}
    assert {path.name for path in undisturbed.iterdir()} == files
    assert found.verify() == []
    assert repr(found).endswith("500 games, 5 parts)")
    assert "500" in found._repr_html_()


def test_trajectories_and_games_from_a_state_in_parts(tmp_path: Path) -> None:
    how: dict[str, Any] = {"agents": ["greedy", "random"], "seed": 5, "first_game": 9, "random_plies": 2}
    made = sarai.dataset("shah", num_games=10, out=tmp_path / "d", what="trajectories", chunk_games=4, **how)
    whole = sarai.trajectories("shah", num_games=10, **how)
    assert pa.RecordBatchReader.from_stream(made).read_all().equals(whole.to_arrow())
    assert made.num_rows == whole.num_decisions
    assert [part.first_game for part in made.parts] == [9, 13, 17]

    def first(observations: NDArray[np.int8], masks: NDArray[np.int8]) -> NDArray[np.integer[Any]]:
        return masks.argmax(axis=1)

    state = sarai.make("shah").sample_states(num_games=1, seed=1)[0]
    made = sarai.dataset(state, [first, "random"], 20, out=tmp_path / "e", chunk_games=7, seed=0)
    assert made.asked["start"] == str(state)
    played = sarai.rollout(state, [first, "random"], 20, seed=0)
    assert pa.RecordBatchReader.from_stream(made).read_all().equals(played.to_arrow())


def test_the_bytes_do_not_depend_on_the_executor(undisturbed: Path, tmp_path: Path) -> None:
    with futures.ThreadPoolExecutor(3) as threads, executors.processes(2) as processes:
        for name, executor in (("threads", threads), ("processes", processes)):
            told: list[int] = []
            made = make(tmp_path / name, executor=executor, progress=told.append)
            assert made == sarai.open_dataset(undisturbed)
            assert content(tmp_path / name) == content(undisturbed)
            assert told == sorted(told)
            assert told[-1] == GAMES
    make(tmp_path / "one thread", num_threads=1)
    assert content(tmp_path / "one thread") == content(undisturbed)


class Counting:
    """An executor in its own way: a task runs when it is waited for, in any order."""

    def __init__(self) -> None:
        self.pool = futures.ThreadPoolExecutor(1)
        self.out, self.most = 0, 0

    def submit(self, function: Any, task: Any) -> futures.Future[Any]:
        self.out += 1
        self.most = max(self.most, self.out)
        future = self.pool.submit(function, task)
        future.add_done_callback(lambda _: setattr(self, "out", self.out - 1))
        return future


def test_only_so_many_parts_are_in_flight(tmp_path: Path) -> None:
    counting = Counting()
    with counting.pool:
        make(tmp_path / "d", executor=counting, in_flight=3, chunk_games=10)
    assert 1 <= counting.most <= 3
    assert len(part_files(tmp_path / "d")) == 50


class Failing(Counting):
    """The second task fails, and those after it wait for ever."""

    def __init__(self) -> None:
        super().__init__()
        self.given: list[futures.Future[Any]] = []

    def submit(self, function: Any, task: Any) -> futures.Future[Any]:
        future: futures.Future[Any] = super().submit(function, task) if not self.given else futures.Future()
        if len(self.given) == 1:
            future.set_exception(OSError("the disk is full"))
        self.given.append(future)
        return future


def test_what_waits_is_called_off_when_a_part_fails(tmp_path: Path) -> None:
    failing = Failing()
    with failing.pool, pytest.raises(OSError, match="the disk is full"):
        make(tmp_path / "d", executor=failing, in_flight=4, chunk_games=100)
    assert [future.cancelled() for future in failing.given[2:]] == [True] * len(failing.given[2:])
    assert len(failing.given) >= 4


@pytest.mark.parametrize(
    ("fault", "finished"),
    [("missing", True), ("missing", False), ("truncated", True), ("empty", False), ("flipped", True)],
)
def test_what_is_missing_or_damaged_is_mended(
    fault: str, finished: bool, copied: Path, undisturbed: Path
) -> None:
    if not finished:
        tell(copied, {**told_by(copied), "parts": None})
    _, part, _, _, last = part_files(copied)
    whole = part.read_bytes()
    if fault == "missing":
        part.unlink()
    elif fault == "flipped":
        part.write_bytes(whole[:-1000] + bytes([whole[-1000] ^ 1]) + whole[-999:])
    else:
        part.write_bytes(whole[: -1 if fault == "truncated" else 0])
    (copied / f".{'0f' * 16}.tmp").write_bytes(b"of a writer that was killed")
    if finished and fault != "missing":
        (wrong,) = sarai.open_dataset(copied).verify()
        assert wrong.startswith(part.name)
    elif not finished:
        with pytest.raises(ValueError, match=r"not finished: it has [45] of 5 parts; run `sarai.dataset`"):
            sarai.open_dataset(copied)
    else:
        with pytest.raises(ValueError, match=f"{part.name} is missing"):
            sarai.open_dataset(copied)
    kept = last.stat().st_mtime_ns
    assert make(copied).verify() == []
    assert content(copied) == content(undisturbed)
    assert last.stat().st_mtime_ns == kept


def test_another_question_is_refused(copied: Path) -> None:
    before = content(copied)
    values: dict[str, list[object]] = {
        "seed": [4], "num_games": [501], "chunk_games": [50], "agents": ["greedy"], "first_game": [1],
        "what": ["trajectories"], "random_plies": [1],
    }  # fmt: skip
    refused(lambda **how: make(copied, **how), values)
    with pytest.raises(ValueError, match="its game is"):
        make(copied, game="sho(coins=2,num_shells=16)")
    with pytest.raises(ValueError, match=r"its game is 'sho.*', not 'shah'"):
        sarai.dataset("shah", num_games=500, out=copied, seed=3, chunk_games=120)
    assert content(copied) == before


def test_without_a_seed_a_new_one_is_drawn_and_can_be_read(tmp_path: Path) -> None:
    one, other = (make(tmp_path / name, seed=None) for name in ("one", "other"))
    assert one.seed != other.seed
    before = content(tmp_path / "one")
    part_files(tmp_path / "one")[1].unlink()
    with pytest.raises(ValueError, match=f"its seed is {one.seed}, not "):
        make(tmp_path / "one", seed=None)
    assert make(tmp_path / "one", seed=one.seed) == one
    assert content(tmp_path / "one") == before


def test_a_manifest_of_another_version(copied: Path) -> None:
    told = told_by(copied)
    asked: list[tuple[dict[str, Any], str]] = [
        ({"seed": "3"}, "no valid 'seed'"),
        ({"chunk_games": 0}, "no games"),
        ({"agents": [1, 2]}, "no valid 'agents'"),
        ({"seed": 10**4000}, "seed got"),
        ({"first_game": -1}, "first_game got"),
        ({"chunk_games": 10**4000}, "chunk_games got"),
        ({"random_plies": 1001}, "random_plies got"),
    ]
    first, *others = told["parts"]
    wrong = (
        {**first, "file": ""},
        {**first, "rows": -1},
        {**first, "file": "../x"},
        {**first, "games": 3},
        {},
    )
    for change, problem in (
        ({"version": 1}, "layout version 1"),
        ({"format": "sarai.arena"}, "does not say that it is one"),
        ({"asked": {}}, "what was asked for"),
        *(({"asked": {**told["asked"], **one}}, problem) for one, problem in asked),
        ({"made_with": {}}, "which versions"),
        ({"parts": others}, "does not have 5 parts"),
        *(({"parts": [part, *others]}, "part 0 is not described") for part in wrong),
    ):
        tell(copied, {**told, **change})
        for call in (make, sarai.open_dataset):
            with pytest.raises(ValueError, match=problem):
                call(copied)
    (copied / "manifest.json").write_bytes(b'{"format": ')
    with pytest.raises(ValueError, match="is no manifest of a dataset"):
        make(copied)
    (copied / "manifest.json").unlink()
    with pytest.raises(ValueError, match="parts of a dataset but no manifest"):
        make(copied)
    assert len(part_files(copied)) == 5


def test_a_damaged_manifest_is_refused(undisturbed: Path, copied: Path) -> None:
    path = copied / "_manifest.parquet"
    whole = path.read_bytes()
    for bytes_ in (
        b"",
        whole[:-9],
        whole[:200] + bytes(100) + whole[300:],
        part_files(copied)[0].read_bytes(),
    ):
        path.write_bytes(bytes_)
        for call in (make, sarai.open_dataset):
            with pytest.raises(ValueError, match="is no manifest of a dataset, or is damaged"):
                call(copied)


def test_a_dataset_of_an_earlier_version_opens_and_is_brought_up_to_date(
    undisturbed: Path, copied: Path
) -> None:
    tell(copied, told_by(copied))
    assert sarai.open_dataset(copied) == sarai.open_dataset(undisturbed)
    part_files(copied)[0].unlink()
    make(copied)
    assert content(copied) == content(undisturbed)


def test_the_folder_is_one_of_parquet_files(undisturbed: Path) -> None:
    pandas = pytest.importorskip("pandas")
    assert len(pandas.read_parquet(undisturbed)) == GAMES
    assert pq.read_table(undisturbed).num_rows == GAMES


def test_other_versions_read_but_do_not_mend(copied: Path) -> None:
    tell(copied, {**told_by(copied), "made_with": {"pyarrow": "1.2.3", "sarai": sarai.__version__}})
    assert make(copied).made_with["pyarrow"] == "1.2.3"
    before = content(copied)
    assert make(copied).made_with["pyarrow"] == "1.2.3"
    assert content(copied) == before
    part_files(copied)[2].unlink()
    with pytest.raises(ValueError, match=r"part 2 of .* begun with pyarrow '1\.2\.3' .* but here is pyarrow"):
        make(copied)


def test_agents_that_change_their_mind(tmp_path: Path) -> None:
    rng = np.random.default_rng(1)

    def moody(observations: NDArray[np.int8], masks: NDArray[np.int8]) -> NDArray[np.integer[Any]]:
        return (rng.random(masks.shape) * masks).argmax(axis=1)

    folder = tmp_path / "d"
    make(folder, agents=moody)
    part_files(folder)[1].unlink()
    with pytest.raises(ValueError, match=r"part 1 of .* came out otherwise than before"):
        make(folder, agents=moody)
    assert len(part_files(folder)) == 4


def test_an_interrupt_leaves_what_is_finished(undisturbed: Path, tmp_path: Path) -> None:
    folder = tmp_path / "d"

    def stop(done: int) -> None:
        if done >= 300:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        make(folder, progress=stop)
    kept = {path.name: path.stat().st_mtime_ns for path in part_files(folder)}
    assert len(kept) == 2
    make(folder)
    assert content(folder) == content(undisturbed)
    assert {name: (folder / name).stat().st_mtime_ns for name in kept} == kept


def test_bad_arguments_make_nothing(tmp_path: Path) -> None:
    values = {
        "seed": [-1], "num_games": [0, 10**10], "chunk_games": [0], "in_flight": [0], "what": ["games"],
        "agents": ["clever"], "num_threads": [0, 257],
    }  # fmt: skip
    types = {
        "seed": [True], "chunk_games": [2.5],
        "executor": ["spark", 4, futures.ThreadPoolExecutor, "x" * 15_000], "what": [[1]],
        "num_threads": ["2"], "progress": ["x"],
    }  # fmt: skip
    refused(lambda **given: make(tmp_path / "d", **given), values, types)
    with pytest.raises(ValueError, match="num_games"):
        make(tmp_path / "d", first_game=2**64 - 1)
    assert not (tmp_path / "d").exists()


def test_a_policy_that_cannot_travel_makes_nothing(tmp_path: Path) -> None:
    with (
        futures.ProcessPoolExecutor(1) as pool,
        pytest.raises(TypeError, match="agents travel to other processes by pickle"),
    ):
        make(tmp_path / "d", agents=lambda observations, masks: masks.argmax(1), executor=pool)
    assert not (tmp_path / "d").exists()


def test_a_path_that_is_none(tmp_path: Path) -> None:
    with pytest.raises(TypeError, match="a path must be a str"):
        make(3)  # type: ignore[arg-type]
    (tmp_path / "file").write_text("")
    with pytest.raises(OSError, match="file"):
        make(tmp_path / "file")


def test_a_folder_of_other_files_stays_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").write_text("a year's work")
    with pytest.raises(
        ValueError, match=r"is not empty and holds no dataset \(its first file is 'thesis.tex'\)"
    ):
        make(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.tex"]
    (tmp_path / "thesis.tex").rename(tmp_path / ".hidden")
    assert make(tmp_path).verify() == []


def test_what_is_no_dataset_says_what_reads_it(tmp_path: Path, copied: Path) -> None:
    with pytest.raises(FileNotFoundError, match="there is no manifest"):
        sarai.open_dataset(tmp_path)
    with pytest.raises(NotADirectoryError, match=r"sarai\.load reads a file"):
        sarai.open_dataset(part_files(copied)[0])
    with pytest.raises(IsADirectoryError, match=r"sarai\.open_dataset"):
        sarai.load(copied)


def test_a_stranger_among_the_parts(copied: Path) -> None:
    part = part_files(copied)[0]
    shutil.copy(part, copied / "part-00000009-0000000000000000.parquet")
    (wrong,) = sarai.open_dataset(copied).verify()
    assert wrong == "part-00000009-0000000000000000.parquet is no part of the dataset"


def test_the_command(tmp_path: Path, undisturbed: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "d"
    words = ["dataset", "sho", "--games", "500", "--chunk-games", "120", "--seed", "3"]
    words += ["--option=num_shells=16", "--option=coins=1"]
    assert cli.main([*words, "--out", os.fspath(folder)]) == 0
    said = capsys.readouterr()
    assert "500 games, 500 rows" in said.out
    assert "500 of 500 games (100%)" in said.err
    assert content(folder) == content(undisturbed)
    assert cli.main([*words, "--out", os.fspath(folder), "--json", "--no-progress"]) == 0
    assert len(json.loads(capsys.readouterr().out)["parts"]) == 5
    assert cli.main(["dataset", "verify", os.fspath(folder)]) == 0
    assert "5 parts as the manifest says" in capsys.readouterr().out
    part_files(folder)[1].write_bytes(b"")
    assert cli.main(["dataset", "verify", os.fspath(folder), "--json"]) == 1
    said = capsys.readouterr()
    assert len(json.loads(said.out)["wrong"]) == 1
    assert "error: part-00000001" in said.err
    for wrong, problem in (
        (["dataset", "sho"], "give --out DIR"),
        (["dataset", "sho", "d"], "give the folder as --out d"),
        (["dataset", "sho", "a b"], f"give the folder as --out {hints.quoted('a b')}"),
        (["dataset", "verfy", "d"], "did you mean 'verify'"),
        (["dataset", "sho", "--out", "d", "--what", "rolouts"], "did you mean 'rollout'"),
        (["dataset", "verify"], "give the folder"),
        (["dataset", "sho", "--out", "d", "--ray", "--processes", "2"], "not both"),
        ([*words, "--seed", "4", "--out", os.fspath(folder)], "its seed is 3, not 4"),
    ):
        assert cli.main(wrong) == 2
        assert problem in capsys.readouterr().err
    assert cli.main(["dataset", "verify", os.fspath(tmp_path / "nowhere")]) == 1
    assert "cannot read" in capsys.readouterr().err


def test_two_files_of_one_part_are_not_taken_for_it(copied: Path) -> None:
    shutil.copy(part_files(copied)[0], copied / "part-00000000-0000000000000000.parquet")
    with pytest.raises(ValueError, match=r"part 0 of .* came out otherwise than before"):
        make(copied)


def test_workers_use_the_threads_that_were_asked_for(tmp_path: Path) -> None:
    class Noting(futures.ThreadPoolExecutor):
        def submit(self, function: Any, task: Any) -> Any:  # type: ignore[override]
            threads.append(task.num_threads)
            return super().submit(function, task)

    for asked, used in ((None, 1), (2, 2)):
        threads: list[int | None] = []
        with Noting(1) as pool:
            sarai.dataset(
                "sho",
                num_games=20,
                out=tmp_path / str(asked),
                chunk_games=10,
                num_threads=asked,
                executor=pool,
                seed=0,
            )
        assert threads == [used, used]
