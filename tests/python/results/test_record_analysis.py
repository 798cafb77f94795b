"""`Record.analyse`: what moves have lost and throws have brought, against plain computations and known play."""

from __future__ import annotations

import copy
import math
import pickle
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import sarai
from helpers import gnubg
from helpers.positions import every_book

Run = Callable[..., str]


@every_book
def test_each_decision_is_its_analysis_and_each_throw_its_surprise(book: tuple[str, str]) -> None:
    game = sarai.make(book[0], preset=book[1])
    record = sarai.Record.play(game, "random", seed=5)
    if len(record) > 120:
        record = sarai.Record.from_steps(game, [step.id for step in record.steps[:120]])
    analysed = record.analyse("expectimax:1", seed=1)
    states = record.states()
    assert [one.step for one in analysed.decisions] == [
        place for place, step in enumerate(record.steps) if step.player >= 0
    ]
    for one in analysed.decisions:
        told = sarai.analyse(states[one.step], "expectimax:1", seed=1)
        values = {move.action: move.value for move in told.moves}
        played = values[record.steps[one.step].id]
        assert (one.value, one.best_value, one.expected) == (played, max(values.values()), told.value)
        assert one.loss == max(values.values()) - played >= 0
        assert (one.name, one.turn) == (record.steps[one.step].name, states[one.step].turns_passed())
        assert one.choices == len(values)
        assert analysed.analysis(one.step) == told
    throws = [place for place, step in enumerate(record.steps) if step.player < 0]
    # An opening throw that decides nothing is nobody's luck.
    opening = {place for place in throws if states[place + 1].to_dict()["player"] is None}
    assert [one.step for one in analysed.throws] == [place for place in throws if place not in opening]
    for one in analysed.throws[:10]:
        before = sarai.States.from_states([states[one.step]])
        after = before.chance_successors()
        values = after.states.expected_returns("expectimax:1")[:, one.player]
        at = after.outcome.tolist().index(record.steps[one.step].id)
        assert one.luck == pytest.approx(values[at] - after.probability @ values, abs=1e-9)
        # Whoever threw decides next, where anything can be played.
        follows = next((step.player for step in record.steps[one.step + 1 :] if step.player >= 0), one.player)
        assert one.player == follows or record.steps[one.step + 1].player < 0
    assert analysed == pickle.loads(pickle.dumps(analysed)) == copy.deepcopy(analysed)


def test_who_plays_worse_loses_more_and_whoever_plays_by_the_agent_nothing() -> None:
    record = sarai.Record.play("shuanglu", ["expectimax:1", "random"], seed=2)
    good, bad = record.analyse("expectimax:1", seed=0).players
    assert (good.loss, good.error_rate, good.blunders) == (0, 0, 0)
    assert bad.error_rate > 0.02
    assert bad.doubtful + bad.mistakes + bad.blunders > 3
    assert (good.agent, bad.agent) == ("expectimax:1", "random")


def test_tables_make_it_exact() -> None:
    """In positions that tables know, a move that gives a win away loses 1 or 2, and every other nothing."""
    game = sarai.make("shah")
    tables = sarai.exact.load(game)
    lost = 0
    for state in tables.sample_states(8, (4, 3), seed=2):
        record = sarai.Record.play(state, "random", seed=1)
        analysed = record.analyse("perfect", seed=0)
        at = record.states()
        for one in analysed.decisions:
            values = {move.action: move.value for move in tables.moves(at[one.step])}
            assert one.loss == max(values.values()) - values[record.steps[one.step].id]
            assert one.kind == "exact"
            assert one.mark == ("??" if one.loss else "")
            lost += one.loss > 0
    assert lost > 5


def test_tables_by_turn_throw_and_player() -> None:
    record = sarai.Record.play("shuanglu", "random", seed=4)
    analysed = record.analyse("expectimax:1", seed=0)
    decisions, turns, throws, players = (
        analysed.to_pandas(by) for by in ("decision", "turn", "throw", "player")
    )
    assert len(decisions) == len(record.decisions)
    assert turns["loss"].sum() == pytest.approx(decisions["loss"].sum())
    assert turns["luck"].sum() == pytest.approx(throws["luck"].sum())
    assert players["loss"].sum() == pytest.approx(decisions["loss"].sum())
    assert (turns["turn"].diff().dropna() >= 0).all()
    assert " ".join(turns["move"]).split() == [
        part for step in record.decisions for part in step.name.split()
    ]
    # The second player's luck is the first one's bad luck.
    assert players["choices"].tolist() == [
        sum(one.choices > 1 for one in analysed.decisions if one.player == seat) for seat in (0, 1)
    ]
    with pytest.raises(ValueError, match="by got 'game'"):
        analysed.to_pandas("game")


def test_it_shows_itself(tmp_path: Path) -> None:
    record = sarai.Record.play("shah(max_turns=30)", "random", seed=4)
    analysed = record.analyse("alphabeta:2", seed=0, thresholds=(0.001, 0.01, 0.1))
    text, html = str(analysed), analysed._repr_html_()
    marked = [one for one in analysed.decisions if one.mark]
    assert len(marked) > 3
    for one in marked:
        assert one.name in text
        assert one.best in html
    analysed.page(tmp_path / "game.html")
    page = (tmp_path / "game.html").read_text()
    assert f"; {marked[0].best_turn} is best" in page
    # Each in the label of its position, and on a button that jumps there.
    assert page.count("loses") == 2 * len(marked)
    buttons = re.findall('<button type="button" value="([0-9]+)">turn ([0-9]+), player', page)
    assert buttons == [(str(one.step + 1), str(one.turn)) for one in marked]
    analysed.page(tmp_path / "turns.html", by_turn=True)
    assert (tmp_path / "turns.html").read_text().count("loses") == 2 * len(marked)
    pytest.importorskip("matplotlib")
    figure = analysed.plot(tmp_path / "game.svg")
    assert (tmp_path / "game.svg").stat().st_size > 1000
    (axes,) = figure.axes
    assert {text.get_text() for text in axes.texts} <= {"?!", "?", "??"}


def test_the_best_turn_goes_on_to_its_end() -> None:
    record = sarai.Record.play("shuanglu", "random", seed=6)
    analysed = record.analyse("expectimax:1", luck=None, seed=0)
    marked = [one for one in analysed.decisions if one.mark]
    assert any(" " in one.best_turn for one in marked)
    for one in marked:
        state = record.states()[one.step]
        for name in one.best_turn.split():
            assert (state.current_player(), state.turns_passed()) == (one.player, one.turn)
            state.apply_action(state.string_to_action(name))
        assert (state.current_player(), state.turns_passed()) != (one.player, one.turn)
    assert all(one.best_turn == one.best for one in analysed.decisions if not one.mark)


def test_threads_change_nothing_and_progress_is_told() -> None:
    record = sarai.Record.play("shuanglu", "random", seed=6)
    told: list[Any] = []
    one = record.analyse("mcts:20", seed=9, num_threads=1, progress=lambda *news: told.append(news))
    assert told
    assert one == record.analyse("mcts:20", seed=9, num_threads=3)
    assert one.seed == 9
    assert record.analyse("greedy").seed != record.analyse("greedy").seed


def test_luck_can_be_left_out() -> None:
    record = sarai.Record.play("sho", "random", seed=1)
    analysed = record.analyse("greedy", luck=None, seed=0)
    assert analysed.throws == ()
    assert analysed.luck_agent is None
    assert all(math.isnan(one.luck) for one in analysed.players)
    with pytest.raises(ValueError, match="there is no throw"):
        analysed.to_pandas("throw")


def test_a_record_without_steps() -> None:
    analysed = sarai.Record.from_steps("shah", []).analyse(seed=0)
    assert analysed.decisions == ()
    assert [one.loss for one in analysed.players] == [0, 0]
    assert "0 decisions" in str(analysed)


@pytest.mark.parametrize(
    ("given", "kind", "message"),
    [
        ({"agent": "clever"}, ValueError, "unknown agent 'clever'"),
        ({"agent": "alphabeta:3"}, ValueError, "only plays two-player games without dice"),
        ({"luck": "mcts:20"}, ValueError, "does not evaluate positions before a throw"),
        ({"thresholds": (0.1, 0.2)}, ValueError, "three numbers above 0 in ascending order"),
        ({"thresholds": (0.3, 0.2, 0.1)}, ValueError, "three numbers above 0 in ascending order"),
        ({"thresholds": (float("nan"),) * 3}, ValueError, "three numbers above 0 in ascending order"),
        ({"thresholds": "0.1"}, TypeError, "three numbers"),
        ({"thresholds": ("a", "b", "c")}, TypeError, "three numbers"),
        ({"num_threads": 0}, ValueError, "num_threads got 0"),
        ({"seed": -1}, ValueError, "seed"),
    ],
)
def test_bad_input(given: dict[str, Any], kind: type[Exception], message: str) -> None:
    record = sarai.Record.play("shuanglu", "random", seed=1)
    with pytest.raises(kind, match=message):
        record.analyse(**given)


def test_expected_returns_at_throws_decisions_and_ends() -> None:
    rollout = sarai.rollout("shuanglu(preset=backgammon)", "random", 3, seed=1, keep=range(3))
    states = sarai.States.from_states(
        state for record in rollout.records.values() for state in (*record.states()[:9], record.final_state)
    )
    found = states.expected_returns("expectimax:1", num_threads=2)
    assert found.dtype == np.float64
    for state, row in zip(states, found, strict=True):
        if state.is_terminal():
            assert row.tolist() == state.returns()
        elif state.current_player() >= 0:
            assert row.tolist() == list(sarai.analyse(state, "expectimax:1", seed=0).value)
        else:
            children = [(state.child(outcome), share) for outcome, share in state.chance_outcomes()]
            later = sarai.States.from_states([child for child, _ in children]).expected_returns()
            mean = np.array([share for _, share in children]) @ later
            if all(child.current_player() >= 0 for child, _ in children):
                assert row == pytest.approx(mean, abs=1e-12)
    with pytest.raises(ValueError, match="does not evaluate positions before a throw"):
        states.expected_returns("greedy")


@pytest.mark.nightly
def test_backgammon_is_analysed_as_gnu_backgammon_does(tmp_path: Path) -> None:
    """The same choices are counted, and much the same losses found, by a small network of ours."""
    if gnubg.program() is None:
        pytest.skip("gnubg is not installed: apt-get install gnubg")
    game = sarai.make("shuanglu", preset="backgammon")
    network = "net:backgammon_gammons"
    seatings = [
        ["expectimax:1", "greedy"],
        [network, "expectimax:1"],
        ["greedy", "expectimax:1"],
        ["greedy"] * 2,
    ]
    records = [sarai.Record.play(game, seats, seed=seed) for seed, seats in enumerate(seatings * 10)]
    sarai.records.Match.from_records(records).save(tmp_path / "match.mat")
    theirs = gnubg.errors(tmp_path / "match.mat", len(records))
    ours = [record.analyse(network, luck=None, seed=0).players for record in records]
    assert [[one.turns for one in players] for players in ours] == [
        [unforced for unforced, _ in players] for players in theirs
    ]
    lost = np.array([[one.loss for one in players] for players in ours]).ravel()
    wanted = np.array([[loss for _, loss in players] for players in theirs]).ravel()
    assert 0.7 < lost.sum() / wanted.sum() < 0.9
    assert np.corrcoef(lost, wanted)[0, 1] > 0.8
