"""Datasets on Ray, Dask and joblib: the bytes of an undisturbed run, also where workers and nodes are lost."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import sarai
from sarai._datasets import executors, parts

GAMES, CHUNK = 40_000, 1000


def content(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def make(folder: Path, **how: Any) -> sarai.datasets.Dataset:
    given = {"game": "shah", "num_games": GAMES, "chunk_games": CHUNK, "seed": 3, **how}
    return sarai.dataset(out=folder, **given)


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    folder = tmp_path_factory.mktemp("datasets") / "undisturbed"
    make(folder)
    return content(folder)


def started(start: Callable[[], Any], chances: int = 5) -> Any:
    """What Ray starts. It gives a node 30 seconds, which may be too few on a busy machine: then it is tried again."""
    try:
        return start()
    except Exception as error:
        if chances == 1 or "timed out during startup" not in str(error):
            raise
        return started(start, chances - 1)


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    """A Ray cluster of two nodes, of one processor each."""
    ray = pytest.importorskip("ray")
    from ray.cluster_utils import Cluster

    head = {"num_cpus": 1, "include_dashboard": False}
    nodes = started(lambda: Cluster(initialize_head=True, head_node_args=head))
    started(lambda: nodes.add_node(num_cpus=1))
    ray.init(address=nodes.address)
    # The workers could not import what this file defines.
    ray.cloudpickle.register_pickle_by_value(sys.modules[__name__])
    try:
        yield nodes
    finally:
        ray.shutdown()
        nodes.shutdown()


@pytest.fixture
def ray(cluster: Any) -> Any:
    """Ray, which runs on it."""
    return pytest.importorskip("ray")


@pytest.mark.heavy
def test_two_nodes_of_ray(ray: Any, undisturbed: dict[str, bytes], tmp_path: Path) -> None:
    assert make(tmp_path, executor=ray).num_games == GAMES
    assert content(tmp_path) == undisturbed


def killing(task: parts.Task) -> parts.Part:
    """Make a part; but who is the first to make a part with a marker beside it is killed on the way."""
    marker = Path(task.folder).parent / f"kill-{task.index}"
    try:
        marker.unlink()
    except FileNotFoundError:
        return parts.make(task)
    # In the middle of its work: what it has written by then stands under another name.
    (Path(task.folder) / f".{task.index:032x}.tmp").write_bytes(b"half a part")
    os.kill(os.getpid(), signal.SIGKILL)
    raise AssertionError("a process outlives SIGKILL")


@pytest.mark.heavy
@pytest.mark.nightly
def test_ray_repeats_what_a_killed_worker_has_lost(
    ray: Any, undisturbed: dict[str, bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from sarai._datasets import making

    for index in (0, 3, 17, 39):
        (tmp_path / f"kill-{index}").touch()
    results = executors.results
    monkeypatch.setattr(
        making.executors,
        "results",
        lambda executor, function, tasks, in_flight: results(executor, killing, tasks, in_flight),
    )
    made = make(tmp_path / "d", executor="ray")
    assert not list(tmp_path.glob("kill-*"))
    assert made.verify() == []
    assert content(tmp_path / "d") == undisturbed


@pytest.mark.heavy
@pytest.mark.nightly
def test_ray_goes_on_when_a_node_is_lost(
    ray: Any, cluster: Any, undisturbed: dict[str, bytes], tmp_path: Path
) -> None:
    lost = []
    third = started(lambda: cluster.add_node(num_cpus=1))
    cluster.wait_for_nodes()

    def lose(done: int) -> None:
        if done >= 3 * CHUNK and not lost:
            lost.append(done)
            cluster.remove_node(third, allow_graceful=False)

    made = make(tmp_path, executor=ray, progress=lose)
    assert lost
    assert made.verify() == []
    assert content(tmp_path) == undisturbed


def resident(pid: int) -> int:
    """The memory of a process, in bytes."""
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGESIZE")


@pytest.mark.heavy
@pytest.mark.nightly
def test_memory_of_driver_and_workers_stays_flat_over_200_parts(ray: Any, tmp_path: Path) -> None:
    games, chunk = 1_000_000, 5000
    driver: list[int] = []
    workers: list[int] = []

    def measure(done: int) -> None:
        driver.append(resident(os.getpid()))
        found = [
            int(entry)
            for entry in os.listdir("/proc")
            if entry.isdigit() and b"ray::make" in _command(int(entry))
        ]
        workers.append(max(map(_or_none, found), default=0))

    made = make(tmp_path, num_games=games, chunk_games=chunk, executor=ray, progress=measure)
    assert len(made.parts) == len(driver) == 200
    quarter = len(driver) // 4
    for measured in (driver, workers):
        early, late = max(measured[quarter : 2 * quarter]), max(measured[-quarter:])
        assert early > 0
        # A part is some megabytes; fifty that had been kept would be hundreds.
        assert late < early + 40_000_000, (early, late)


def _command(pid: int) -> bytes:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return b""


def _or_none(pid: int) -> int:
    try:
        return resident(pid)
    except OSError:
        return 0


@pytest.mark.parametrize("kills", [False, pytest.param(True, marks=pytest.mark.nightly)])
def test_dask(kills: bool, undisturbed: dict[str, bytes], tmp_path: Path) -> None:
    from dask.distributed import Client, LocalCluster

    with (
        LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster,
        Client(cluster) as client,
    ):
        killed: list[int] = []

        def kill(done: int) -> None:
            if kills and not killed:
                killed.append(next(iter(client.run(os.getpid).values())))
                os.kill(killed[0], signal.SIGKILL)

        make(tmp_path, executor=client, progress=kill)
    assert bool(killed) == kills
    assert content(tmp_path) == undisturbed


@pytest.mark.parametrize(
    "how",
    [
        pytest.param({}, id="list"),
        pytest.param({"return_as": "generator_unordered"}, id="generator", marks=pytest.mark.nightly),
    ],
)
def test_joblib(how: dict[str, Any], undisturbed: dict[str, bytes], tmp_path: Path) -> None:
    import joblib

    told: list[int] = []
    make(tmp_path, executor=joblib.Parallel(n_jobs=2, **how), progress=told.append)
    assert content(tmp_path) == undisturbed
    assert told[-1] == GAMES


def test_polars_and_duckdb_read_tables_and_datasets(tmp_path: Path) -> None:
    import dask.dataframe
    import duckdb
    import pandas
    import polars
    import pyarrow.dataset

    rollout = sarai.rollout("sho", ["greedy", "random", "random"], 300, seed=1)
    frame = polars.DataFrame(rollout)
    assert frame["kills"].to_list() == rollout.stats["kills"].tolist()
    assert frame["agent_0"].unique().to_list() == ["greedy"]
    assert duckdb.sql("select sum(kills) from rollout").fetchall() == [(int(rollout.stats["kills"].sum()),)]
    played = [sarai.rollout(name, num_games=50, seed=0).to_arrow("seat") for name in ("sho", "shah")]
    several = polars.concat(map(polars.DataFrame, played), how="diagonal")
    assert several.group_by("game", "seat").len().height == 5

    t = sarai.trajectories("shah", num_games=5, seed=2)
    decisions = polars.DataFrame(t)
    assert (decisions["observation"].to_numpy() == t.observations).all()
    assert duckdb.sql("select count(*) from t").fetchall() == [(t.num_decisions,)]
    rows = duckdb.sql("select observation, mask from t limit 1").fetchall()
    assert [list(cell) for cell in rows[0]] == [t.observations[0].tolist(), t.masks[0].tolist()]

    for made in (
        sarai.analyse(sarai.make("shah").sample_states(num_games=1, seed=3)[0], "greedy", seed=0),
        sarai.arena("sho", ["greedy", "random"], 6, seed=0),
        rollout.summary(),
    ):
        # There is no interval of games that are all alike, and no nan is another's equal.
        assert repr(polars.DataFrame(made).to_dicts()) == repr(made.to_arrow().to_pylist())

    found = sarai.dataset("sho", num_games=1000, out=tmp_path / "d", chunk_games=300, seed=1)
    assert found.to_polars().select(polars.len()).collect().item() == 1000
    assert polars.DataFrame(found)["number"].to_list() == list(range(1000))
    assert duckdb.read_parquet(found.paths).shape[0] == 1000
    # And the folder itself, as people type it first.
    folder = found.folder
    assert polars.read_parquet(folder).height == 1000
    assert polars.scan_parquet(folder).select(polars.len()).collect().item() == 1000
    assert duckdb.sql(f"select count(*) from read_parquet('{folder}/*.parquet')").fetchall() == [(1000,)]
    assert len(dask.dataframe.read_parquet(folder)) == len(pandas.read_parquet(folder)) == 1000
    assert pyarrow.dataset.dataset(folder).count_rows() == 1000
    assert duckdb.sql("select max(number) from found").fetchall() == [(999,)]


def fails_beside_one_that_goes_on(task: tuple[Path, bool]) -> None:
    """The one goes on until it is interrupted; the other fails once the first has begun."""
    folder, fails = task
    if fails:
        while not (folder / "begun").exists():
            time.sleep(0.01)
        raise ValueError("it fails")
    (folder / "begun").touch()
    try:
        while True:
            time.sleep(0.01)
    finally:
        (folder / "interrupted").touch()


@pytest.mark.heavy
@pytest.mark.nightly
def test_where_a_task_fails_those_that_go_on_are_interrupted(ray: Any, tmp_path: Path) -> None:
    tasks = [(tmp_path, False), (tmp_path, True)]
    with pytest.raises(ValueError, match="it fails"):
        list(executors.results(ray, fails_beside_one_that_goes_on, tasks, 2))
    begun = time.monotonic()
    while not (tmp_path / "interrupted").exists() and time.monotonic() - begun < 600:
        time.sleep(0.1)
    assert (tmp_path / "interrupted").exists()


@pytest.mark.heavy
@pytest.mark.nightly
def test_a_part_that_cannot_be_made_ends_the_call_with_its_own_error(ray: Any, tmp_path: Path) -> None:
    # Often: in about one such call of a few hundred, Ray 2.60 aborts this process if it is to cancel a part that is
    # just failing as well.
    folders = [tmp_path / str(number) for number in range(400)]
    for folder in folders:
        with pytest.raises(ValueError, match="max_decisions=10"):
            make(folder, num_games=40, chunk_games=2, what="trajectories", max_decisions=10, executor=ray)
    # Nobody is left who writes.
    begun = time.monotonic()
    while list(tmp_path.glob("*/*.tmp")) and time.monotonic() - begun < 600:
        time.sleep(0.1)
    for folder in folders:
        assert {path.name for path in folder.iterdir()} == {".lock", "_manifest.parquet"}
