"""`sarai.Record`: what is kept replays exactly, in every form, and what the rules contradict is refused."""

from __future__ import annotations

import copy
import itertools
import pickle
import runpy
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import sarai
from helpers.places import ROOT
from helpers.refusals import refused
from helpers.saved import random_game
from sarai._records import model as record_module
from sarai._records.record import Record

nightly = pytest.mark.nightly
BOOKS = [(game, preset) for game in sarai.games() for preset in sarai.presets(game)]


@pytest.mark.parametrize(
    ("name", "preset", "games"),
    [
        *((name, next(iter(sarai.presets(name))), 4) for name in sarai.games()),
        *(pytest.param(*book, 24, marks=nightly) for book in BOOKS),
    ],
)
def test_every_form_gives_the_same_game_back(name: str, preset: str, games: int) -> None:
    game = sarai.make(name, preset=preset)
    for seed in range(games):
        # Every third one is only the beginning of a game.
        ids, states = random_game(game, seed, most=seed if seed % 3 == 0 else None)
        origin = {"seed": seed, "number": 2**64 - 1} if seed % 2 else {}
        labels = [f"agent: {seat}, «x»\n" for seat in range(game.num_players)] if seed % 4 < 2 else None
        record = Record.from_steps(game, ids, agents=labels, **origin)
        assert [step.id for step in record.steps] == ids
        assert [step.player for step in record.steps] == [s.current_player() for s in states[:-1]]
        assert record.states() == states
        assert record.final_state == states[-1]
        assert (record.game, record.rules) == (game, game.rules)
        if states[-1].is_terminal():
            scores = states[-1].returns()
            winners = {side for side, score in zip(game.sides, scores, strict=True) if score > 0} or {-1}
            assert record.returns == tuple(scores)
            assert {record.winner} == winners
        else:
            assert (record.finished, record.returns, record.winner) == (False, None, None)
        by_json, by_text = Record.from_json(record.to_json()), Record.from_text(record.to_text())
        for twin in (by_json, by_text, pickle.loads(pickle.dumps(record)), copy.copy(record)):
            assert twin == record
            assert hash(twin) == hash(record)
            assert (twin.steps, twin.returns, twin.winner) == (record.steps, record.returns, record.winner)
            assert (twin.agents, twin.seed, twin.number) == (record.agents, record.seed, record.number)
        assert by_text.states() == states


def test_the_check_of_many_games(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    check = runpy.run_path(str(ROOT / "scripts" / "check_records.py"))
    assert check["check"](check["Share"]("sho", "lhasa", 3, 5, 4))[0] == 4
    # It finds a game that changes on its way.
    monkeypatch.setattr(Record, "load", lambda path: Record.play("sho(preset=lhasa)", seed=3, number=5))
    with pytest.raises(ValueError, match="sho, preset lhasa, seed 3, game 6: it is another game once saved"):
        check["check"](check["Share"]("sho", "lhasa", 3, 5, 4))
    with pytest.raises(SystemExit):
        check["main"](["--games", "0"])


@pytest.mark.parametrize(
    ("name", "ending"), [("sho", ".json"), ("shah", ".txt"), ("tshupu", ".TXT"), ("shuanglu", "")]
)
def test_files(name: str, ending: str, tmp_path: Path) -> None:
    record = Record.play(name, seed=3, number=2)
    path = tmp_path / f"game{ending}"
    record.save(path)
    assert Record.load(path) == Record.load(str(path)) == record
    text = path.read_text(encoding="utf-8")
    assert text == (record.to_text() if ending.lower() == ".txt" else record.to_json() + "\n")


def last_legal(observations: NDArray[np.int8], masks: NDArray[np.int8]) -> NDArray[np.intp]:
    chosen: NDArray[np.intp] = masks.shape[1] - 1 - masks[:, ::-1].argmax(axis=1)
    return chosen


@pytest.mark.parametrize(
    ("name", "preset", "agents", "num"),
    [
        ("sho", "lhasa", "mixed", 12),
        ("shah", "nine_mens_morris", last_legal, 12),
        ("tshupu", "chaupar_style", "greedy", 12),
        ("shuanglu", "shuanglu", "random", 12),
        ("sho", "basic", "mcts:3", 12),
        *(
            pytest.param(*book, agents, 60, marks=nightly)
            for book in BOOKS
            for agents in ("random", "greedy", "mcts:3", last_legal, "mixed")
        ),
    ],
)
def test_kept_games_are_those_of_the_rollout(name: str, preset: str, agents: Any, num: int) -> None:
    game = sarai.make(name, preset=preset)
    if agents == "mixed":
        agents = list(
            itertools.islice(itertools.cycle(["random", last_legal, "mcts:3", "greedy"]), game.num_players)
        )
    plain = sarai.rollout(game, agents, num, seed=11, first_game=1000)
    keep = [num - 1, 0, 7]
    r = sarai.rollout(game, agents, num, seed=11, first_game=1000, keep=keep)
    assert list(r.records) == keep
    assert (plain.records, plain == r) == ({}, False)
    decisions = sarai.trajectories(game, agents, num, seed=11, first_game=1000)
    for row, record in r.records.items():
        assert record.returns == tuple(plain.returns[row].tolist())
        assert record.winner == plain.winner[row]
        taken = [step for step in record.steps if step.player != sarai.CHANCE]
        assert [step.player for step in taken] == decisions[row].players.tolist()
        assert [step.id for step in taken] == decisions[row].actions.tolist()
        acted = [state for state in record.states() if state.current_player() >= 0]
        for state, seen, mask in zip(acted, decisions[row].observations, decisions[row].masks, strict=True):
            assert np.array_equal(state.observation_tensor(), seen)
            assert np.array_equal(state.legal_actions_mask(), mask)
        final = record.final_state
        assert len(taken) == plain.lengths[row]
        assert final.turns_passed() + (final.winner != -1) == plain.turns[row]
        assert (record.seed, record.number, record.agents) == (11, 1000 + row, r.agents)
    assert Record.play(game, agents, seed=11, number=1007) == r.records[7]


def test_the_dice_are_those_of_the_engine() -> None:
    # The engine plays game 0 of a seed in a batch as well, and there every position can be seen.
    for name, seed in itertools.product(sarai.games(), (0, 2**64 - 1)):
        game = sarai.make(name)
        record = Record.play(game, last_legal, seed=seed)
        batch = sarai._core.Batch(game, 1, seed, "Disabled")
        batch.reset()
        batch.finish()
        for step, state in zip(record.steps, record.states(), strict=False):
            if step.player != sarai.CHANCE:
                assert batch.state(0) == state
                batch.step(np.array([step.id]))
                batch.finish()
        assert batch.state(0) == record.final_state


def test_rolls_that_could_not_be_used_are_real_ones() -> None:
    # Nothing that follows tells them.
    records = sarai.rollout("shuanglu", num_games=60, seed=5, keep=range(60)).records.values()
    idle = [
        first.name
        for record in records
        for first, second in itertools.pairwise(record.steps[1:])
        if first.player == second.player == sarai.CHANCE
    ]
    faces = [int(face) for name in idle for face in name.split("-")]
    assert len(idle) > 300
    doubles = sum(name[0] == name[2] for name in idle)
    assert set(faces) == {1, 2, 3, 4, 5, 6}
    assert 0.02 < doubles / len(idle) < 0.35


def test_what_cannot_be_kept() -> None:
    refused(
        partial(sarai.rollout, "sho", num_games=10, seed=0),
        {"keep": [[10], [-1], [2**70], [1, 2, 1], itertools.repeat(1)]},
        {"keep": [3, "12", [1.0], [True], None]},
    )
    # An iterator can be read once only, the agents are needed twice.
    assert list(sarai.rollout("sho", iter(["random"] * 3), 2, keep=iter([1]), seed=0).records) == [1]


def test_which_game_a_record_is_of() -> None:
    refused(
        partial(Record.play, "sho", seed=0), {"number": [-1, 2**64 - 1, 2**64]}, {"number": [None, True, 1.0]}
    )
    assert Record.play("sho", number=2**64 - 2, seed=0).number == 2**64 - 2


def test_a_kept_game_is_the_one_that_was_played() -> None:
    # Not even this policy could play it a second time.
    dice, chosen = np.random.default_rng(1), []

    def moody(observations: NDArray[np.int8], masks: NDArray[np.int8]) -> NDArray[Any]:
        chosen.append(np.array([dice.choice(np.flatnonzero(mask)) for mask in masks]))
        return chosen[-1]

    r = sarai.rollout("shah(max_turns=30)", [moody, "random"], 1, keep=[0], seed=0)
    taken = [step.id for step in r.records[0].steps if step.player == 0]
    assert taken == np.concatenate(chosen).tolist()
    assert r.records[0].returns == tuple(r.returns[0])


def test_labels_that_no_record_takes_are_refused_before_the_games() -> None:
    def never(observations: NDArray[np.int8], masks: NDArray[np.int8]) -> NDArray[Any]:
        raise AssertionError("no game is played")

    never.__qualname__ = "x" * 1001
    with pytest.raises(ValueError, match="1,001 characters; it takes up to 1,000"):
        sarai.rollout("shah", never, 1, keep=[0], seed=0)


def test_illegal_steps_are_named() -> None:
    game = sarai.make("shah")
    ids, _ = random_game(game, 1)
    for place in (0, 5, len(ids) - 1):
        with pytest.raises(sarai.IllegalActionError, match=rf"^step {place}: action 999 is not legal"):
            Record.from_steps(game, [*ids[:place], 999])
        with pytest.raises(TypeError, match=rf"^step {place} must be a whole number, not float"):
            Record.from_steps(game, [*ids[:place], 1.0])  # type: ignore[list-item]
    with pytest.raises(sarai.IllegalActionError, match=rf"^step {len(ids)}: the game is over"):
        Record.from_steps(game, [*ids, 0])
    for wrong in (-1, 2**31, 2**64, -(10**30)):
        with pytest.raises(sarai.IllegalActionError, match=r"^step 0: .*not legal"):
            Record.from_steps("sho", [wrong])


def test_an_endless_game_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(record_module, "MAX_STEPS", 4)
    ids, _ = random_game(sarai.make("sho"), 1)
    assert len(Record.from_steps("sho", ids[:4])) == 4
    with pytest.raises(ValueError, match="at most 4 steps"):
        Record.from_steps("sho", itertools.chain(ids[:5], itertools.repeat(0)))


def test_wrong_arguments() -> None:
    def call(game: Any = "shah", steps: Any = (), **origin: Any) -> None:
        Record.from_steps(game, steps, **origin)

    refused(
        call,
        {"seed": [-1, 2**64], "agents": [["a", "\ud800"]], "game": ["chess"]},
        {"steps": ["012"], "seed": [True], "number": [False, "3"], "agents": ["ab", ["a", 2]], "game": [3]},
    )


def test_a_record_never_changes() -> None:
    record = Record.play("sho", seed=1)
    for name in ("game", "steps", "seed", "_final"):
        with pytest.raises(AttributeError):
            setattr(record, name, None)
    record.rules["players"] = 2
    assert record.rules["players"] == 3
    state = Record.from_steps("sho", []).final_state
    state.apply_action(0)
    begun = Record.from_steps("sho", [])
    begun.final_state.apply_action(0)
    assert begun.final_state == begun.states()[0] != state
    assert (len(begun), bool(begun), begun == "x") == (0, True, False)
    assert {begun: 1}[Record.from_steps("sho", [])] == 1


def test_repr_and_picture() -> None:
    record = Record.play("sho", "greedy", seed=3)
    assert repr(record).startswith(f"Record('sho', {len(record)} steps, returns=(")
    assert repr(record).endswith("agents=('greedy', 'greedy', 'greedy'), seed=3, number=0)")
    assert record._repr_svg_().startswith("<svg")
