"""Results as tables: what the columns hold, and that other tools read them."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import sarai
from helpers.page import Page
from helpers.saved import ARCHIVES, RESULTS, leaves
from sarai._tables import arrow
from sarai._tables.columns import Labels
from sarai._tables.tabular import Tabular

pandas = pytest.importorskip("pandas")
pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")

MIXED = ["greedy", "random", "random"]

SMALL = {"players": 2, "pa_ra": "none", "first_player": 0, "num_shells": 4, "coins": 1}

MADE: dict[str, Callable[[], Tabular]] = {
    **{name: lambda name=name: RESULTS[name] for name in ARCHIVES},  # type: ignore[misc]
    "analysis": lambda: sarai.analyse(
        sarai.make("shah").sample_states(num_games=1, seed=3)[0], "greedy", seed=0
    ),
    "analysis of games": lambda: sarai.analyse(
        sarai.make("shah").sample_states(num_games=1, seed=3)[0], "random", 3, seed=0
    ),
    "summary": lambda: sarai.rollout("tshupu", num_games=9, seed=1).summary(),
    "metrics": lambda: sarai.metrics("sho", "greedy", 8, evaluator="heuristic", seed=0, per_game=True),
    "record_analysis": lambda: sarai.Record.play("shuanglu", "random", seed=3).analyse("greedy", seed=0),
    "comparison": lambda: sarai.compare(
        "sho", {"one": {}, "other": {"game": "sho(preset=lhasa)"}}, num_games=8, by=["turns"], seed=0
    ),
    "search": lambda: sarai.search(
        sarai.make("shuanglu(preset=backgammon)").sample_states(num_games=4, seed=1), 9, "heuristic", seed=0
    ),
    "small": lambda: sarai.exact.solve_small(sarai.make("sho", rules=SMALL)).summary(),
    "exact": lambda: sarai.exact.load(sarai.make("shah")).summary(),
    "puzzles": lambda: sarai.exact.puzzles(),
    "explored": lambda: sarai.exact.load("shah").explore(sarai.exact.puzzles()[0].state),
    "benchmark": lambda: sarai.benchmark("greedy", games="tshupu", num_games=4, seed=1),
}


@cache
def made(kind: str) -> Any:
    return MADE[kind]()


def test_no_class_is_missing() -> None:
    assert {type(made(kind)) for kind in MADE} == set(leaves(Tabular))


@pytest.mark.parametrize("kind", MADE)
def test_every_result_is_shown_and_told_as_plain_data(kind: str, tmp_path: Path) -> None:
    one = made(kind)
    assert str(one)
    if hasattr(one, "_repr_html_"):
        page = Page(one._repr_html_())
        assert page.said or page.rows
    if hasattr(one, "to_dict"):
        told = one.to_dict()
        assert json.loads(json.dumps(told, allow_nan=False)) == json.loads(json.dumps(told))
        # A score card is of several games.
        if "game" in told:
            assert told["game"].startswith(str(getattr(one, "game", told["game"])))
    if hasattr(one, "plot"):
        pytest.importorskip("matplotlib")
        one.plot(tmp_path / "a.svg")
        assert (tmp_path / "a.svg").stat().st_size > 5_000
        with pytest.raises(ValueError, match="a figure is written as"):
            one.plot(tmp_path / "a.txt")
        assert [path.name for path in tmp_path.iterdir()] == ["a.svg"]


def metadata(table: Any) -> dict[str, Any]:
    return dict(json.loads(table.schema.metadata[b"sarai"]))


def same(one: Any, other: Any) -> bool:
    """Arrow's own comparison takes no nan for another."""
    return bool(one.schema.equals(other.schema)) and repr(one.to_pydict()) == repr(other.to_pydict())


def as_lists(table: Any) -> Any:
    """What a Parquet file has as bytes of one length is lists in other tables."""
    return arrow.viewed(table, arrow.unpacked(table.schema))


@pytest.mark.parametrize("kind", MADE)
def test_every_table_is_read_by_pyarrow_and_pandas(kind: str, tmp_path: Path) -> None:
    result = made(kind)
    for by in (None, *result._TABLES):
        table, frame = result.to_arrow(by), result.to_pandas(by)
        assert table.num_rows == len(frame) > 0
        if hasattr(result, "game"):
            assert {sarai.make(game) for game in frame["game"]} == {result.game}
        assert table.column_names == frame.columns.tolist()
        for name in table.column_names:
            one, other = table[name].to_pylist(), frame[name].tolist()
            if one and isinstance(one[0], list):
                other = [row.tolist() for row in other]
            one = [None if cell is None or cell != cell else cell for cell in one]
            other = [None if cell is pandas.NA or cell != cell else cell for cell in other]
            assert one == other, name
        told = metadata(table)
        assert (told["format"], told["schema"], told["sarai"]) == (
            f"sarai.{getattr(result, '_KIND', kind.partition(' ')[0])}",
            2,
            sarai.__version__,
        )
        result.to_parquet(tmp_path / "a.parquet", by)
        result.to_parquet(tmp_path / "b.parquet", by)
        assert (tmp_path / "a.parquet").read_bytes() == (tmp_path / "b.parquet").read_bytes()
        read = as_lists(pq.read_table(tmp_path / "a.parquet"))
        assert same(read, table)
        assert metadata(read) == told
    streamed = pa.RecordBatchReader.from_stream(result).read_all()
    assert same(streamed, result.to_arrow())
    with pytest.raises(ValueError, match="by got 'colour'; it takes "):
        result.to_arrow("colour")


def test_rows_know_which_game_they_are_of() -> None:
    r = RESULTS["teams"]
    seats = r.to_pandas("seat")
    assert r.to_pandas()["number"].tolist() == [9, 10, 11, 12]
    assert r.to_pandas()["agent_3"].tolist() == ["random"] * 4
    assert seats["number"].tolist() == np.repeat([9, 10, 11, 12], 4).tolist()
    for seat, rows in seats.groupby("seat"):
        # Both seats of a team have won.
        assert set(rows["side"]) == {r.sides[seat]}
        assert rows["won"].tolist() == (r.winner == r.sides[seat]).tolist()
        assert rows["drawn"].tolist() == (r.winner == -1).tolist()
    assert RESULTS["rollout"].to_pandas("seat")["agent"].tolist() == MIXED * 6
    t = sarai.trajectories("sho", MIXED, 4, seed=2, first_game=3)
    decisions = t.to_pandas()
    assert decisions["number"].tolist() == np.repeat(np.arange(3, 7), np.diff(t.offsets)).tolist()
    assert decisions["decision"].tolist() == [place for game in t for place in range(len(game))]
    assert decisions["seat"].tolist() == t.players.tolist()
    assert decisions["agent"].tolist() == [MIXED[seat] for seat in t.players]
    s = sarai.series("sho", MIXED, 4, target=2, seed=3, first_series=5)
    assert s.to_pandas("series")["games"].tolist() == s.num_games.tolist()
    games = s.to_pandas()
    assert games["series"].tolist() == np.repeat(np.arange(5, 9), s.num_games).tolist()
    assert games["game_of_series"].tolist() == [place for one in s for place in range(len(one))]
    positions = RESULTS["positions"].to_pandas()
    assert positions["position"].tolist() == [3, 3, 4, 4, 5, 5]
    assert positions["number"].tolist() == [6, 7, 8, 9, 10, 11]
    a = RESULTS["gauntlet"]
    matches = a.to_pandas("game")
    assert matches["seating"].tolist() == np.repeat(np.arange(len(a.orders)), a.winner.shape[1]).tolist()
    for side in range(2):
        names = np.array(a.names)[a.orders[:, side]]
        assert matches[f"agent_{side}"].tolist() == np.repeat(names, a.winner.shape[1]).tolist()


def test_a_search_by_position_and_by_move() -> None:
    states = sarai.make("shuanglu(preset=backgammon)").sample_states(num_games=6, seed=1)
    states = sarai.States.from_states([*states, sarai.Record.play(states.game, seed=1).final_state])
    found = sarai.search(states, 20, "heuristic", seed=0)
    frame, moves = found.to_pandas(), found.to_pandas("move")
    assert set(frame["game"]) == set(moves["game"]) == {"shuanglu(preset=backgammon)"}
    assert frame["player"].tolist() == states.current_player().tolist()
    assert frame["player"].tolist()[-1] < 0
    assert frame["best"].tolist() == found.best.tolist()
    assert frame[["value_0", "value_1"]].to_numpy().tolist() == found.values.tolist()
    assert frame["simulations"].tolist() == found.visits.sum(axis=1).tolist()
    listed = [(row, action) for row in range(6) for action in states[row].legal_actions()]
    assert list(zip(moves["position"], moves["action"], strict=True)) == listed
    assert moves["visits"].tolist() == [found.visits[place] for place in listed]
    assert moves["policy"].tolist() == [found.policy[place] for place in listed]
    assert moves["action"][moves["best"]].tolist() == found.best[:6].tolist()


def test_a_table_of_several_batches_is_the_same_table(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    t = sarai.trajectories("shah", num_games=3, seed=2)
    whole = t.to_arrow()
    monkeypatch.setattr(arrow, "BATCH_ROWS", 100)
    parts = t.to_arrow()
    assert parts["seat"].num_chunks == -(-t.num_decisions // 100) > 2
    assert parts.equals(whole)
    t.to_parquet(tmp_path / "t.parquet")
    assert pq.ParquetFile(tmp_path / "t.parquet").num_row_groups == parts["seat"].num_chunks
    assert as_lists(pq.read_table(tmp_path / "t.parquet")).equals(whole)


def test_columns_are_handed_over_without_a_copy() -> None:
    r, t = sarai.rollout("sho", num_games=50, seed=1), sarai.trajectories("shah", num_games=2, seed=1)
    lengths = r.to_arrow()["length"].chunk(0).buffers()[1].address
    assert lengths == r.lengths.__array_interface__["data"][0]
    observations = t.to_arrow()["observation"].chunk(0).flatten().buffers()[1].address
    assert observations == t.observations.__array_interface__["data"][0]


@pytest.mark.parametrize("rows", [0, 1, 8, 9])
def test_columns_are_what_pyarrow_makes_of_them(rows: int) -> None:
    rng = np.random.default_rng(rows)
    numbers, bits = rng.integers(-9, 9, 2 * rows).astype(np.int8), rng.random(rows) < 0.5
    columns = {
        "every second": (numbers[::2], pa.array(numbers[::2].copy())),
        "repeated": (np.broadcast_to(np.uint64(3), rows), pa.array([3] * rows, pa.uint64())),
        "bits": (bits, pa.array(bits.tolist(), pa.bool_())),
        "unknown": (np.ma.MaskedArray(numbers[:rows] * 0.5, bits), pa.array(numbers[:rows] * 0.5, mask=bits)),
        "rows": (numbers.reshape(-1, 2), pa.array(numbers.reshape(-1, 2).tolist(), pa.list_(pa.int8(), 2))),
        "texts": (["\u00e4" * length for length in range(rows)], pa.array("\u00e4" * n for n in range(rows))),
        "labels": (Labels.of(["b", "a", "b"][:rows]), pa.array(["b", "a", "b"][:rows]).dictionary_encode()),
    }
    for name, (column, wanted) in columns.items():
        found = arrow._array(pa, column)
        found.validate(full=True)
        assert found.to_pylist() == wanted.to_pylist(), name
        assert found.type == wanted.type or not rows, name


def test_workers_write_without_pandas(tmp_path: Path) -> None:
    """Whose import takes a worker as long as many games."""
    code = (
        "import sarai, sys; sarai.dataset('sho', num_games=50, out='games'); print('pandas' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=tmp_path)
    assert done.stdout == "False\n", done.stderr


def test_what_is_missing_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    result = sarai.rollout("sho", num_games=5, seed=0)
    calls: list[tuple[str, str, Callable[[], object]]] = [
        ("pandas", "pandas", result.to_pandas),
        ("pyarrow", "arrow", result.to_arrow),
        ("pyarrow", "arrow", result.__arrow_c_stream__),
        ("pyarrow", "arrow", lambda: result.to_parquet("never.parquet")),
        ("pyarrow", "arrow", lambda: sarai.dataset("sho", num_games=5, out="never", seed=0)),
        ("ray", "ray", lambda: sarai.dataset("sho", num_games=5, out="never", executor="ray", seed=0)),
        ("matplotlib", "plot", lambda: result.plot("never.svg")),
        (
            "scipy.stats",
            "stats",
            lambda: sarai.compare("sho", {"a": {}, "b": {"seat": 1}}, num_games=2, seed=0),
        ),
    ]
    for missing, extra, call in calls:
        with monkeypatch.context() as without:
            for name in [missing, *(name for name in sys.modules if name.startswith(f"{missing}."))]:
                without.setitem(sys.modules, name, None)
            with pytest.raises(ImportError, match=rf'pip install "sarai\[{extra}\]"'):
                call()
    assert not any(tmp_path.iterdir())
