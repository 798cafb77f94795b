"""Runs that are killed, meet each other, or run out of room: nothing finished is lost, and the bytes are the same."""

from __future__ import annotations

import errno
import os
import random
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

import sarai
from helpers.folders import content, part_files
from sarai._base import lock

pytest.importorskip("pyarrow")

WORDS = [
    "sho",
    "--games",
    "4500",
    "--chunk-games",
    "150",
    "--option=num_shells=24",
    "--no-progress",
    "--seed",
    "0",
]

HOLD = """
import sys
from sarai._base.lock import locked
with locked(sys.argv[1]):
    print("held", flush=True)
    sys.stdin.read()
"""

LIMITED = """
import resource, signal, sys, sarai
# Without this the system would end the process instead of refusing the write.
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (6000, 6000))
try:
    sarai.dataset("sho", num_games=1000, out=sys.argv[1], chunk_games=600, seed=1, first_game=5)
except OSError as error:
    print(error.filename)
"""


def command(folder: Path, *more: str) -> list[str]:
    return [sys.executable, "-m", "sarai", "dataset", *WORDS, *more, "--out", os.fspath(folder)]


@contextmanager
def running(words: list[str]) -> Iterator[subprocess.Popen[bytes]]:
    process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        yield process
    finally:
        process.kill()
        process.wait()


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    folder = tmp_path_factory.mktemp("faults") / "undisturbed"
    subprocess.run(command(folder), check=True, capture_output=True)
    return content(folder)


@pytest.mark.parametrize(
    ("more", "kills"),
    [
        ([], 1),
        pytest.param([], 10, marks=pytest.mark.nightly),
        pytest.param(["--processes", "2"], 10, marks=pytest.mark.nightly),
    ],
    ids=["alone once", "alone", "processes"],
)
def test_kills_at_any_moment(
    more: list[str], kills: int, undisturbed: dict[str, bytes], tmp_path: Path
) -> None:
    seed = random.SystemRandom().randrange(2**32)
    rng = random.Random(seed)
    folder = tmp_path / "d"
    folder.mkdir()
    for _ in range(kills):
        before = {path.name: path.read_bytes() for path in part_files(folder)}
        # After some event, and then at some moment of what follows: whatever it hits must do no harm.
        event = len(before) + rng.randrange(3)
        with running(command(folder, *more)) as process:
            while process.poll() is None and len(part_files(folder)) < event:
                pass
            for _ in range(rng.randrange(200)):
                os.listdir(folder)
            process.send_signal(signal.SIGKILL)
            process.wait()
        now = {path.name: path.read_bytes() for path in part_files(folder)}
        assert before.items() <= now.items(), seed
        assert now.items() <= undisturbed.items(), seed
    done = subprocess.run(command(folder, *more), capture_output=True, text=True)
    assert done.returncode == 0, (seed, done.stderr)
    assert content(folder) == undisturbed, seed
    assert sarai.open_dataset(folder).verify() == []


def test_two_runs_on_one_folder(tmp_path: Path) -> None:
    folder = tmp_path / "d"
    folder.mkdir()
    holder = subprocess.Popen(
        [sys.executable, "-c", HOLD, os.fspath(folder)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    with holder:
        assert holder.stdout is not None
        assert holder.stdout.readline().strip() == b"held"
        with pytest.raises(ValueError, match="another run is writing into"):
            sarai.dataset("sho", num_games=10, out=folder, seed=0)
        assert [path.name for path in folder.iterdir()] == [".lock"]
        # Killed, it cannot let go; the system does.
        holder.kill()
    assert sarai.dataset("sho", num_games=10, out=folder, seed=0).verify() == []


def test_where_there_are_no_locks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def none(file: object) -> None:
        raise OSError(errno.ENOLCK, "no locks available")

    monkeypatch.setattr(lock, "_lock", none)
    assert sarai.dataset("sho", num_games=10, out=tmp_path, seed=0).verify() == []


@pytest.mark.parametrize("number", [errno.EROFS, errno.EACCES])
def test_a_finished_dataset_where_nothing_may_be_written(
    number: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def read_only(path: str, mode: str) -> object:
        if mode != "rb":
            raise OSError(number, os.strerror(number), path)
        return open(path, mode)

    sarai.dataset("sho", num_games=10, out=tmp_path, seed=0)
    monkeypatch.setattr(lock, "open", read_only, raising=False)
    assert sarai.dataset("sho", num_games=10, out=tmp_path, seed=0).verify() == []


@pytest.mark.skipif(sys.platform == "win32", reason="limits are POSIX's")
def test_a_file_that_may_not_grow(tmp_path: Path) -> None:
    folder = tmp_path / "d"
    done = subprocess.run([sys.executable, "-c", LIMITED, os.fspath(folder)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert Path(done.stdout.strip()).name.startswith("part-00000000-"), done.stdout
    assert {path.name for path in folder.iterdir()} == {".lock", "_manifest.parquet"}
    how = {"num_games": 1000, "chunk_games": 600, "seed": 1, "first_game": 5}
    sarai.dataset("sho", out=folder, **how)  # type: ignore[arg-type]
    sarai.dataset("sho", out=tmp_path / "other", **how)  # type: ignore[arg-type]
    assert content(folder) == content(tmp_path / "other")


@pytest.mark.nightly
def test_two_runs_at_once_end_as_one(undisturbed: dict[str, bytes], tmp_path: Path) -> None:
    folder = tmp_path / "d"
    both = [subprocess.Popen(command(folder), stderr=subprocess.PIPE, text=True) for _ in range(2)]
    said = [one.communicate()[1] for one in both]
    codes = [one.returncode for one in both]
    assert 0 in codes
    for code, words in zip(codes, said, strict=True):
        assert code == 0 or (code == 2 and "another run is writing into" in words), words
    assert content(folder) == undisturbed


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    place = tmp_path / "disk"
    place.mkdir()
    mount = shutil.which("mount")
    if sys.platform != "linux" or os.geteuid() != 0 or mount is None:
        pytest.skip("only root mounts a small disk")
    size = ["mount", "-t", "tmpfs", "-o", "size=128k", "tmpfs", os.fspath(place)]
    if subprocess.run(size, capture_output=True).returncode != 0:
        pytest.skip("this machine does not let root mount a disk")
    yield place
    subprocess.run(["umount", os.fspath(place)], check=True)


@pytest.mark.nightly
def test_a_full_disk(small_disk: Path, undisturbed: dict[str, bytes], tmp_path: Path) -> None:
    folder = small_disk / "d"
    done = subprocess.run(command(folder), capture_output=True, text=True)
    assert done.returncode == 1
    assert "cannot write" in done.stderr
    assert "No space left on device" in done.stderr
    kept = {path.name: path.read_bytes() for path in part_files(folder)}
    assert kept
    assert kept.items() < undisturbed.items()
    assert not any(path.suffix == ".tmp" for path in folder.iterdir())
    # On a larger disk it goes on with what there is.
    moved = Path(shutil.copytree(folder, tmp_path / "moved"))
    subprocess.run(command(moved), check=True, capture_output=True)
    assert content(moved) == undisturbed
