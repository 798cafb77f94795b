"""Games under way: every command, and what it refuses."""

from __future__ import annotations

import json
import random
import re
import threading
from typing import Any

import numpy as np
import pytest

import sarai
from sarai._cli.table import Table
from sarai._web.session import Session

# Nobody waits for the end of its thinking.
ENDLESS = "alphabeta:64"


def play_on(session: Session, most: int = 10_000) -> dict[str, Any]:
    """Play the first legal move until the game is over; the last snapshot."""
    for _ in range(most):
        assert session.wait(60)
        shown = session.snapshot()
        assert shown["error"] is None
        if not shown["mine"]:
            break
        answer = session.do({"do": "play", "action": shown["moves"][0]["action"]})
        assert answer["error"] is None
    assert session.wait(60)
    return session.snapshot()


def begun(game: str, *seats: str, seed: int = 5) -> Session:
    """A short game under way."""
    session = Session(seed=seed)
    rules = {"max_turns": 24}
    command = {"do": "new", "game": game, "rules": rules, "seats": list(seats) or None, "seed": seed}
    answer = session.do(command)
    assert answer["error"] is None
    assert session.wait(60)
    return session


@pytest.mark.parametrize("game", sarai.games())
def test_a_whole_game_is_played_and_told(game: str) -> None:
    session = begun(game)
    shown = play_on(session)
    assert shown["over"]
    assert shown["result"].startswith("The game is ")
    assert shown["at"] == shown["length"] == len(session.record)
    assert session.record.finished
    # What travels is JSON, with nothing that JSON does not have.
    assert json.loads(json.dumps(shown, allow_nan=False)) == shown
    assert shown["log"][-1]["at"] == shown["length"]


@pytest.mark.parametrize("game", ["sho", "shah"])
def test_the_same_seed_and_choices_give_the_same_game(game: str) -> None:
    one, two = (play_on(begun(game), most=4) for _ in range(2))
    assert one["position"] == two["position"]
    assert one["log"] == two["log"]
    if any(step["seat"] < 0 for step in one["log"]):
        assert play_on(begun(game, seed=6), most=4)["log"] != one["log"]


@pytest.mark.parametrize("game", sarai.games())
def test_undo_goes_back_to_the_persons_last_choice_and_meets_the_same_dice(game: str) -> None:
    session = begun(game)
    before = play_on(session, most=3)
    action = before["moves"][0]["action"]
    session.do({"do": "play", "action": action})
    session.wait(60)
    after = session.snapshot()
    back = session.do({"do": "undo"})
    assert (back["position"], back["at"]) == (before["position"], before["at"])
    session.do({"do": "play", "action": action})
    session.wait(60)
    assert session.snapshot()["position"] == after["position"]


def test_stepping_through_what_was_played() -> None:
    session = begun("shuanglu")
    end = play_on(session)
    record = session.record
    states = record.states()
    for place in (0, 1, len(record) // 2, len(record)):
        shown = session.do({"do": "go", "to": place})
        assert shown["position"] == str(states[place]) == str(session.state)
        assert (shown["at"], shown["length"]) == (place, len(record))
    assert session.do({"do": "go", "to": len(record) + 1})["error"].endswith(f"go to 0 to {len(record)}")
    assert session.snapshot()["position"] == end["position"]


def test_of_a_past_position_nothing_is_played_until_the_game_is_cut_there() -> None:
    session = begun("shah")
    play_on(session, most=4)
    shown = session.do({"do": "go", "to": 2})
    assert not shown["mine"]
    length = shown["length"]
    refused = session.do({"do": "play", "action": shown["moves"][0]["action"]})
    assert refused["error"].startswith(f"you are looking at step 2 of {length}")
    assert refused["length"] == length
    cut = session.do({"do": "branch"})
    assert (cut["at"], cut["length"], cut["mine"]) == (2, 2, True)
    assert "just play on" in session.do({"do": "branch"})["error"]


@pytest.mark.parametrize(("game", "form"), [("sho", "json"), ("shah", "text")])
def test_a_saved_game_is_loaded_where_it_was_left(game: str, form: str) -> None:
    session = begun(game)
    shown = play_on(session, most=4)
    saved = session.do({"do": "save", "format": form})["record"]
    assert sarai.Record.from_json(saved) == session.record if form == "json" else saved.startswith("sarai")
    other = Session()
    loaded = other.do({"do": "load", "record": saved})
    keys = ("position", "seats", "at", "length", "mine", "seed", "svg")
    assert {key: loaded[key] for key in keys} == {key: shown[key] for key in keys}


def test_a_finished_record_is_looked_at_from_its_beginning() -> None:
    record = sarai.Record.play("tshupu", "greedy", seed=3)
    session = Session(record)
    assert session.snapshot()["seats"] == ["greedy"] * 4
    loaded = Session().do({"do": "load", "record": record.to_text()})
    assert (loaded["at"], loaded["length"]) == (0, len(record))


def test_agents_of_a_record_that_cannot_play_here_leave_their_seats_to_persons() -> None:
    agents = ["net:/etc/passwd", "my_policy"]
    record = sarai.Record.from_steps("shah", [4, 19], agents=agents)
    loaded = Session(guarded=True).do({"do": "load", "record": record.to_json()})
    assert loaded["seats"] == ["person", "person"]


def test_a_position_as_text_goes_out_and_in() -> None:
    session = begun("sho")
    text = play_on(session, most=5)["position"]
    other = begun("sho")
    shown = other.do({"do": "position", "text": f"  {text}\n"})
    assert (shown["position"], shown["at"], shown["length"]) == (text, 0, 0)
    assert other.record.start == session.state
    before = other.snapshot()
    refused = other.do({"do": "position", "text": "nonsense"})
    assert refused["error"]
    assert other.snapshot() is before


@pytest.mark.parametrize("game", sarai.games())
def test_a_hint_is_a_legal_move_and_goes_with_the_position(game: str) -> None:
    session = begun(game)
    shown = session.do({"do": "hint"})
    assert shown["thinking"] == shown["player"]
    assert session.wait(60)
    hinted = session.snapshot()
    assert hinted["hint"] in [move["action"] for move in hinted["moves"]]
    assert hinted["thinking"] is None
    assert hinted["mine"]
    session.do({"do": "play", "action": hinted["hint"]})
    assert session.wait(60)
    assert session.snapshot()["hint"] is None


def test_an_analysis_tells_each_move() -> None:
    session = begun("shuanglu")
    session.do({"do": "analyse", "agent": "mcts:50"})
    assert session.wait(60)
    shown = session.snapshot()
    assert shown["analysed_by"] == "mcts:50"
    assert {line["action"] for line in shown["analysis"]} == {move["action"] for move in shown["moves"]}
    assert sum(line["visits"] for line in shown["analysis"]) == 50
    assert session.do({"do": "analyse", "agent": "clever"})["error"].startswith("unknown agent 'clever'")
    # One of which it is said nothing has no NaN, which is no JSON.
    session.do({"do": "analyse", "agent": "random"})
    assert session.wait(60)
    json.dumps(session.snapshot(), allow_nan=False)


def test_positions_that_the_tables_have_are_analysed_for_certain() -> None:
    state = sarai.exact.load("shah").sample_states(1, seed=1)[0]
    session = Session(state, ["person", "person"])
    session.do({"do": "analyse"})
    assert session.wait(60)
    shown = session.snapshot()
    assert shown["analysed_by"] == "perfect"
    assert all(line["kind"] == "exact" for line in shown["analysis"])


def test_thinking_is_called_off_and_goes_on() -> None:
    session = Session(seed=1)
    answer = session.do({"do": "new", "game": "shah", "seats": [ENDLESS, "person"]})
    assert (answer["thinking"], answer["mine"]) == (0, False)
    assert "wait for your own turn" in session.do({"do": "play", "action": 4})["error"]
    assert "thinking" in session.do({"do": "hint"})["error"]
    stopped = session.do({"do": "stop"})
    assert (stopped["thinking"], stopped["paused"], stopped["length"]) == (None, True, 0)
    assert session.wait(60)
    assert session.snapshot()["length"] == 0
    again = session.do({"do": "go", "to": 0})
    assert (again["thinking"], again["paused"]) == (0, False)
    # A new game calls it off as well, and nothing that was found for the old one comes.
    fresh = session.do({"do": "new", "game": "shah", "seats": ["person", "person"]})
    assert (fresh["thinking"], fresh["length"]) == (None, 0)
    assert session.wait(60)
    assert session.snapshot()["length"] == 0


def test_advice_is_called_off_where_another_position_is_looked_at() -> None:
    session = Session(seed=1)
    session.do({"do": "new", "game": "shah", "seats": ["person", "person"]})
    session.do({"do": "play", "action": 4})
    assert session.do({"do": "analyse", "agent": ENDLESS})["thinking"] == 1
    assert session.do({"do": "go", "to": 1})["thinking"] == 1
    assert session.do({"do": "go", "to": 0})["thinking"] is None
    assert session.wait(60)
    assert session.snapshot()["analysis"] is None


def test_a_session_has_one_thread_at_most() -> None:
    session = Session(seed=1)
    for _ in range(10):
        session.do({"do": "new", "game": "shah", "seats": [ENDLESS, "person"]})
        named = [thread for thread in threading.enumerate() if thread.name == "sarai agent"]
        assert len(named) == 1
    session.close()
    assert session.wait(60)


def test_those_who_think_wait_for_a_place() -> None:
    slots = threading.Semaphore(1)
    busy, waiting = (Session(seed=1, slots=slots) for _ in range(2))
    busy.do({"do": "new", "game": "shah", "seats": [ENDLESS, "person"]})
    waiting.do({"do": "new", "game": "shah", "seats": ["greedy", "person"]})
    assert waiting.snapshot()["thinking"] == 0
    busy.do({"do": "stop"})
    assert waiting.wait(60)
    # It may have been first; then there was nothing to wait for.
    assert waiting.snapshot()["length"] == 1
    assert busy.wait(60)


def test_what_goes_wrong_in_a_thread_is_said() -> None:
    session = Session(sarai.make("shah").new_initial_state(), seed=1, adviser="net:nowhere.safetensors")
    assert session.do({"do": "hint"})["error"] is None
    assert session.wait(60)
    shown = session.snapshot()
    assert re.match("ValueError: .*nowhere", shown["error"])
    assert shown["thinking"] is None
    # It is still the person's turn.
    assert (shown["mine"], shown["paused"]) == (True, False)


def test_after_the_end_nothing_is_played() -> None:
    session = begun("sho", "random", "random", "greedy")
    assert session.snapshot()["over"]
    assert not session.snapshot()["mine"]
    assert session.do({"do": "play", "action": 0})["error"].startswith("the game is over")
    assert session.do({"do": "hint"})["error"].startswith("the game is over")


def test_changes_are_told() -> None:
    told = threading.Semaphore(0)
    session = Session(seed=3, on_change=told.release)
    session.do({"do": "new", "game": "sho", "seats": ["greedy", "greedy", "person"]})
    assert told.acquire(timeout=60)
    assert session.wait(60)


def test_themes() -> None:
    session = begun("shah")
    light = session.do({"do": "theme", "theme": "light"})["svg"]
    assert session.do({"do": "theme", "theme": "dark"})["svg"] != light
    assert "'light' or 'dark'" in session.do({"do": "theme", "theme": "sepia"})["error"]


def test_the_catalogue_makes_games() -> None:
    session = Session()
    games = session.do({"do": "catalogue"})["games"]
    assert [entry["name"] for entry in games] == sarai.games()
    for entry in games:
        for preset in entry["presets"]:
            assert entry["agents"][:2] == ["greedy", "random"]
            checked = session.do({"do": "check", "game": entry["name"], "preset": preset["name"]})
            assert checked["players"] == preset["players"]
            assert checked["rules"] == preset["rules"]
    many = session.do({"do": "check", "game": "sho", "rules": {"players": 4}})
    assert many["players"] == ["blue", "orange", "green", "pink"]
    assert "players" in session.do({"do": "check", "game": "sho", "rules": {"players": 9}})["error"]


@pytest.mark.parametrize("game", sarai.games())
def test_the_strong_level_beats_the_easy_one(game: str) -> None:
    entry = next(each for each in Session().do({"do": "catalogue"})["games"] if each["name"] == game)
    levels = {level["name"]: level["agent"] for level in entry["levels"]}
    assert list(levels) == ["easy", "medium", "strong"]
    assert set(levels.values()) <= set(entry["agents"])
    rules = sarai.make(game, **({"players": 2} if game == "sho" else {}))
    returns = [
        sarai.rollout(
            rules, [levels["strong" if side == own else "easy"] for side in rules.sides], 20, seed=1
        ).returns[:, own]
        for own in (0, 1)
    ]
    assert np.concatenate(returns).mean() > 0.2


def test_players_are_called_by_the_colours_of_their_pieces() -> None:
    session = begun("shah")
    shown = session.do({"do": "play", "action": 4})
    assert session.wait(60)
    shown = session.snapshot()
    assert shown["players"] == ["white", "black"]
    assert next(step["words"] for step in shown["log"]) == "White: place a stone on d6"
    assert shown["headline"] == "white is to place one of 11 stones"
    assert "player 0" not in json.dumps(shown)
    assert "it is the turn of white" in session.do({"do": "play", "action": 0, "seat": 1})["error"]
    teams = Session().do({"do": "new", "game": "sho", "preset": "teams"})
    assert teams["players"] == ["blue 1", "orange 1", "blue 2", "orange 2"]


def test_squares_of_tshupu_have_one_name_whoever_moves() -> None:
    session = begun("tshupu", "random", "random", "random", "random")
    record = session.record
    names: dict[tuple[int, int], str] = {}
    seen = 0
    for place, state in enumerate(record.states()[:-1]):
        shown = session.do({"do": "go", "to": place})
        for point in shown["points"]:
            at = (round(point["x"]), round(point["y"]))
            assert names.setdefault(at, point["name"]) == point["name"]
        if state.is_chance_node():
            continue
        # What the log says of a move is said of the places that it touches.
        words = session.do({"do": "log", "from": place})["log"][0]["words"]
        move = next(each for each in shown["moves"] if each["action"] == record.steps[place].id)
        start, end = (shown["points"][touched]["name"] for touched in move["places"])
        if start.isdigit() and end.isdigit():
            seen += 1
            assert f"move from {start} to {end}" in words
    assert seen


@pytest.mark.parametrize("game", sarai.games())
def test_the_dice_of_the_last_throw_are_told(game: str) -> None:
    shown = play_on(begun(game), most=3)
    thrown = [step["name"] for step in shown["log"] if step["seat"] < 0]
    assert shown["thrown"] == thrown[len(thrown) - len(shown["thrown"]) :]
    assert bool(shown["thrown"]) == bool(thrown)


@pytest.mark.parametrize("game", sarai.games())
def test_the_rules_are_told_with_how_to_play(game: str) -> None:
    told = Session().do({"do": "rules", "game": game})
    assert 100 < len(told["how_to_play"].split()) < 220
    assert "\n# Rules\n" in told["rule_book"]
    assert "# Making a game" not in told["rule_book"]
    assert Session().do({"do": "rules", "game": "chess"})["error"].startswith("unknown game 'chess'")


def test_exact_values_come_with_their_turns_and_chances() -> None:
    line = (
        "slide player=0 board=.0.110...01.0..........1 hand=0,0 beginner=0 opening_removals=0 extra=false lifted=- "
        "no_capture=0 turn=26 winner=-"
    )
    session = Session(sarai.make("shah").parse(line), ["person", "person"])
    session.do({"do": "analyse"})
    assert session.wait(60)
    lines = session.snapshot()["analysis"]
    assert [lines[0][key] for key in ("value", "kind", "turns", "chance")] == [1.0, "exact", 71, 1.0]
    lost = [line["turns"] for line in lines if line["value"] == -1]
    assert 10 in lost


def test_chances_are_told_where_a_game_is_worth_a_win_alone() -> None:
    for preset in ("shuanglu", "backgammon"):
        session = Session(
            sarai.make("shuanglu", preset=preset).new_initial_state(), ["person", "person"], seed=1
        )
        assert session.wait(60)
        session.do({"do": "analyse", "agent": "mcts:20"})
        assert session.wait(60)
        for line in session.snapshot()["analysis"]:
            assert line["chance"] == pytest.approx((line["value"] + 1) / 2)
    gammons = sarai.make("shuanglu", scoring="gammon").new_initial_state()
    session = Session(gammons, ["person", "person"], seed=1)
    assert session.wait(60)
    session.do({"do": "analyse", "agent": "mcts:20"})
    assert session.wait(60)
    assert {line["chance"] for line in session.snapshot()["analysis"]} == {None}


@pytest.mark.parametrize("game", sarai.games())
def test_a_position_is_set_up_piece_by_piece(game: str) -> None:
    session = Session(seed=5)
    session.do({"do": "new", "game": game})
    play_on(session, most=3)
    before = session.snapshot()
    draft = session.do({"do": "draft"})
    assert draft["error"] is None
    assert "player" in [keyword["name"] for keyword in draft["keywords"]]
    chooser = random.Random(3)
    refused = allowed = 0
    pieces = draft["pieces"]
    for step in range(300):
        place, colour = chooser.randrange(len(before["points"])), chooser.randrange(len(draft["colours"]))
        rest = [piece for piece in pieces if piece[:2] != [place, colour]]
        changed = [*rest, [place, colour, 1]] if step % 3 else rest
        given = {"player": chooser.randrange(len(before["players"]))} if step % 2 else {}
        told = session.do({"do": "draft", "pieces": changed, "given": given})
        if told["error"]:
            refused += 1
            continue
        pieces = told["pieces"]
        # Whatever it is of so far, it has a picture; and either a position or what is wrong with it.
        assert told["picture"].startswith("<svg")
        assert (told["position"] is None) != (told["refused"] is None)
        if told["position"]:
            allowed += 1
            state = sarai.make(game, **before["rules"]).parse(told["position"])
            assert str(state) == told["position"]
    assert refused
    assert allowed
    # Nothing of it has touched the game.
    assert session.snapshot() is before


def test_what_is_wrong_with_a_position_is_said() -> None:
    session = begun("shuanglu")
    start = session.do({"do": "draft"})["pieces"]
    place, colour, count = start[0]
    told = session.do({"do": "draft", "pieces": [*start[1:], [place, colour, count + 1]]})
    assert told["error"].endswith("has 16 pieces, not 15")
    assert told["error"].startswith(("red ", "plain "))
    # An empty board is drawn, too.
    told = session.do({"do": "draft", "pieces": []})
    assert told["refused"] == "both players have borne off everything, but the game ends with the first"
    assert told["pieces"] == []
    # The dice are looked at last: a position without them is still drawn.
    told = session.do({"do": "draft", "pieces": start, "given": {"dice": [7, 1]}})
    assert told["refused"] == "dice has 7; it takes numbers from 1 to 6"
    assert told["position"] is None
    for wrong in ([[0]], "all", [[0, 0, -1]], [[999, 0, 1]], [[0, 9, 1]]):
        assert session.do({"do": "draft", "pieces": wrong})["error"]


# `errors.txt` has more of them.
WRONG = [
    [],
    "new",
    {},
    {"do": None},
    {"do": "__init__"},
    {"do": "do"},
    {"do": ["new"]},
    {"do": "new"},
    {"do": "new", "game": 3},
    {"do": "new", "game": "chess"},
    {"do": "new", "game": "sho", "preset": "no such preset"},
    {"do": "new", "game": "sho", "rules": []},
    {"do": "new", "game": "sho", "rules": {"players": 1e400}},
    {"do": "new", "game": "sho", "seats": ["person", "person", 3]},
    {"do": "new", "game": "sho", "seats": ["person", "person", "clever"]},
    {"do": "new", "game": "sho", "seats": ["person", "person", "perfect"]},
    {"do": "new", "game": "sho", "seed": -1},
    {"do": "new", "game": "sho", "seed": True},
    {"do": "new", "game": "sho", "seed": 2**64},
    {"do": "play"},
    {"do": "play", "action": "4"},
    {"do": "play", "action": True},
    {"do": "play", "action": -1},
    {"do": "play", "action": 100_000},
    {"do": "play", "action": 2**70},
    {"do": "go"},
    {"do": "go", "to": -1},
    {"do": "go", "to": 10**30},
    {"do": "load", "record": ""},
    {"do": "load", "record": "{}"},
    {"do": "load", "record": "[" * 100_000},
    {"do": "load", "record": '{"format": "sarai.record", "version": 2}'},
    {"do": "position", "text": ""},
    {"do": "position", "text": "\0"},
    {"do": "undo", "far": 3},
    {"do": "analyse", "agent": "net:/etc/passwd"},
]


@pytest.mark.parametrize("command", WRONG, ids=lambda command: repr(command)[:60])
def test_what_is_no_command_changes_nothing_and_is_told_why(command: object) -> None:
    session = begun("shah")
    session.do({"do": "play", "action": session.snapshot()["moves"][0]["action"]})
    assert session.wait(60)
    before = session.snapshot()
    answer = session.do(command)
    assert isinstance(answer["error"], str)
    assert 10 < len(answer["error"]) < 1000
    assert "Traceback" not in answer["error"]
    assert session.snapshot() is before
    assert json.dumps(answer)


def test_no_agent_that_reads_files_of_the_server() -> None:
    session = Session(guarded=True)
    for agent in ("net:../x", "perfect:tables=/etc", "alphabeta:4,tables=/etc", "mcts:10,evaluator=net:/etc/passwd",
                  "mcts:1000000", "epsilon:0.1[net:/x]", "alphabeta:50"):  # fmt: skip
        told = session.do({"do": "new", "game": "shah", "seats": ["person", agent]})
        assert "cannot play here" in told["error"]


@pytest.mark.parametrize("game", sarai.games())
def test_a_game_of_one_surface_goes_on_in_the_same_way_on_another(game: str) -> None:
    rules = sarai.make(game, max_turns=24)
    seats = ["human", *["random", "mcts:5"][: rules.num_players - 1], *["random"] * (rules.num_players - 3)]
    table = Table(rules, seats, 11)
    straight = Session(sarai.Record.from_steps(rules, [], seed=11, agents=seats), seed=11)
    assert straight.wait(60)
    # Turn by turn the game goes from the terminal to the page and back, and always as it would have on one alone.
    for turn in range(4):
        if turn % 2:
            session = Session()
            shown = session.do({"do": "load", "record": table.record().to_json()})
            session.do({"do": "play", "action": shown["moves"][0]["action"]})
            assert session.wait(60)
            record = session.record
            table = Table(rules, seats, 11, [step.id for step in record.steps])
        else:
            table.advance()
            table.play(next(iter(table.names().values())))
            table.advance()
        straight.do({"do": "play", "action": straight.snapshot()["moves"][0]["action"]})
        assert straight.wait(60)
        assert table.record() == straight.record
