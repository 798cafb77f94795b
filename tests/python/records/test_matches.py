"""Matches of backgammon in .mat files: those of GNU Backgammon, those written here, and wrong ones."""

from __future__ import annotations

import random
import re
from contextlib import suppress
from pathlib import Path

import pytest

import sarai
from helpers import gnubg, night
from sarai import Record
from sarai._records.match import read
from sarai.records import CubeAction, Match, MatchGame

KEPT = sorted((Path(__file__).parent / "gnubg").glob("*.mat"))
BACKGAMMON = sarai.make("shuanglu", preset="backgammon")


def loaded(path: Path) -> Match:
    match = sarai.load(path)
    assert isinstance(match, Match)
    return match


@pytest.mark.parametrize("path", KEPT, ids=lambda path: path.stem)
def test_kept_matches_come_through_unchanged(path: Path, tmp_path: Path) -> None:
    match = loaded(path)
    match.save(tmp_path / "copy.mat")
    assert (tmp_path / "copy.mat").read_bytes() == path.read_bytes()
    assert loaded(tmp_path / "copy.mat") == match
    assert match.players == ("Ann Lee", "bob")
    score = [0, 0]
    for game in match.games:
        assert game.score == tuple(score)
        assert game.record.game == BACKGAMMON
        assert game.winner is not None
        assert game.points is not None
        # By the rules a game is over when all pieces are off, and not where a double is dropped or somebody resigns.
        assert game.record.winner in (None, game.winner)
        score[game.winner] += game.points
    assert max(score) >= match.length


def test_cubes_are_facts() -> None:
    game = loaded(KEPT[2]).games[0]
    doubled, taken = game.cube[:2]
    assert (doubled.name, taken.name) == ("Doubles => 2", "Takes")
    assert doubled.step == taken.step
    state = game.record.states()[doubled.step]
    assert state.is_chance_node()
    assert (doubled.player, taken.player) == (state.to_dict()["player"], 1 - state.to_dict()["player"])


@pytest.mark.parametrize("seed", night.after(2, range(50)))
def test_gnu_backgammons_matches_come_through_unchanged(seed: int, tmp_path: Path) -> None:
    if gnubg.program() is None:
        pytest.skip("GNU Backgammon is not installed")
    text = gnubg.match(tmp_path / "match.mat", length=1 + seed % 7, seed=1000 + seed)
    assert loaded(tmp_path / "match.mat").to_text() == text


def played(seed: int, rng: random.Random) -> tuple[Record, tuple[CubeAction, ...], int, int]:
    """A game that ends in one of the ways that there are: by the rules, by a drop, or by a resignation."""
    record = Record.from_steps(
        BACKGAMMON, [step.id for step in Record.play(BACKGAMMON, "greedy", seed=seed).steps]
    )
    throws = [place for place, step in enumerate(record.steps) if step.player < 0 and place > 3]
    at, how = rng.choice(throws), rng.choice(["off", "doubled", "drop", "resign", "resign after the throw"])
    seat = record.states()[at].to_dict()["player"]
    cube = (CubeAction(at, seat, "Doubles => 2"), CubeAction(at, 1 - seat, "Takes"))
    if how in ("off", "doubled"):
        (only,) = Match.from_records([record]).games
        assert only.points is not None
        assert record.winner is not None
        return (
            (record, (), record.winner, only.points)
            if how == "off"
            else (record, cube, record.winner, 2 * only.points)
        )
    cut = Record.from_steps(BACKGAMMON, [step.id for step in record.steps[: at + how.endswith("throw")]])
    if how == "drop":
        return cut, (cube[0], CubeAction(at, 1 - seat, "Drops")), seat, 1
    acts = cut.final_state.current_player()
    return cut, (), 1 - acts if acts >= 0 else rng.choice([0, 1]), rng.choice([1, 2, 3])


def invented(games: int, seed: int) -> Match:
    rng = random.Random(seed)
    made, score = [], [0, 0]
    for number in range(1, games + 1):
        record, cube, winner, points = played(seed + number, rng)
        made.append(MatchGame(record, (score[0], score[1]), cube, winner, points, False, number))
        score[winner] += points
    return Match(tuple(made), ("A", "Zoë"), 0, ('; [Event "test"]', ""))


def test_every_end_of_a_game_comes_back(tmp_path: Path) -> None:
    match = invented(30, seed=3)
    match.save(tmp_path / "made.mat")
    assert loaded(tmp_path / "made.mat") == match


def test_gnu_backgammon_reads_what_is_written(tmp_path: Path) -> None:
    if gnubg.program() is None:
        pytest.skip("GNU Backgammon is not installed")
    match = invented(20, seed=8)
    match.save(tmp_path / "made.mat")
    gnubg.again(tmp_path / "made.mat")
    again = loaded(tmp_path / "made.again.mat")
    assert len(again.games) == len(match.games)
    for game, other in zip(match.games, again.games, strict=True):
        # It sorts the moves of a turn, and plays a throw after which somebody resigns.
        if game.record.final_state.current_player() < 0:
            assert other.record.final_state == game.record.final_state
        assert (other.score, other.cube, other.winner) == (game.score, game.cube, game.winner)
        assert other.points == game.points


def test_a_record_is_a_session_of_one_game(tmp_path: Path) -> None:
    record = Record.play(BACKGAMMON, ["greedy", "random"], seed=2)
    record.save(tmp_path / "game.mat")
    match = loaded(tmp_path / "game.mat")
    assert match.players == ("greedy", "random")
    assert match.length == 0
    assert [step.id for step in Record.load(tmp_path / "game.mat").steps] == [
        step.id for step in record.steps
    ]
    assert Record.from_text(record.to_text("mat")).winner == record.winner == match.games[0].winner


def test_points_count_gammons() -> None:
    game = sarai.make("shuanglu", preset="backgammon", scoring="gammon")
    records = [Record.play(game, "greedy", seed=seed) for seed in range(12)]
    match = Match.from_records(records, players=("a", "b"), length=5)
    assert [one.points for one in match.games] == [max(record.returns or ()) for record in records]
    assert {one.points for one in match.games} >= {1.0, 2.0}
    assert Match.from_records([Record.play(BACKGAMMON, "mcts:1", seed=1)]).players == ("mcts 1", "mcts 1")
    assert match.games[-1].score == tuple(
        sum(one.points or 0 for one in match.games[:-1] if one.winner == seat) for seat in (0, 1)
    )


# Jellyfish and others: a mark behind every hit, bar and off in words, moves together, Windows' line ends.
OTHER = """\
; [Site "elsewhere"]

 7 point match

 Game 1
 Ann : 3                             Bo : 6
  1) 42: 8/4 6/4                     62: 24/16
  2) 33: 8/5(2) 6/3(2)               54: 13/4
  3)  Doubles => 2                    Takes
  4) 11: 24/22 6/5(2)                66: Cannot Move
""".replace("\n", "\r\n")


def test_other_programs_are_read() -> None:
    with pytest.raises(ValueError, match=r"line 10, column 42: a move is possible with 6-6, such as "):
        Record.from_text(OTHER)
    match = read(OTHER.replace("Cannot Move", "13/7(2) 8/2(2)"), Record)
    assert match.length == 7
    assert match.games[0].score == (3, 6)
    assert match.games[0].winner is None
    assert match.games[0].record.names[:6] == ["4-2", "8/4", "6/4", "2-6", "24/22", "22/16"]


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        (" 3 point match", " 3 points", "line 3, column 1: a .mat file begins with '5 point match'"),
        (" Game 1\n", " Game one\n", "line 5, column 2: 'Game one' is not 'Game 1'"),
        ("bob : 0", "bob", "line 6, column 1: here is a line such as 'Ann : 0   Bo : 2'"),
        ("  2) ", "  3) ", "line 8, column 3: row 3 stands where row 2 is due"),
        ("  2) ", "  2) so ", "line 8, column 6: 'so' is neither a throw and moves such as '31: 8/5 6/5'"),
        ("  1) ", "  1) 33:                        ", "line 7, column 6: a game cannot begin with 3-3"),
        ("      Wins", "      Wins 1 point Wins", "is over before this|follows what is complete"),
        (
            "  1) ",
            "  1)  Takes                      ",
            "line 7, column 7: 'Takes' can only stand between two turns",
        ),
        (
            "  2) ",
            "  2)  Takes                      ",
            "'Takes' stands where only the player about to throw can double",
        ),
        (" Takes", " Doubles => 4", "'Doubles => 4' stands where the other player answers a double"),
        ("bob : ", "bill : ", "the players are|Ann Lee"),
    ],
)
def test_wrong_files_say_where(old: str, new: str, told: str, tmp_path: Path) -> None:
    text = KEPT[1].read_text()
    assert old in text
    text = text.replace(old, new, 1 if old != "bob : " else text.count(old) - 1)
    (tmp_path / "wrong.mat").write_text(text)
    with pytest.raises(ValueError, match=rf"wrong.mat' cannot be read: .*({told})"):
        sarai.load(tmp_path / "wrong.mat")


def test_every_move_is_held_against_the_rules() -> None:
    text = KEPT[1].read_text()
    moves = list(re.finditer(r"\d+/\d+", text))
    for found in moves[:: len(moves) // 40]:
        wrong = f"{text[: found.start()]}19/2{text[found.end() :]}"
        line = text.count("\n", 0, found.start()) + 1
        with pytest.raises(ValueError, match=rf"line {line}, column \d+: "):
            read(wrong, Record)


@pytest.mark.parametrize("cut", range(0, 1500, 37))
def test_cut_files_lose_nothing_in_silence(cut: int) -> None:
    text = KEPT[1].read_text()[:cut]
    if text.count("\n") < 6:
        with pytest.raises(ValueError, match=r"^line \d+, column \d+: |first line"):
            read(text, Record)
        return
    # What is cut within a number may be wrong, and what is cut elsewhere is read up to there.
    with suppress(ValueError):
        steps = sum(len(game.record) for game in read(text, Record).games)
        assert steps >= len(re.findall(r"\d\d: \d", text))


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (" 5 point match\n" + "\n" * 1_000_001, "line 1, column 1: the file has more than 1,000,000 lines"),
        (" 5 point match\n Game 1\n" + " : 1" * 10_000, "line 3, column 1: the line has 40,000 characters"),
        (" 5 point match\n", "the match has no game"),
        (";", "no line such as '5 point match'"),
    ],
)
def test_hostile_files_are_refused(text: str, told: str) -> None:
    with pytest.raises(ValueError, match=told):
        read(text, Record)


def test_other_games_are_no_matches() -> None:
    with pytest.raises(ValueError, match=r"a \.mat file holds backgammon, and this is a record of sho"):
        Record.play("sho", seed=1).to_text("mat")
    with pytest.raises(ValueError, match="this record begins in another position"):
        Record.from_steps(BACKGAMMON.position(player=0), []).to_text("mat")
    with pytest.raises(ValueError, match="cannot hold the name"):
        Match((), ("a : b", "c")).to_text()
