"""`sarai play`: whole games from a pipe, the commands, and moves that are typed wrongly."""

from __future__ import annotations

import io
import random
import re
from collections.abc import Callable
from pathlib import Path

import pytest

import sarai
from sarai._cli import main
from sarai._cli.table import Table, find_move
from sarai._render.text import introduction

Captured = pytest.CaptureFixture[str]
Run = Callable[..., str]
Patch = pytest.MonkeyPatch

# Rules with 2, 3 and 4 seats, with and without teams.
TABLES = [
    ("sho", ["--option", "players=2"], "greedy"),
    ("sho", ["--preset", "teams"], "greedy,random,mcts:5"),
    ("sho", ["--option", "players=4", "--option", "first_player=random"], "greedy"),
    ("shah", ["--preset", "nine_mens_morris"], "greedy"),
    ("tshupu", ["--preset", "chaupar_style"], "random,greedy,random"),
    ("shuanglu", [], "greedy"),
    ("sho", ["--option", "max_turns=20"], "human"),
    *(
        pytest.param(*table, marks=pytest.mark.nightly)
        for table in (
            ("sho", [], "random"),
            ("shah", [], "mcts:5"),
            ("tshupu", [], "greedy"),
            ("shuanglu", ["--preset", "backgammon"], "random"),
        )
    ),
]


def play(monkeypatch: Patch, lines: list[str], *words: str) -> int:
    monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
    return main(["play", *words])


def first_moves(out: str) -> list[str]:
    """The names in the lists of moves that were printed, each list by its first line."""
    return re.findall(r"^1 (\S.*?)(?:  |$)", out, re.MULTILINE)


def last_words(out: str) -> str:
    """The result at the end of what was printed, which may take more than one line."""
    return " ".join(out[out.index("The game is over: ") :].split()).removeprefix("The game is over: ")


@pytest.mark.parametrize(("game", "rules", "against"), TABLES)
def test_whole_games(game: str, rules: list[str], against: str, monkeypatch: Patch, capsys: Captured) -> None:
    assert play(monkeypatch, ["1"] * 20_000, game, *rules, "--against", against, "--seed", "5") == 0
    out, errors = capsys.readouterr()
    assert errors == ""
    assert last_words(out).startswith("player 0 (human) ")
    assert last_words(out).count("(human)") == (3 if against == "human" else 1)
    assert "no legal move" not in out
    assert max(map(len, out.splitlines())) <= 120
    assert "\x1b" not in out


@pytest.mark.parametrize("game", sarai.games())
def test_moves_by_name_from_another_seat(game: str, monkeypatch: Patch, capsys: Captured) -> None:
    rng = random.Random(3)
    rules = sarai.make(game, max_turns=40)
    seat = rules.num_players - 1
    players = ["greedy"] * seat + ["human"]
    table = Table(rules, players, 11)
    table.advance()
    moves = []
    while table.waits:
        name, action = rng.choice(list(table.names().items()))
        moves.append(name)
        table.play(action)
        table.advance()
    words = [game, "--against", "greedy", "--seat", str(seat), "--seed", "11", "--option", "max_turns=40"]
    assert play(monkeypatch, moves, *words) == 0
    out = capsys.readouterr().out
    assert len(moves) > 5
    assert last_words(out) == table.result()
    # The same seed and moves, the same game; another seed, another one where there are dice.
    assert play(monkeypatch, moves, *words) == 0
    assert capsys.readouterr().out == out


def test_undo_by_hand() -> None:
    table = Table(sarai.make("shah"), ["human", "human"], 0)
    assert not table.undo()
    start = str(table.state)
    table.play(table.names()["d6"])
    with pytest.raises(ValueError, match="not legal"):
        table.play(10_000)
    assert table.undo()
    assert str(table.state) == start
    assert not table.undo()
    table = Table(sarai.make("sho"), ["human", "random", "random"], 0)
    with pytest.raises(ValueError, match="chance decides now"):
        table.play(0)
    table.advance()
    assert table.waits


def test_undo_takes_back_all_that_was_typed_at_once(run: Run) -> None:
    table = Table(sarai.make("shuanglu"), ["human", "human"], 1)
    table.advance()
    start, turn = str(table.state), []
    player = table.state.current_player()
    while table.waits and table.state.current_player() == player:
        turn.append(next(iter(table.names())))
        table.play(table.names()[turn[-1]])
    assert len(turn) > 1
    words = ["play", "shuanglu", "--against", "human", "--seed", "1"]
    for typed in ([" ".join(turn), "undo"], [*turn, *["undo"] * len(turn)]):
        assert run(words, typed=typed).endswith(f"You have left the game at: {start}\n")
    assert not run(words, typed=[*turn, "undo"]).endswith(f" {start}\n")


@pytest.mark.parametrize("game", sarai.games())
def test_hints_change_nothing(game: str, run: Run) -> None:
    words = [game, "--against", "mcts:5", "--seed", "4"]
    plain = run(["play", *words], typed=["1", "1", "1"])
    hinted = run(["play", *words], typed=["hint", "1", "hint", "1", "hint", "1", "hint"]).splitlines()
    hints = [line for line in hinted if " would play " in line or "for certain: " in line]
    assert [line for line in hinted if line not in hints] == plain.splitlines()
    assert len(hints) == 8


def test_the_hint_is_the_agent_s_choice() -> None:
    table = Table(sarai.make("tshupu"), ["human"] * 4, 2)
    table.advance()
    choice = table.state.action_to_string(sarai.choose(table.state, "greedy", seed=0))
    search, greedy = table.hints()
    assert greedy == f"greedy would play {choice}"
    assert search.startswith("mcts:1000,evaluator=heuristic would play ")


def test_the_hint_says_what_is_certain() -> None:
    state = sarai.make("shah").parse(
        "slide player=0 board=11.........1....1..0..00 hand=0,0 beginner=0 opening_removals=0 extra=false "
        "lifted=- no_capture=0 turn=90 winner=-"
    )
    table = Table(state.get_game(), ["human"] * 2, 2, start=state)
    certain, advice = table.hints()
    assert certain == "for certain: d1-a1 wins in 7 turns, g1-g4 wins in 11 turns, d2-b2 loses in 14 turns"
    assert advice.startswith("greedy would play")


@pytest.mark.parametrize("game", sarai.games())
def test_who_has_never_played_is_told_what_to_do(game: str, tmp_path: Path, run: Run) -> None:
    file = str(tmp_path / "game.json")
    title, aim, moves, *rest = run(
        ["play", game, "--seed", "1", "--save", file], typed=["help", "1"]
    ).splitlines()
    assert title.startswith(f"{game}, seed 1; you are player 0. Type 'help'")
    assert [aim, moves] == introduction(game)
    # The help says it again, when it has left the screen.
    again = rest.index(aim)
    assert rest[again + 1] == moves
    assert f"The rules, numbered and with their sources: sarai rules {game}" in rest[again:]
    assert aim not in run(["play", "--resume", file], typed=["quit"])


def test_wrong_lines_are_told_and_asked_again(monkeypatch: Patch, capsys: Captured) -> None:
    wrong = ["zz", "0", "25", "-1", "1.5", "a", "²", "\x1b[A", "9" * 900, "é" * 500, "", "   "]
    assert play(monkeypatch, [*wrong, "a7"], "shah", "--against", "human", "--seed", "1") == 0
    out, errors = capsys.readouterr()
    assert errors == ""
    assert out.count("is no legal move") == len(wrong) - 3
    assert "'a' may be a7 or a4 or a1: type more of it" in out
    assert out.splitlines()[-1].startswith("You have left the game at: place player=1 board=0")
    assert "\x1b" not in out


def test_how_a_move_is_found() -> None:
    names = {"hand/1": 4, "hand/10": 5, "2/3 (both)": 6, "11/12": 7}
    # A name that is the beginning of another is meant itself; a number in the list is not the beginning of a name.
    for word, action in (("hand/1", 4), ("hand/10", 5), ("2", 5), ("4", 7), ("1", 4), ("2/", 6), ("11", 7)):
        assert find_move(names, word) == action
    for word in ("hand", "5", "0", "+1", "٣", "2/3 (both) ", "HAND/1"):
        assert isinstance(find_move(names, word), str)


def test_end_of_input_and_quit_leave_with_0(monkeypatch: Patch, capsys: Captured, run: Run) -> None:
    for lines in ([], ["quit", "1", "1"]):
        assert play(monkeypatch, lines, "shuanglu", "--seed", "1") == 0
        out, errors = capsys.readouterr()
        assert errors == ""
        last = out.splitlines()[-1]
        assert last.startswith("You have left the game at: ")
        # What is printed can be taken up again.
        position = last.removeprefix("You have left the game at: ")
        assert run(["show", "shuanglu", position]).splitlines()[-1] == position


def test_a_new_seed_is_told(run: Run) -> None:
    out = run(["play", "sho"], typed=["1"] * 3)
    found = re.search(r"seed (\d+);", out)
    assert found is not None
    assert run(["play", "sho", "--seed", found.group(1)], typed=["1"] * 3) == out
