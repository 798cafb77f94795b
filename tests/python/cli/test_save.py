"""`sarai play --save`, `save` and `--resume`: a game that is cut goes on as it would have."""

from __future__ import annotations

import io
import os
import random
from collections.abc import Callable
from pathlib import Path

import pytest

import sarai
from sarai import _core
from sarai._cli import main
from sarai._cli.table import Table

Captured = pytest.CaptureFixture[str]
Run = Callable[..., str]
Patch = pytest.MonkeyPatch

# Rules with 2, 3 and 4 seats, with and without teams, and other agents than greedy.
TABLES = [
    ("sho", ["--preset", "teams"], "greedy,random,mcts:5", "json"),
    ("sho", ["--option", "first_player=random"], "random", "txt"),
    ("shah", ["--preset", "nine_mens_morris"], "mcts:5", "json"),
    ("tshupu", [], "random,human,greedy", "txt"),
    ("shuanglu", ["--preset", "backgammon"], "random", "json"),
]


def play(monkeypatch: Patch, lines: list[str], *words: str) -> int:
    monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
    return main(["play", *words])


@pytest.mark.parametrize(("game", "rules", "against", "ending"), TABLES)
def test_a_cut_game_goes_on_as_it_would_have(
    game: str,
    rules: list[str],
    against: str,
    ending: str,
    tmp_path: Path,
    monkeypatch: Patch,
    capsys: Captured,
    run: Run,
) -> None:
    whole, cut = (str(tmp_path / f"{name}.{ending}") for name in ("whole", "cut"))
    words = [game, *rules, "--against", against, "--seed", "5"]
    moves = ["1"] * 12
    assert play(monkeypatch, moves, *words, "--save", whole) == 0
    straight = capsys.readouterr().out.splitlines()
    assert play(monkeypatch, moves[:5], *words, "--save", cut) == 0
    last = capsys.readouterr().out.splitlines()[-1]
    assert last == f"You have left the game; to continue it: sarai play --resume {cut}"
    # Two choices are taken back, one of them in this sitting.
    resumed = run(["play", "--resume", cut], typed=[moves[5], "undo", "undo", *moves[4:]]).splitlines()
    assert resumed[-10:-1] == straight[-10:-1]
    record = sarai.Record.load(cut)
    assert record == sarai.Record.load(whole)
    assert record.seed == 5
    assert record.agents is not None
    assert [name for name in record.agents if name != "human"] == (
        [name for name in against.split(",") if name != "human"] * (2 if len(record.agents) == 3 else 1)
    )
    assert record.rules == sarai.make(game, **_rules(rules)).rules


def _rules(words: list[str]) -> dict[str, str]:
    pairs = zip(words[::2], words[1::2], strict=True)
    return dict(("preset", value) if name == "--preset" else value.split("=") for name, value in pairs)


@pytest.mark.parametrize("name", sarai.games())
def test_cut_anywhere_even_in_an_agent_s_turn(name: str) -> None:
    game = sarai.make(name)
    players = ["human"] + ["random"] * (game.num_players - 1)
    table = Table(game, players, 21)
    rng = random.Random(2)
    table.advance()
    for _ in range(8):
        table.play(rng.choice(list(table.names().values())))
        table.advance()
    steps = [step.id for step in table.record().steps]
    assert len(steps) > 15
    choices = [index for index, step in enumerate(table.record().steps) if step.player == 0] + [len(steps)]
    for cut in range(len(steps) + 1):
        resumed = Table(game, players, 21, steps[:cut])
        news = resumed.advance()
        waiting = next(index for index in choices if index >= cut)
        assert [step.id for step in resumed.record().steps] == steps[:waiting]
        # What was told before the cut, and not yet answered, is told again.
        whole = Table(game, players, 21, steps[:waiting])
        assert news == whole.advance()
        undone = sum(1 for index in choices if index < waiting)
        for _ in range(undone):
            assert resumed.undo()
        assert not resumed.undo()
        assert len(resumed.record()) == choices[0]


@pytest.mark.parametrize("name", ["sho", "shah"])
def test_a_whole_game_is_kept(name: str, tmp_path: Path, run: Run) -> None:
    file = str(tmp_path / "game.txt")
    short = ["--option", "max_turns=12"]
    out = run(["play", name, *short, "--seed", "1", "--save", file], typed=["1"] * 300)
    record = sarai.Record.load(file)
    assert record.finished
    assert out.splitlines()[-1] == f"The game is saved; to watch it again: sarai replay {file}"
    # A game that is over shows how it ended, and stays as it is.
    before = Path(file).read_bytes()
    assert "The game is over: player 0 (human)" in run(["play", "--resume", file], typed=["1", "undo"])
    assert Path(file).read_bytes() == before


def test_save_in_the_game(tmp_path: Path, monkeypatch: Patch, capsys: Captured) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    lines = ["save", "save a b.json", "d6", "save", "save ~/second.txt", "1", "save nowhere/x.json", "quit"]
    assert play(monkeypatch, lines, "shah", "--seed", "1") == 0
    out = capsys.readouterr().out
    assert "Give a file name: 'save game.json'" in out
    assert "Saved; from now on the game is saved to a b.json." in out
    assert (
        "the game was not saved: cannot write nowhere/x.json: No such file or directory; give another name."
        in out
    )
    assert out.splitlines()[-1].endswith(f"sarai play --resume {tmp_path / 'second.txt'}")
    # The first file was kept up to date until the second took its place.
    first, second = sarai.Record.load("a b.json"), sarai.Record.load("second.txt")
    assert (len(first), len(second)) == (2, 4)
    assert second.steps[:2] == first.steps
    assert first.names[0] == "d6"


def test_nothing_is_overwritten(tmp_path: Path, monkeypatch: Patch, capsys: Captured, run: Run) -> None:
    monkeypatch.chdir(tmp_path)
    Path("mine.json").write_text("of somebody else")
    assert play(monkeypatch, ["1"], "shah", "--save", "mine.json") == 2
    out, errors = capsys.readouterr()
    assert (out, errors.count("\n")) == ("", 1)
    assert "mine.json already exists" in errors
    told = run(["play", "shah", "--save", "other.json"], typed=["1", "save mine.json", "quit"])
    assert "mine.json already exists: give another name." in told
    assert Path("mine.json").read_text() == "of somebody else"
    assert len(sarai.Record.load("other.json")) == 2

    # To go on elsewhere leaves the first file as it is; to go on in the same one needs no --save.
    before = Path("other.json").read_bytes()
    assert play(monkeypatch, ["1"], "--resume", "other.json", "--save", "branch.json") == 0
    assert Path("other.json").read_bytes() == before
    assert len(sarai.Record.load("branch.json")) == 4
    assert play(monkeypatch, ["1"], "--resume", "other.json", "--save", "./other.json") == 0
    assert len(sarai.Record.load("other.json")) == 4
    assert sorted(path.name for path in tmp_path.iterdir()) == ["branch.json", "mine.json", "other.json"]


def test_a_place_that_is_lost_during_the_game(tmp_path: Path, monkeypatch: Patch, run: Run) -> None:
    # It goes on, and can be kept elsewhere.
    folder = tmp_path / "folder"
    folder.mkdir()
    save = sarai.Record.save

    def failing(record: sarai.Record, path: str) -> None:
        if path.startswith(str(folder)) and len(record) > 2:
            raise OSError(28, "No space left on device")
        save(record, path)

    monkeypatch.setattr(sarai.Record, "save", failing)
    words = ["shah", "--seed", "1", "--save", str(folder / "x.json")]
    other = tmp_path / "other.json"
    out = run(["play", *words], typed=["1", "1", f"save {other}", "1"])
    assert (
        " ".join(out.split()).count("No space left on device; use 'save FILE' to save it somewhere else") == 1
    )
    assert out.splitlines()[-1].endswith(f"--resume {other}")
    assert (len(sarai.Record.load(folder / "x.json")), len(sarai.Record.load(other))) == (2, 6)
    # Left so, it ends with an error.
    (folder / "x.json").unlink()
    assert "No space left on device" in run(["play", *words], 1, typed=["1", "1", "quit"])


def test_a_record_by_hand_has_no_seed(tmp_path: Path, run: Run) -> None:
    file = tmp_path / "hand.txt"
    record = sarai.Record.from_steps("shah", [4], agents=["human", "human"])
    record.save(file)
    told = run(["play", "--resume", str(file)], typed=["undo", "a7", "quit"])
    assert "after 1 step; humans are players 0, 1." in told
    resumed = sarai.Record.load(file)
    assert resumed.names == ["a7"]
    assert resumed.seed is not None
    # A choice that is taken back is taken back in the file too.
    run(["play", "--resume", str(file)], typed=["undo", "quit"])
    assert sarai.Record.load(file).names == []


def test_ctrl_c_keeps_what_an_agent_had_begun(tmp_path: Path, monkeypatch: Patch, capsys: Captured) -> None:
    def interrupted(job: _core.Job) -> str:
        if len(job.state.legal_actions()) > 1:
            raise KeyboardInterrupt
        return job.work()

    monkeypatch.setattr("sarai._cli.table.work", interrupted)
    file = tmp_path / "game.json"
    words = ["sho", "--against", "mcts:1000", "--seed", "3", "--save", str(file)]
    assert play(monkeypatch, ["1"] * 20, *words) == 130
    told = f"error: interrupted; to continue the game: sarai play --resume {file}\n"
    assert capsys.readouterr().err == told
    # Its single legal moves are made, dice are thrown, and there it has something to think about.
    names = sarai.Record.load(file).names
    state = sarai.Record.load(file).final_state
    assert len(names) > 2
    assert state.current_player() > 0
    assert len(state.legal_actions()) > 1


@pytest.mark.parametrize("error", [MemoryError(), RuntimeError("the system refuses a thread")])
def test_what_was_chosen_is_kept_where_an_agent_cannot_think(
    error: Exception, tmp_path: Path, monkeypatch: Patch, run: Run
) -> None:
    def fails(job: _core.Job) -> str:
        raise error

    monkeypatch.setattr("sarai._cli.table.work", fails)
    file = tmp_path / "game.json"
    errors = run(["play", "shah", "--save", str(file)], 1, typed=["a7"])
    assert errors.startswith(f"error: {error or 'there is not enough memory'}")
    assert errors.count("\n") == 1
    assert sarai.Record.load(file).names == ["a7"]


def test_a_file_is_left_as_it_is_until_somebody_chooses(tmp_path: Path, monkeypatch: Patch) -> None:
    file = tmp_path / "game.txt"
    begun = sarai.Record.from_steps("shah", [4], seed=7, number=3, agents=["greedy", "human"])
    file.write_text(f"# a remark\n{begun.to_text()}", encoding="utf-8")
    before = file.read_bytes()
    assert play(monkeypatch, ["legal", "hint", "quit"], "--resume", str(file)) == 0
    assert file.read_bytes() == before
    assert play(monkeypatch, ["1", "quit"], "--resume", str(file)) == 0
    after = sarai.Record.load(file)
    assert len(after) == 3  # the choice, and what the agent played then
    # It is no longer that game of a rollout.
    assert (after.seed, after.number) == (7, None)


def test_a_file_keeps_who_may_read_it(tmp_path: Path, monkeypatch: Patch) -> None:
    file = tmp_path / "game.json"
    assert play(monkeypatch, ["1", "quit"], "shah", "--save", str(file)) == 0
    file.chmod(0o600)
    assert play(monkeypatch, ["1", "quit"], "--resume", str(file)) == 0
    if os.name != "nt":
        assert file.stat().st_mode & 0o777 == 0o600


@pytest.mark.skipif(os.name == "nt", reason="links need rights there")
def test_a_link_to_nowhere_is_no_new_file(tmp_path: Path, run: Run) -> None:
    link = tmp_path / "link.json"
    link.symlink_to(tmp_path / "elsewhere.json")
    assert "already exists" in run(["play", "shah", "--save", str(link)], 2, typed=["quit"])
    assert "already exists" in run(["play", "shah"], typed=[f"save {link}", "quit"])
    assert not (tmp_path / "elsewhere.json").exists()


def test_a_record_may_begin_with_a_mark_of_its_byte_order(tmp_path: Path) -> None:
    record = sarai.Record.from_steps("shah", [4, 19])
    for name, text in (("a.json", record.to_json()), ("a.txt", record.to_text())):
        (tmp_path / name).write_text("\ufeff" + text, encoding="utf-8")
        assert sarai.Record.load(tmp_path / name) == record
