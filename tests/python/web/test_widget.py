"""`sarai.widget` without a browser: who plays, what a page may say, and what Python hears of the play."""

from __future__ import annotations

import asyncio
import re
import sys
import threading
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import sarai
from helpers.refusals import refused
from sarai._web.widget import Widget

PATIENCE = 60.0


class Page:
    """What a page hears, and what it says."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.heard: list[dict[str, Any]] = []
        monkeypatch.setattr(Widget, "send", self._hear)

    def _hear(self, content: dict[str, Any]) -> None:
        self.heard.append(content)

    def say(self, board: Widget, content: object, buffers: tuple[bytes, ...] = ()) -> dict[str, Any]:
        """Send a message as a kernel gets it; what is heard last."""
        data = {"method": "custom", "content": content}
        board._handle_msg({"content": {"data": data}, "buffers": list(buffers)})
        return self.heard[-1]

    def do(self, board: Widget, **command: Any) -> dict[str, Any]:
        """The answer to a command."""
        answer: dict[str, Any] = self.say(board, {"id": "x", "command": command})["answer"]
        return answer


@pytest.fixture
def page(monkeypatch: pytest.MonkeyPatch) -> Iterator[Page]:
    yield Page(monkeypatch)
    # Nobody thinks on when a test has ended.
    for thread in threading.enumerate():
        if thread.name == "sarai agent":
            thread.join(PATIENCE)
            assert not thread.is_alive()


def wait(board: Widget) -> None:
    assert board._session.wait(PATIENCE)


def shown(board: Widget) -> dict[str, Any]:
    return board._session.snapshot()


def first(observations: Any, masks: Any) -> Any:
    return masks.argmax(axis=1)


class Last:
    """An agent that sees whole positions."""

    def choose_many(self, states: Any, seats: Any) -> Any:
        assert seats.tolist() == states.current_player().tolist()
        masks = states.legal_actions_mask()
        return masks.shape[1] - 1 - masks[:, ::-1].argmax(axis=1)


def test_it_begins_with_whatever_is_given() -> None:
    for begin in ("shah", sarai.make("shah")):
        board = sarai.widget(begin, against="greedy")
        assert (board.state, len(board.record)) == (sarai.make("shah").new_initial_state(), 0)
    state = sarai.make("shah").new_initial_state()
    state.apply_action(7)
    board = sarai.widget(state, against="greedy", seat=1)
    assert (board.state, board.record.start, shown(board)["mine"]) == (state, state, True)
    assert sarai.widget("sho(preset=lhasa,players=2)", seat=[0, 1]).state.get_game().rules["players"] == 2
    for seat in (np.int64(1), [np.int64(1)], np.array([1])):
        assert shown(sarai.widget(state, against="greedy", seat=seat))["seats"] == ["greedy", "person"]


def test_a_record_is_looked_at_with_those_who_played_it(page: Page) -> None:
    record = sarai.Record.play(sarai.make("shah", max_turns=12), ["greedy", "random"], seed=1)
    board = sarai.widget(record)
    assert (shown(board)["at"], shown(board)["length"], shown(board)["seats"]) == (
        0,
        12,
        ["greedy", "random"],
    )
    assert board.record.steps == record.steps
    page.do(board, do="go", to=5)
    assert board.state == record.states()[5]
    board = sarai.widget(record, against="random", seat=1)
    assert shown(board)["seats"] == ["random", "person"]
    board.close()


def test_a_record_goes_on_with_its_own_dice(page: Page) -> None:
    played = sarai.Record.play("sho", "greedy", seed=5)
    assert sarai.widget(played).record == played
    agents = ["human", "greedy", "greedy"]
    begun = sarai.Record.from_steps(
        played.game, [step.id for step in played.steps[:1]], seed=5, agents=agents
    )
    games = []
    for seed in (None, None, 6):
        board = sarai.widget(begun, seed=seed, pace=0)
        assert board.record.seed == (seed or 5)
        for _ in range(3):
            wait(board)
            page.do(board, do="play", action=board.state.legal_actions()[0])
        games.append([step.id for step in board.record.steps])
    assert games[0] == games[1] != games[2]


def test_of_a_record_strangers_are_persons() -> None:
    game = sarai.make("shah", max_turns=12)
    record = sarai.Record.from_steps(game, [0, 1], agents=["somebody", "greedy"], seed=1)
    board = sarai.widget(record)
    assert (shown(board)["seats"], shown(board)["at"], shown(board)["mine"]) == (
        ["person", "greedy"],
        2,
        True,
    )


def test_policies_play(page: Page) -> None:
    board = sarai.widget("shah", against=[first], pace=0)
    page.do(board, do="play", action=23)
    wait(board)
    assert [step.id for step in board.record.steps] == [23, 0]
    assert (shown(board)["seats"], shown(board)["last"]["words"]) == (
        ["person", "first"],
        "Black: place a stone on a7",
    )
    board = sarai.widget("shah", against=Last(), pace=0)
    page.do(board, do="play", action=0)
    wait(board)
    assert [step.id for step in board.record.steps] == [0, 23]
    board = sarai.widget("sho", against=[first, lambda o, m: first(o, m)], seat=2)
    board.close()


def test_two_policies_of_one_name_are_told_apart() -> None:
    one, two = ((lambda o, m: first(o, m)) for _ in range(2))
    board = sarai.widget("sho(players=4)", against=[one, two, one], seat=0, seed=1)
    board.close()
    names = shown(board)["seats"]
    assert names[0] == "person"
    assert names[1].endswith("<lambda>")
    assert names[2:] == [f"{names[1]} (2)", names[1]]


def test_a_policy_that_answers_badly_is_named_and_the_game_held(page: Page) -> None:
    # All that is no answer: envs/test_policy_errors.py.
    def policy(observations: Any, masks: Any) -> Any:
        return np.zeros(1)

    board = sarai.widget("shah", against=policy, pace=0)
    page.do(board, do="play", action=3)
    wait(board)
    assert re.match("TypeError: .* policy '.*policy' .* integers, not float64", shown(board)["error"])
    assert (shown(board)["paused"], len(board.record)) == (True, 1)


def test_what_cannot_be_is_refused() -> None:
    def call(begin: Any = "shah", **given: Any) -> None:
        sarai.widget(begin, **given)

    refused(
        call,
        {
            "begin": ["shahh", "shah(nonsense=1)"],
            "seat": [2, -1],
            "against": ["grady", "alphabeta:0", ["greedy", "greedy"]],
            "pace": [-1, float("nan")],
            "seed": [-1],
        },
        {"begin": [3], "seat": [True, "0", ["0"], np.array([True]), np.array([0.0])], "against": [7]},
    )
    with pytest.raises(TypeError, match="agent"):
        call(against=[7])


def test_what_is_no_message_changes_nothing(page: Page) -> None:
    board = sarai.widget("shah", against="random", pace=0)
    page.do(board, do="play", action=3)
    wait(board)
    before = shown(board)
    undo = {"do": "undo"}
    messages: list[tuple[object, tuple[bytes, ...]]] = [
        *((content, ()) for content in (None, "play", [], {}, {"id": "x"}, {"command": undo})),
        ({"id": 3, "command": undo}, ()),
        ({"id": "x" * 65, "command": undo}, ()),
        ({"id": "x", "command": undo, "more": 1}, ()),
        ({"id": "x", "command": undo}, (b"data",)),
    ]
    for content, buffers in messages:
        page.heard.clear()
        told = page.say(board, content, buffers)
        assert told["trouble"].startswith("a message is an object with 'id'")
        assert shown(board) is before


def test_a_wrong_command_is_answered_by_a_sentence(page: Page) -> None:
    board = sarai.widget("shah")
    before, state = shown(board), board.state
    # What else is no command: test_session.py.
    for command in (None, {"do": "new", "game": "shah", "seats": ["person", "net:/etc/passwd"]}):
        answer = page.say(board, {"id": "x", "command": command})
        assert answer["id"] == "x"
        assert re.search("a command is an object|cannot play here", answer["answer"]["error"])
        assert shown(board) is before
        assert board.state is state


def test_a_page_sets_nothing(page: Page) -> None:
    board = sarai.widget("shah")
    script, still = board._esm, board._still
    board._handle_msg({"content": {"data": {"method": "update", "state": {"_esm": "alert()", "_still": ""}}}})
    assert page.heard[-1]["trouble"].startswith("a page sets nothing here")
    assert (board._esm, board._still) == (script, still)
    with pytest.raises(Exception, match="read-only"):
        board.state = board.state


def test_whom_python_seated_may_come_back(page: Page) -> None:
    board = sarai.widget("shah", against=["mcts:20000"], seat=0)
    (offered,) = (
        entry["agents"] for entry in page.do(board, do="catalogue")["games"] if entry["name"] == "shah"
    )
    assert offered[:1] == ["mcts:20000"]
    assert page.do(board, do="new", game="shah", seats=["person", "mcts:20000"])["error"] is None


def named(name: str) -> Any:
    def policy(observations: Any, masks: Any) -> Any:
        return first(observations, masks)

    policy.__qualname__ = name
    return policy


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"against": "greedy", "seed": -1}, "seed got -1; it takes 0 to"),
        ({"against": "greedy", "seed": "x"}, "seed must be a whole number, not str"),
        ({"against": named("a" * 1001)}, "an agent's label has 1001 characters"),
    ],
)
def test_nobody_thinks_before_all_is_checked(
    given: dict[str, Any], sentence: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sarai._web.session.Session._think", lambda *_: pytest.fail("somebody thinks"))
    with pytest.raises((ValueError, TypeError), match=sentence):
        sarai.widget("shah", seat=[], **given)


def test_who_only_chooses_gives_no_analysis(page: Page) -> None:
    board = sarai.widget("shah", against=named("mine"))
    answer = page.do(board, do="analyse", agent="mine")
    assert answer["error"] == "'mine' only chooses moves: let an agent of the engine analyse"
    assert not board._session.is_thinking


def test_whoever_sits_at_the_board_gives_the_advice(page: Page) -> None:
    board = sarai.widget("shah", against="mcts:30")
    assert page.do(board, do="analyse")["error"] is None
    wait(board)
    assert shown(board)["analysed_by"] == "mcts:30"


def test_every_position_is_seen(page: Page) -> None:
    board = sarai.widget("shah", against="random", seed=1, pace=0)
    seen: list[int] = []
    records: list[int] = []
    board.observe(lambda change: seen.append(change["new"].turns_passed()), names="state")
    board.observe(lambda change: records.append(len(change["new"])), names="record")
    for _ in range(3):
        page.do(board, do="play", action=board.state.legal_actions()[0])
        wait(board)
    page.do(board, do="undo")
    page.do(board, do="go", to=1)
    assert seen == [1, 2, 3, 4, 5, 6, 4, 1]
    assert records == [1, 2, 3, 4, 5, 6, 4]
    assert board.state == board.record.states()[1]
    sent = [message["shown"]["length"] for message in page.heard if "shown" in message]
    assert sent == [1, 2, 3, 4, 5, 6, 4, 4]


def test_what_fails_in_a_callback_is_shown(page: Page, capsys: pytest.CaptureFixture[str]) -> None:
    def wrong(change: Any) -> None:
        raise RuntimeError("as it should")

    board = sarai.widget("shah", against="random", pace=0)
    board.observe(wrong, names="state")
    page.do(board, do="play", action=3)
    wait(board)
    told = [message["trouble"] for message in page.heard if "trouble" in message]
    assert told == ["a callback that observes 'state' has failed: RuntimeError: as it should"] * 2
    assert "in wrong\n" in capsys.readouterr().err
    # The play goes on, and the record follows.
    assert (len(board.record), board.state.turns_passed()) == (2, 2)


def test_callbacks_run_where_the_cells_run(page: Page) -> None:
    threads = []

    async def main() -> None:
        turn = asyncio.Event()
        board = sarai.widget("shah", against="random", pace=0)

        def seen(change: Any) -> None:
            threads.append(threading.current_thread())
            if change["new"].turns_passed() == 2:
                turn.set()

        board.observe(seen, names="state")
        page.do(board, do="play", action=3)
        await asyncio.wait_for(turn.wait(), PATIENCE)

    asyncio.run(main())
    assert threads == [threading.main_thread()] * 2


def test_what_ends_after_its_kernel_does_no_harm(page: Page) -> None:
    async def main() -> Widget:
        return sarai.widget("shah", against="random", pace=0)

    board = asyncio.run(main())
    assert page.do(board, do="play", action=3)["error"] is None
    wait(board)


def test_closing_ends_the_thinking(page: Page) -> None:
    board = sarai.widget("shah", against="mcts:100000", seat=1, pace=0)
    assert shown(board)["thinking"] == 0
    board.close()
    wait(board)
    assert len(board.record) == 0
    # What was shown can still be read, and closing again does nothing.
    assert board.state.turns_passed() == 0
    board.close()


def test_a_picture_and_words_stand_beside_the_board() -> None:
    board = sarai.widget("shah")
    bundle = board._repr_mimebundle_(include=None, exclude=None)
    assert bundle is not None
    data, _ = bundle
    assert data["application/vnd.jupyter.widget-view+json"]["model_id"] == board.model_id == board._key
    assert data["image/svg+xml"] == board._still == shown(board)["svg"]
    assert data["text/plain"].splitlines()[-1] == str(board.state)
    assert repr(board) == "<sarai.widget of shah: white is to place one of 12 stones, step 0 of 0>"
    board.close()


def test_the_script_is_one_module_that_fetches_nothing() -> None:
    assert re.findall(r"^\s*(?:import\b.*|.*\bimport\()", Widget._esm, re.MULTILINE) == []
    assert re.findall(r"https?://|\bfetch\(|XMLHttpRequest", Widget._esm + Widget._css) == []
    assert Widget._esm.count("export default {") == 2
    assert len(Widget._esm) < 60_000


def test_without_anywidget_a_sentence_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "sarai._web.widget")
    monkeypatch.setitem(sys.modules, "anywidget", None)
    assert "widget" in dir(sarai)
    with pytest.raises(ModuleNotFoundError, match=r'needs anywidget: pip install "sarai\[widget\]"'):
        sarai.widget("shah")
