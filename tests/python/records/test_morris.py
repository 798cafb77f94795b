"""Games of morris in the notation of Sanmill and PlayOK."""

from __future__ import annotations

from pathlib import Path

import pytest

import sarai
from sarai import Record

MORRIS = "shah(preset=nine_mens_morris)"
GAMES = [MORRIS, "shah", "shah(preset=nine_mens_morris,flying=false)", "shah(pieces=6,opening_removals=none)"]


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("agent", ["greedy", "random"])
def test_games_come_back(game: str, agent: str, tmp_path: Path) -> None:
    for seed in range(8):
        record = Record.play(game, agent, seed=seed)
        record.save(tmp_path / "game.pgn")
        back = sarai.load(tmp_path / "game.pgn")
        assert isinstance(back, Record)
        assert (back.game, back.steps, back.agents) == (record.game, record.steps, record.agents)
        assert back.to_text("pgn") == record.to_text("pgn")
        begun = Record.from_steps(game, [step.id for step in record.steps[: 3 * seed]])
        assert Record.from_text(begun.to_text("pgn")) == begun


def test_what_is_written() -> None:
    record = Record.from_text("1. a1 b2 2. d1 b4 3. g1xb4")
    assert record.to_text("pgn") == (
        '[Result "*"]\n[Variant "Nine Men\'s Morris"]\n\n1. a1 b2\n2. d1 b4\n3. g1xb4\n*\n'
    )


def test_sanmill_is_read() -> None:
    text = (
        '[Event "Sanmill-Game"]\r\n[Site "Sanmill"]\r\n[White "Human"]\r\n[Black "AI"]\r\n[Result "*"]\r\n'
        "\r\n1. d6 f4\r\n2. d7 d2 {a remark} $1\r\n3. d5xf4! f2 (3... f4 4. a1)\r\n"
        "4. c4 ; to the end of the line\r\n*\r\n"
    )
    record = Record.from_text(text)
    assert str(record.game) == MORRIS
    assert record.agents == ("Human", "AI")
    assert record.names == ["d6", "f4", "d7", "d2", "d5", "xf4", "f2", "c4"]


def test_playok_is_read() -> None:
    text = '[Site "PlayOK"]\n[White "ann"]\n[Black "bo"]\n[Result "1-0"]\n\n1. 5 14 2. 2 20 3. 8x14 21 1-0\n'
    record = Record.from_text(text)
    assert record.names == ["d6", "f4", "d7", "d2", "d5", "xf4", "f2"]
    # Who gives up loses, but by the rules the game goes on.
    assert not record.finished
    played = Record.play(MORRIS, "greedy", seed=2)
    points = {name: str(number) for number, name in enumerate(point_names(), 1)}
    numbers = played.to_text("pgn").split("\n\n")[1]
    for name in sorted(points):
        numbers = numbers.replace(name, points[name])
    assert Record.from_text(numbers).steps == played.steps


def point_names() -> list[str]:
    state = sarai.make(MORRIS).new_initial_state()
    return [state.action_to_string(point) for point in range(24)]


def test_the_game_can_be_named() -> None:
    assert Record.from_text("1. d6 f4", game="shah").game == sarai.make("shah")
    with pytest.raises(ValueError, match="this text has its own: leave it out"):
        Record.from_text(Record.from_steps("shah", []).to_text(), game="shah")
    with pytest.raises(ValueError, match="this is the notation of morris, and not of sho"):
        Record.from_text("1. d6", game="sho")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("1. d6 d6", "line 1, column 7: 'd6' is not the name of a legal action"),
        ("1. d6\n  z9", "line 2, column 3: 'z9' is no move, such as d6, d6-d5 or d7xb4"),
        ("1. d6 f4 2. a1-a4", "line 1, column 13: 'a1-a4' is not the name of a legal action"),
        (
            "1. d6xf4",
            "line 1, column 4: 'xf4' is not the name of a legal action|the turn is over before 'xf4'",
        ),
        ("1. d6 (f4", "line 1, column 7: the variation that begins here does not end"),
        ("1. d6 )", r"line 1, column 7: nothing was opened that '\)' closes"),
        ("1. d6 {", "line 1, column 7: "),
        ("1. d6 1-0 f4", "line 1, column 11: 'f4' follows the result"),
        ("1. 25", "line 1, column 4: '25' is not the name"),
        ('[White "a"\n1. d6', "line 1, column 1: a tag is written"),
        ('[A "b"]\n[A "c"]\n1. d6', "line 2, column 1: the tag A is there already|line 1, column 8"),
        ('[Variant "El Filja"]', "the rules of the variant 'El Filja' are not known; give game="),
        ('[FEN "x"]', "only games from the beginning are read"),
        ("1. " + "9" * 2_000_000, "a game of morris has at most 1,048,576"),
    ],
)
def test_wrong_texts_say_where(text: str, told: str) -> None:
    with pytest.raises(ValueError, match=told):
        Record.from_text(text)


def test_results_are_held_against_the_rules() -> None:
    text = Record.play(MORRIS, "greedy", seed=2).to_text("pgn")
    assert text.endswith("0-1\n")
    with pytest.raises(ValueError, match="the result is '1-0', but by the rules it is 0-1"):
        Record.from_text(text[:-4] + "1-0\n")


def test_what_has_no_such_notation_is_refused() -> None:
    with pytest.raises(ValueError, match="this is the notation of morris, and not of sho"):
        Record.play("sho", seed=1).to_text("pgn")
    begun = sarai.make("shah").position(white="a7 d7 g4", black="b4 d6 f4")
    with pytest.raises(ValueError, match="games from the empty board"):
        Record.from_steps(begun, []).to_text("pgn")
