"""Records as JSON and as text: what is written, what is refused, and files of earlier versions."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import sarai
from helpers.places import ROOT
from helpers.saved import random_game
from sarai._records.record import Record

WHOLE = json.loads(Record.play("shah(max_turns=30)", seed=5).to_json())
# Its first placing is 4, "d6".
BEGUN_WITH_D6 = json.loads(Record.from_steps("shah", [4, 0, 1, 2, 3, 5]).to_json())


def step(index: int, value: Any, of: dict[str, Any] = WHOLE) -> dict[str, Any]:
    return {**of, "steps": [*of["steps"][:index], value, *of["steps"][index + 1 :]]}


def result(**values: Any) -> dict[str, Any]:
    return {"result": {**WHOLE["result"], **values}}


# What is other than in a whole record; ... is left out.
CHANGED: list[tuple[dict[str, Any], str]] = [
    ({"format": ...}, "not a record"),
    ({"version": True}, "format version true"),
    ({"version": "1"}, 'format version "1"'),
    ({"extra": 1}, "no key 'extra'"),
    ({"result": ...}, "no 'result'"),
    ({"steps": ...}, "no 'steps'"),
    ({"game": "chess"}, "chess"),
    ({"game": 1}, "'game' must be"),
    ({"rules": []}, "'rules' must be"),
    ({"rules": {"wings": 2}}, "wings"),
    ({"rules": {"max_turns": "many"}}, "max_turns"),
    ({"seed": 1.5}, "'seed' must be"),
    ({"seed": True}, "'seed' must be"),
    ({"seed": -1}, "'seed' must be"),
    ({"number": 2**64}, "'number' must be"),
    ({"agents": ["random"]}, "agents has 1 label"),
    ({"agents": ["random", 5]}, "'agents' must be a list with one label per seat"),
    ({"steps": {}}, "'steps' must be a list"),
    (step(3, [0, 1]), r"step 3 must be \[player, id, name\]"),
    (step(3, [0, True, "a7"]), "step 3 must be"),
    (step(3, None), "step 3 must be"),
    (step(0, [0, 999, "a7"]), "^step 0: action 999 is not legal"),
    (step(0, [1, 4, "d6"], BEGUN_WITH_D6), r'^step 0: the record says \[1,4,"d6"\]'),
    (step(0, [0, 4, "x" * 100_000], BEGUN_WITH_D6), r"^step 0: the record says .{,80}, but"),
    (step(0, [10**4200, 4, "d6"], BEGUN_WITH_D6), "number out of range"),
    ({"steps": WHOLE["steps"][:-1]}, "the result says"),
    ({"steps": [*WHOLE["steps"], [0, 0, "a7"]]}, "the game is over"),
    (result(returns=[5.0, -5.0]), "the result says"),
    (result(winner=7), "the result says"),
    (result(more=1), "the result says"),
    (result(returns=[False, 0.0]), "the result says"),
    ({"result": None}, "the result says that it is unfinished"),
    ({"result": []}, "the result says"),
]


@pytest.mark.parametrize(("change", "sentence"), CHANGED, ids=[sentence for _, sentence in CHANGED])
def test_changed_json_is_refused(change: dict[str, Any], sentence: str) -> None:
    data = {key: value for key, value in {**WHOLE, **change}.items() if value is not ...}
    with pytest.raises(ValueError, match=sentence):
        Record.from_json(json.dumps(data))


def test_a_draw_is_minus_one_and_may_be_null() -> None:
    drawn = Record.play("shah(max_turns=1)", seed=5)
    assert (drawn.winner, Record.from_steps("shah", []).winner) == (-1, None)
    data = json.loads(drawn.to_json())
    assert data["result"]["winner"] == -1
    assert '"winner": -1' in drawn.to_text()
    data["result"]["winner"] = None
    assert Record.from_json(json.dumps(data)) == drawn
    # Nowhere else does null stand for a number.
    won = json.loads(Record.play("sho", seed=5).to_json())
    won["result"]["winner"] = None
    with pytest.raises(ValueError, match="the result says"):
        Record.from_json(json.dumps(won))


def test_the_first_wrong_step_is_named_and_not_where_it_leads() -> None:
    game = sarai.make("shah")
    ids, states = random_game(game, 3, most=24)
    data = json.loads(Record.from_steps(game, ids).to_json())
    # Another placing that is as legal, and is played later on: there it then is not.
    other = next(number for number in ids[4:] if number in states[3].legal_actions())
    data["steps"][3][1] = other
    with pytest.raises(ValueError, match=rf"^step 3: the record says \[1,{other},"):
        Record.from_json(json.dumps(data))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "no JSON",
        "[]",
        "null",
        "[" * 100_000,
        '{"format": "sarai.record", "format": "sarai.record"}',
        '{"format": "sarai.record", "version": NaN}',
        '{"format": "sarai.record", "version": ' + "9" * 5000 + "}",
    ],
)
def test_what_is_no_json_record(text: str) -> None:
    with pytest.raises(ValueError, match=r"not valid JSON of a record|not a record|format version"):
        Record.from_json(text)


def test_every_truncation_is_refused() -> None:
    record = Record.from_steps("sho", random_game(sarai.make("sho"), 2, most=12)[0], seed=1)
    text = record.to_json()
    for end in [*range(0, len(text), 7), *range(len(text) - 7, len(text))]:
        with pytest.raises(ValueError, match="not valid JSON of a record"):
            Record.from_json(text[:end])
    whole = Record.play("sho", seed=1).to_text()
    lines = whole.splitlines(keepends=True)
    for count in [*range(20), *range(20, len(lines), 9), len(lines) - 1]:
        with pytest.raises(ValueError, match=r"record|result"):
            Record.from_text("".join(lines[:count]))


def test_wrong_types_and_sizes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for wrong in (None, 5, b"{}", ["{}"]):
        for read in (Record.from_json, Record.from_text):
            with pytest.raises(TypeError, match="read from text"):
                read(wrong)  # type: ignore[arg-type]
    for name in ("x.json", "x.txt"):
        (tmp_path / name).write_bytes(b"\xff\xfe")
        with pytest.raises(ValueError, match=rf"{name}' is not a valid record: it is not UTF-8"):
            Record.load(tmp_path / name)
        with (tmp_path / name).open("wb") as file:
            file.truncate(2**40)  # a hole: as large as it looks only to whoever reads it
        with pytest.raises(ValueError, match="larger than"):
            Record.load(tmp_path / name)
    for text in ("[" + "0," * 5_000_000, "\n" * 5_000_000):
        for read in (Record.from_json, Record.from_text):
            with pytest.raises(ValueError, match="more than 1,000,000 steps"):
                read(text)
    monkeypatch.setattr("sarai._records.forms.MAX_BYTES", 10)
    with pytest.raises(ValueError, match="the text has 11 characters"):
        Record.from_json("x" * 11)


# --- text ---------------------------------------------------------------------------------------------------

BEGUN = """\
sarai record 1
game: sho
rules: {"players": 2}
seed: 7
agents: ["greedy", "random"]
result: unfinished

1. [1-5] 0: hand/6
2. [2-4] 1: hand/6*
3. [4-4] 1: 6/14
"""


def test_the_text_of_the_page_is_one() -> None:
    record = Record.from_text(BEGUN)
    assert record.to_text() == BEGUN
    assert (record.agents, record.seed, record.number) == (("greedy", "random"), 7, None)
    assert record.rules == sarai.make("sho", players=2).rules
    assert [step.player for step in record.steps] == [sarai.CHANCE, 0, sarai.CHANCE, 1, sarai.CHANCE, 1]
    page = (ROOT / "docs" / "records.md").read_text(encoding="utf-8")
    assert f"```text\n{BEGUN}```" in page
    remarked = BEGUN.replace("\n", "\r\n").replace("2. ", "\r\n# a kill\r\n  2. ")
    assert Record.from_text(f"# by hand\n\n{remarked}") == record


def test_the_line_of_the_game_has_its_rules_as_make_takes_them() -> None:
    lhasa = sarai.make("sho(preset=lhasa,players=2)")
    for game in ("sho(preset=lhasa,players=2)", 'sho(preset=lhasa)\nrules: {"players": 2}'):
        assert Record.from_text(f"sarai record 1\ngame: {game}\nresult: unfinished\n").game == lhasa
    with pytest.raises(ValueError, match=r"line 2: .*players"):
        Record.from_text("sarai record 1\ngame: sho(players=9)\nresult: unfinished\n")


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ("sarai record 1", "sarai record 2", "format version 2, but this version of Sarai reads 1"),
        ("game: sho", "game: chess", "line 2: .*chess"),
        ("game: sho", "game: sho(players=3)", "line 3: option 'players' is in 'game' already"),
        ("game: sho", "game: sho(coins=0)", "line 3: .*coins"),
        ("game: sho", "game: sho(preset=lhasa", "line 2: .*bracket"),
        ("game: sho\n", "", "no 'game:' line"),
        ("result: unfinished\n", "", "no 'result:' line"),
        ("seed: 7", "seed: seven", "line 4: this is not valid JSON of seed"),
        ("seed: 7", "seed: 7.5", "'seed' must be"),
        ('{"players": 2}', "2", "line 3: 'rules' must be an object"),
        ('{"players": 2}', '{"players": 9}', "line 3: .*players"),
        ('["greedy", "random"]', '["greedy"]', "agents has 1 label"),
        ("unfinished", '{"returns": [1.0, -1.0], "winner": 0}', "line 6: the result says .* is unfinished"),
        ("result: unfinished\n\n", "result: unfinished\n", "line 7: '1. .*' is not a line of the header"),
        ("[2-4]", "[2-7]", "line 9, step 2: '2-7' names no outcome; here are 1-1, 1-2"),
        ("[2-4] 1", "[2-4] 0", "line 9, step 3: player 0 is to play 'hand/6.', but it is player 1's turn"),
        ("2. [2-4] 1", "2. 1", "line 9, step 2: player 1 is to play .* but a chance outcome is due"),
        ("1. [1-5] 0: hand/6", "1. [1-5]", "line 9, step 1: the outcome .* but it is player 0's turn"),
        ("6/14", "6/15", "line 10, step 5: '6/15': from 6 a piece can go to 14, not to 15"),
        ("6/14", "6/14, 6/14", "line 10, step 6: player 1 is to play"),
        (" 6/14", "", "line 10, step 4: .* is not of the form"),
        ("3. [4-4] 1: 6/14", "3.", "line 10, step 4: '3.' is not of the form"),
        ("3. [4-4] 1: 6/14", "and so on", "line 10, step 4: 'and so on' is not of the form"),
    ],
)
def test_changed_text_is_refused(old: str, new: str, sentence: str) -> None:
    assert BEGUN.count(old) == 1
    with pytest.raises(ValueError, match=sentence):
        Record.from_text(BEGUN.replace(old, new))


def test_a_text_goes_not_on_after_the_end() -> None:
    text = Record.play("shuanglu", seed=2).to_text()
    lines = text.rstrip("\n").splitlines()
    turns = int(lines[-1].split(".")[0])
    with pytest.raises(ValueError, match=rf"line {len(lines) + 1}, step \d+: .* but the game is over"):
        Record.from_text(text + f"{turns + 1}. [1-1]\n")


def test_records_of_another_origin_are_others() -> None:
    origin: dict[str, Any] = {"seed": 7, "number": 2, "agents": ("greedy", "random")}
    record = Record.from_steps("shah", [0, 1], **origin)
    assert record == Record.from_steps("shah", [0, 1], **origin)
    for change in ({"seed": 8}, {"number": 3}, {"agents": ("greedy", "greedy")}):
        assert record != Record.from_steps("shah", [0, 1], **{**origin, **change})
    begin = Record.from_steps("shah", [4, 19]).final_state
    for start in ("shah(flying=true)", begin):
        assert record != Record.from_steps(start, [0, 1], **origin)


# --- later versions -----------------------------------------------------------------------------------------

KEPT = sorted((Path(__file__).parent / "earlier").iterdir())


def test_there_is_a_record_of_every_game_and_form() -> None:
    assert {path.name for path in KEPT} >= {
        f"{game}-1.{form}" for game in sarai.games() for form in ("json", "txt")
    }


@pytest.mark.parametrize("path", KEPT, ids=lambda path: path.name)
def test_records_of_earlier_versions_stay_readable(path: Path) -> None:
    # These files are never written anew: people have such files.
    record = Record.load(path)
    assert record.finished
    assert (record.seed, record.number) == (2**64 - 1, 12)
    # The stream of a seed is a promise as well.
    assert Record.play(record.game, list(record.agents or ()), seed=2**64 - 1, number=12) == record
    text = path.read_text(encoding="utf-8")
    assert text == (record.to_text() if path.suffix == ".txt" else record.to_json() + "\n")


def test_a_label_is_always_text_that_can_be_written() -> None:
    def policy(observations: NDArray[np.int8], masks: NDArray[np.int8]) -> NDArray[np.intp]:
        return masks.argmax(axis=1)

    policy.__qualname__ = "a\ud800"
    r = sarai.rollout("shah(max_turns=4)", policy, 2, keep=[1], seed=0)
    assert r.agents == r.records[1].agents == ("a\\ud800",) * 2
    r._repr_html_().encode()
    str(r.summary()).encode()
