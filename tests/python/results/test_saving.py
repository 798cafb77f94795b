"""Files are written whole or not at all, and hold what `sarai.load` gives back."""

from __future__ import annotations

import io
import math
import os
import subprocess
import sys
from itertools import cycle
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
import pytest

import sarai
from helpers.places import TESTS
from helpers.refusals import refused
from helpers.saved import ARCHIVES, RESULTS, SAVED, fields, write
from sarai._base import files

NO_PATHS = [0, 1, True, 2.5, None, b"bytes.npz", ["x.npz"], io.BytesIO(), object()]
KINDS = (
    sarai.results.Rollout,
    sarai.results.Trajectories,
    sarai.results.SeriesRollout,
    sarai.results.StatesRollout,
    sarai.matches.Arena,
    sarai.Record,
)


def test_what_is_saved_comes_back_whatever_the_name_of_its_file(tmp_path: Path) -> None:
    for name, ending in zip(RESULTS, cycle(["", ".npz", ".json", ".txt", ".bin"]), strict=False):
        (tmp_path / name).mkdir()
        saved_and_loaded(name, tmp_path / name / f"kept{ending}")


def saved_and_loaded(name: str, path: Path) -> None:
    result: Any = RESULTS[name]
    path.write_text("an older file")
    result.save(path)
    assert [file.name for file in path.parent.iterdir()] == [path.name]
    back: Any = sarai.load(path)
    assert back == sarai.load(str(path)) == type(result).load(path) == result
    if name in ARCHIVES:
        assert path.read_bytes() == SAVED[name], "the same result is the same bytes"
        for told in ("seconds", "milliseconds", "records", "policies"):
            assert getattr(back, told, None) == getattr(result, told, None)
        assert list(getattr(back, "stats", ())) == list(getattr(result, "stats", ()))
    assert sarai.load(write(path, SAVED[name])) == result
    for other in KINDS:
        if other is not type(result):
            with pytest.raises(ValueError, match="kept"):
                other.load(path)
    with pytest.raises(FileNotFoundError) as caught:
        result.save(path.parent / "missing" / "kept")
    assert caught.value.filename == str(path.parent / "missing" / "kept")
    with pytest.raises(FileNotFoundError):
        type(result).load(path.parent / "missing")
    for call in (sarai.load, type(result).load, result.save):
        refused(lambda path, call=call: call(path), {}, {"path": NO_PATHS})
    # A number would have been taken for an open file, and closed.
    os.fstat(0)
    os.fstat(1)


def test_all_that_can_be_asked_for_is_kept(tmp_path: Path) -> None:
    state = sarai.make("shuanglu").sample_states(num_games=1, seed=3)[0]
    for result in (
        sarai.rollout(state, "greedy", 5, random_plies=3, keep=[2], seed=0),
        sarai.trajectories(state, num_games=3, random_plies=3, seed=0),
        sarai.series(
            "tshupu", num_series=3, target=1, max_games=4, consecutive=False, random_plies=3, seed=0
        ),
        sarai.arena(
            "sho(preset=teams)", ["greedy", "random"], 12, dice="own", keep=[1], random_plies=3, seed=0
        ),
        sarai.arena(state, {"a": "greedy", "b": "random", "c": "random"}, 6, schedule="gauntlet", seed=0),
    ):
        result.save(tmp_path / "kept")
        back = sarai.load(tmp_path / "kept")
        assert back == result
        assert str(back) == str(result)


def test_where_no_file_can_be_written(tmp_path: Path) -> None:
    with pytest.raises(IsADirectoryError):
        RESULTS["rollout"].save(tmp_path)
    if Path("/dev/full").exists():
        with pytest.raises(OSError, match="No space left"):
            RESULTS["rollout"].save("/dev/full")
        assert not Path("/dev/full").is_file()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.nightly
def test_ctrl_c_at_any_line_leaves_the_old_file_or_the_new_one(tmp_path: Path) -> None:
    # In a process of its own: an exception out of a trace function is not always put away as it should be.
    program = Path(__file__).parent / "interrupted_saves.py"
    path = os.pathsep.join([str(TESTS), *sys.path])
    done = subprocess.run(
        [sys.executable, str(program), str(tmp_path)],
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert min(map(int, done.stdout.split())) > 10, "it was interrupted at some lines"


def test_whatever_goes_wrong_the_old_file_stays(tmp_path: Path) -> None:
    path = tmp_path / "kept"
    path.write_text("old")

    def breaks(file: BinaryIO) -> None:
        file.write(b"half of it")
        raise ZeroDivisionError("its own")

    with pytest.raises(ZeroDivisionError, match="its own"):
        files.replace(path, breaks)
    assert path.read_text() == "old"


def test_what_could_not_be_read_again_is_not_written(tmp_path: Path) -> None:
    r = sarai.rollout("sho", num_games=5, seed=1)
    r.returns[3, 1] = math.nan
    t = sarai.trajectories("shah(max_turns=8)", num_games=2, seed=1)
    t.actions[3] = np.flatnonzero(t.masks[3] == 0)[0]
    s = sarai.series("sho", num_series=3, target=1, seed=0)
    s.winner[1] = -1
    a = sarai.arena("shuanglu", ["greedy", "random"], 2, seed=1)
    a.returns[0, 0, 0] = 7
    for result in (r, t, s, a):
        with pytest.raises(ValueError, match=r"returns has|masks\[3\] forbids|winners of the series"):
            result.save(tmp_path / "kept")
    assert not list(tmp_path.iterdir())
    many = sarai.rollout("sho", lambda observations, masks: masks.argmax(axis=1), 1, seed=0)
    wordy = sarai.results.Rollout(**{**fields(many), "agents": ("x" * 400_000,) * 3})
    with pytest.raises(ValueError, match="give the agents shorter names"):
        wordy.save(tmp_path / "kept")


def test_arrays_in_fortrans_order_and_from_numpy(tmp_path: Path) -> None:
    result = RESULTS["rollout"]
    assert isinstance(result, sarai.results.Rollout)
    turned = sarai.results.Rollout(**{**fields(result), "returns": np.asfortranarray(result.returns)})
    turned.save(tmp_path / "kept")
    assert sarai.load(tmp_path / "kept") == result
    # What numpy.savez writes is read as well.
    with np.load(tmp_path / "kept") as file:
        arrays = {name: file[name] for name in file.files}
    with (tmp_path / "again").open("wb") as stream:
        np.savez(stream, **arrays)
    assert sarai.load(tmp_path / "again") == result
