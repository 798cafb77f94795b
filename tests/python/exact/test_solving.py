"""Making tables, from Python and from the command line, and checking them."""

from __future__ import annotations

import json
import random
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import pytest

import sarai
from exact.test_bear_off import solved
from helpers.folders import content, pairs_of_shah
from sarai import _core
from sarai._cli import main
from sarai._exact import solving
from sarai._exact.tables import SHIPPED
from sarai.exact import BearOff

FEW = {"pieces": 3, "opening_removals": "none"}


def test_what_is_solved_is_what_ships(tmp_path: Path) -> None:
    events: list[str] = []

    def listen(event: dict[str, Any]) -> None:
        events.append(event["event"])
        if events == ["begun", "written"]:
            raise LookupError("enough")

    # What was stopped goes on with the tables that are missing.
    with pytest.raises(LookupError, match="enough"):
        sarai.exact.solve("shah", (3, 4), tmp_path, num_threads=2, progress=False, tell=listen)
    shipped = content(pairs_of_shah(tmp_path.parent / f"{tmp_path.name}-pairs"))
    del shipped["shah-4-4.exact"]
    assert content(tmp_path) == {"shah-3-3.exact": shipped["shah-3-3.exact"]}
    events.clear()
    sarai.exact.solve("shah", (3, 4), tmp_path, progress=False, tell=listen)
    assert events == ["found", "begun", "written", "written", "done"]
    assert content(tmp_path) == shipped
    # What is there is not solved again, whichever side has more.
    events.clear()
    sarai.exact.solve("shah", (4, 3), tmp_path, progress=False, tell=listen)
    assert events == ["found", "found"]
    # Tables of other rules are refused, and stay.
    with pytest.raises(ValueError, match="is of other rules"):
        sarai.exact.solve("shah(preset=nine_mens_morris)", (3, 3), tmp_path, progress=False)
    assert content(tmp_path) == shipped


def test_what_it_takes_is_said_before(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    everything = sarai.exact.plan("shah", (255, 255))
    assert (everything.tables, everything.places) == (81, 15_641_115_975)
    assert sarai.exact.plan("shah", (6, 6)).memory < 1_000_000_000
    monkeypatch.setattr(solving, "free_memory", lambda: 10_000_000)
    with pytest.raises(MemoryError, match=r"10\.0 MB"):
        sarai.exact.solve("shah", (6, 6), tmp_path / "none", progress=False)
    assert not (tmp_path / "none").exists()
    few = sarai.make("shah", rules=FEW)
    due = sarai.exact.plan(few, placing=True)
    assert (due.tables, due.places) == (6, 81_734)
    monkeypatch.setattr(solving, "free_memory", lambda: due.memory - 1)
    with pytest.raises(MemoryError, match="memory"):
        sarai.exact.solve(few, None, tmp_path / "none", placing=True, progress=False)
    monkeypatch.undo()
    monkeypatch.setattr(solving, "_BYTES_A_PLACE", 1e9)
    with pytest.raises(OSError, match="on the disk"):
        sarai.exact.solve("shah", (3, 3), tmp_path / "none", progress=False)


def test_verify() -> None:
    for preset in ("shah", "nine_mens_morris"):
        told: list[dict[str, Any]] = []
        found = sarai.exact.verify(SHIPPED / preset, sample=101, tell=told.append)
        assert (found.wrong, found.first) == (0, None)
        assert found.positions >= 5_686_415 // 101
        assert [table["pair"] for table in told[:4]] == [[3, 3], [3, 4], [4, 3], [4, 4]]
        # Of the turns that ship, the values of the last are those of turns that do not.
        turns = [table["layer"] for table in told[4:]]
        assert turns == ([6, 5, 4, 3, 2, 1, 0] if preset == "shah" else [])


def test_bad_arguments_do_nothing(tmp_path: Path) -> None:
    out: Any = tmp_path / "none"
    for call in (
        lambda **more: sarai.exact.solve("shah", (3, 3), out, progress=False, **more),
        lambda **more: sarai.exact.verify(SHIPPED / "shah", sample=10**6, **more),
        lambda **more: sarai.exact.load("shah").save_values(out, **more),
    ):
        with pytest.raises(TypeError, match="tell"):
            call(tell=5)
    for placing in ("x", 1):
        given: Any = placing
        for stones in (None, (3, 3)):
            with pytest.raises(TypeError, match="placing"):
                sarai.exact.plan("shah", stones, placing=given)
            with pytest.raises(TypeError, match="placing"):
                sarai.exact.solve("shah", stones, out, placing=given, progress=False)
    assert not out.exists()


class Ran(NamedTuple):
    """What a command has come to."""

    status: int
    out: str
    err: str


Run: TypeAlias = Callable[..., Ran]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run `sarai solve` with these words; the pace is measured on less than usual."""
    monkeypatch.setattr(sys.modules["sarai._cli.solve"], "_CALIBRATION", (3, 3))
    return lambda *words: Ran(main(["solve", *words]), *capsys.readouterr())


def test_a_folder_that_cannot_be_made_is_named(run: Run, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    nowhere = str(tmp_path / "file" / "folder")
    status, out, err = run("shah", "--out", str(SHIPPED / "shah"), "--values", nowhere)
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert err.startswith(f"error: {nowhere} cannot be made a folder")


def test_the_command(run: Run, tmp_path: Path) -> None:
    out = str(tmp_path / "tables")
    done = run("shah", "--stones", "3", "--out", out)
    assert done.status == 0, done.err
    assert done.out.splitlines()[1].split() == [
        "3",
        "3",
        "2,691,920",
        "1,442,044",
        "635,752",
        "614,124",
        "39",
    ]
    assert done.err.startswith("1 table with 210,140 positions up to symmetry; up to")
    said = json.loads(run("shah", "--stones", "3", "--out", out, "--json").out)
    assert said["tables"][0]["won"] == 1_442_044
    checked = run("shah", "--verify", "--out", out, "--sample", "7")
    assert checked.out == "3 against 3: 30,020 positions, 0 wrong\n"
    for words, error in (
        (("--out", out), "give one of --stones, --all, --placing, --values and --strategy"),
        (("--stones", "x", "--out", out), "--stones takes a number such as 4, or two such as 5,3, not 'x'"),
        (
            ("--stones", "3", "--verify", "--out", out),
            "leave out --stones, --all, --placing, --values and --strategy",
        ),
        (("--stones", "3", "--sample", "2", "--out", out), "--sample is for --verify only"),
        (("--stones", "3"), "give --out DIR, the folder of the tables"),
        (("--bear-off", "--stones", "3"), "--bear-off goes with --out, --preset, --option and --json only"),
        (("--bear-off",), "there is no bear-off for 'shah', only for shuanglu"),
    ):
        wrong = run("shah", *words)
        assert wrong.status == 2
        assert error in wrong.err


def test_the_command_shows_the_bear_off(run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    asked: list[Any] = []

    def once(*given: Any, **more: Any) -> BearOff:
        asked.append((*given, more))
        return solved("backgammon")

    monkeypatch.setattr(sys.modules["sarai._cli.solve"], "solve_bear_off", once)
    words = ("shuanglu", "--preset", "backgammon", "--bear-off")
    shown = run(*words, "--out", str(tmp_path))
    assert shown.status == 0, shown.err
    # One piece goes off from point 6 by 27 throws of 36, and by any from point 3.
    assert [line.split()[:2] for line in shown.out.splitlines()][3::3] == [["3", "1.0000"], ["6", "1.2500"]]
    said = json.loads(run(*words, "--json").out)
    assert (said["pieces"][0], said["turns"][5][0]) == (1, 1.25)
    with np.load(tmp_path / "shuanglu-bear-off.npz") as kept:
        row = (kept["placings"] == [0, 0, 0, 0, 0, 1]).all(axis=1)
        assert kept["turns"][row] == [1.25]
    nowhere = tmp_path / "shuanglu-bear-off.npz" / "folder"
    status, out, err = run(*words, "--out", str(nowhere))
    assert (status, out, err.count("\n")) == (1, "", 1)
    assert err.startswith(f"error: cannot write {nowhere}")
    assert asked == [(sarai.make("shuanglu", preset="backgammon"), 0, {})] * 3


@pytest.mark.nightly
def test_a_killed_solve_goes_on(tmp_path: Path) -> None:
    """Killed as soon as there is a first table; what is then there is whole."""
    command = [sys.executable, "-m", "sarai", "solve", "shah", "--stones", "3,4", "--out", str(tmp_path)]
    with subprocess.Popen(command, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL) as process:
        while process.poll() is None and not (tmp_path / "shah-3-3.exact").exists():
            time.sleep(0.01)
        process.kill()
    sarai.exact.solve("shah", (3, 4), tmp_path, progress=False)
    shipped = content(pairs_of_shah(tmp_path.parent / f"{tmp_path.name}-pairs"))
    assert {name: content(tmp_path)[name] for name in content(tmp_path) if name.endswith(".exact")} == {
        name: shipped[name] for name in ("shah-3-3.exact", "shah-3-4.exact", "shah-4-3.exact")
    }


def test_placing(run: Run, tmp_path: Path) -> None:
    out = str(tmp_path / "tables")
    options = [word for name, value in FEW.items() for word in ("--option", f"{name}={value}")]
    # Nothing is begun where the tables of the moving phase are missing.
    game = sarai.make("shah", rules=FEW)
    with pytest.raises(ValueError, match="3-3"):
        sarai.exact.solve(game, None, out, placing=True, progress=False)
    sarai.exact.solve(game, (3, 3), out, progress=False)
    done = run("shah", *options, "--placing", "--out", out)
    assert done.status == 0, done.err
    assert done.out.splitlines()[-1] == "From the empty board the second player wins in 9 turns."
    assert done.err.startswith("6 tables with 81,734 positions up to symmetry; up to")
    tables = sarai.exact.load(game, out)
    state = game.new_initial_state()
    assert tables.value(state) == (-1, 9)
    line = []
    # Along the best play the turns count down, into the moving phase and to the end.
    for turns in range(9, 0, -1):
        assert tables.value(state).turns == turns
        passed = state.turns_passed()
        while not state.is_terminal() and state.turns_passed() == passed:
            after = {action: _worth(tables, state, action) for action in state.legal_actions()}
            moves = tables.moves(state)
            assert [move.action for move in moves] == sorted(
                after, key=lambda action: (-after[action], action)
            )
            line.append(moves[0].action)
            state.apply_action(line[-1])
    assert state.is_terminal()
    assert state.winner == 1
    perfect = f"perfect:{out}"
    assert [step.id for step in sarai.Record.play(game, perfect, seed=0).steps] == line
    assert (sarai.rollout(game, ["random", perfect], 200, seed=1).winner == 1).all()
    told_of = sarai.analyse(game.new_initial_state(), perfect, seed=0)
    assert (told_of.moves[0].turns, told_of.value) == (9, (-1.0, 1.0))
    rows = game.sample_states(num_games=300, seed=1)
    values, turns_left = tables.values(rows)
    assert list(zip(values.tolist(), turns_left.tolist(), strict=True)) == [
        (tables.value(row).value, tables.value(row).turns or -1) for row in rows
    ]
    drawn = tables.draw(game.new_initial_state())
    assert "\N{MINUS SIGN}9" in str(drawn)
    events: list[dict[str, Any]] = []
    sarai.exact.solve(game, None, out, placing=True, progress=False, tell=events.append)
    assert {event["event"] for event in events} == {"found"}
    told: list[dict[str, Any]] = []
    assert sarai.exact.verify(out, sample=5, tell=told.append).wrong == 0
    assert [table.get("layer") for table in told] == [None, 5, 4, 3, 2, 1, 0]
    # Rules on which only the turns before the moving phase depend are told apart.
    other = sarai.make("shah", rules={**FEW, "begin": "first_player"})
    with pytest.raises(ValueError, match="is of other rules"):
        sarai.exact.solve(other, None, out, placing=True, progress=False)
    mixed, slides = sarai.exact.load(other, out), tables.sample_states(5, seed=1)
    assert np.array_equal(mixed.values(slides)[0], tables.values(slides)[0])
    for look in (mixed.value, mixed.moves, mixed.covers):
        with pytest.raises(ValueError, match="is of other rules"):
            look(other.new_initial_state())
    assert not tables.covers(other.new_initial_state())
    with pytest.raises(ValueError, match="row 0: the tables do not have this position"):
        tables.values(sarai.States(other, 3))
    # A flipped bit is found when the tables are loaded.
    path = Path(out) / "shah-turn-3-1-2.exact"
    content = bytearray(path.read_bytes())
    content[-1] ^= 1
    path.write_bytes(content)
    with pytest.raises(ValueError, match=r"shah-turn-3-1-2\.exact"):
        sarai.exact.load(game, out)


def _worth(tables: sarai.exact.Tables, state: sarai.State, action: int) -> int:
    """How good an action is for who acts: a quick win first, then the late loss."""
    player, after = state.current_player(), state.clone()
    after.apply_action(action)
    if after.is_terminal():
        return 1000 if after.winner == player else -1000
    if after.current_player() == player and not tables.covers(after):
        return max(_worth(tables, after, last) for last in after.legal_actions())
    value, turns = tables.value(after)
    worth = value * (1000 - turns) if turns is not None else 0
    return worth if after.current_player() == player else -worth


@pytest.mark.nightly
def test_a_solve_killed_at_any_moment_goes_on(tmp_path: Path) -> None:
    """Moments that a seed draws; what is lost is at most the table in work."""
    moments = random.Random(14)
    script = (
        "import sarai, sys\n"
        "print(flush=True)\n"
        "game = sarai.make('shah', rules={'pieces': 3, 'opening_removals': 'none'})\n"
        "sarai.exact.solve(game, (3, 3), sys.argv[1], num_threads=1, progress=False)\n"
        "sarai.exact.solve(game, None, sys.argv[1], placing=True, num_threads=1, progress=False)\n"
    )
    due = tmp_path / "whole"
    subprocess.run([sys.executable, "-c", script, str(due)], check=True, stdout=subprocess.PIPE)
    out = tmp_path / "killed"
    for _ in range(4):
        with subprocess.Popen([sys.executable, "-c", script, str(out)], stdout=subprocess.PIPE) as process:
            assert process.stdout is not None
            process.stdout.readline()
            time.sleep(moments.uniform(0, 0.3))
            process.kill()
    subprocess.run([sys.executable, "-c", script, str(out)], check=True, stdout=subprocess.PIPE)
    left = content(out)
    assert {name: left[name] for name in left if name.endswith(".exact")} == content(due)


def test_what_is_wrong_is_added_up(monkeypatch: pytest.MonkeyPatch) -> None:
    def found(game: Any, folder: str, *, placing: bool, every: int, num_threads: Any, tell: Any) -> None:
        for wrong, first in ((2, "first"), (3, "second"), (0, None)):
            tell(json.dumps({"positions": 10, "wrong": wrong, "first": first}))

    monkeypatch.setattr(_core, "exact_verify", found)
    assert sarai.exact.verify(SHIPPED / "nine_mens_morris") == solving.Verified(30, 5, "first")
