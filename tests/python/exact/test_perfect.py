"""The agent "perfect": what it wins, how soon, what it says of a position, and what it refuses."""

from __future__ import annotations

import pickle
import re
import shutil
from pathlib import Path

import numpy as np
import pytest

import sarai
from helpers.folders import pairs_of_shah
from sarai import agents
from sarai._exact.tables import SHIPPED

LIMIT = 1000
"""A turn limit that is only reached where a test wants it to be."""

PRESETS = ("shah", "nine_mens_morris")


def covered(count: int, preset: str = "shah", spare: int | None = None, seed: int = 1) -> sarai.States:
    """Random positions of 3 and 4 stones; of those with a winner, as many turns are left as it takes, and `spare`."""
    game = sarai.make("shah", preset=preset, no_capture_limit=0, max_turns=LIMIT)
    tables = sarai.exact.load(game)
    pairs = [row[:2] for row in tables.summary()]
    states = sarai.States.concatenate(tables.sample_states(count // 4, pair, seed=seed) for pair in pairs)
    if spare is None:
        return states
    turns = tables.values(states)[1]
    return sarai.States.from_states(
        game.parse(re.sub(r"turn=\d+", f"turn={LIMIT - turn - spare}", str(state)))
        for state, turn in zip(states, turns, strict=True)
        if turn + spare > 0
    )


def played(states: sarai.States, winners: np.ndarray, other: str, agent: str = "perfect") -> np.ndarray:
    """The return of the side that ought to win, played by an agent, for each row."""
    found = np.empty(len(states))
    for seat in (0, 1):
        rows = np.flatnonzero(winners == seat)
        if len(rows):
            seats = [agent, other] if seat == 0 else [other, agent]
            found[rows] = states[rows].rollout(seats, 1, seed=3).returns[:, 0, seat]
    return found


def winners_of(states: sarai.States) -> np.ndarray:
    values, _ = sarai.exact.load(states.game).values(states)
    return np.where(values > 0, states.current_player(), 1 - states.current_player())


@pytest.mark.parametrize("preset", PRESETS)
def test_what_is_won_is_won_in_time_and_no_sooner(preset: str) -> None:
    """The game ends as a draw one turn after the promised one: a win that takes longer would be none."""
    for other, count in (
        ("random", 300),
        ("greedy", 300),
        ("alphabeta:4", 40),
        ("mcts:50", 12),
        ("perfect", 600),
    ):
        states = covered(count, preset, spare=0)
        assert len(states) >= count / 4
        assert (played(states, winners_of(states), other) == 1).all(), other
    states = covered(300, preset, spare=-1)
    assert (played(states, winners_of(states), "perfect") == 0).all()


def test_what_is_drawn_is_never_lost() -> None:
    states = covered(2000)
    drawn = states[sarai.exact.load(states.game).values(states)[0] == 0][:40]
    for other in ("random", "greedy", "alphabeta:3"):
        for seat, seats in enumerate((["perfect", other], [other, "perfect"])):
            assert (drawn.rollout(seats, 1, seed=5).returns[:, 0, seat] >= 0).all(), other


def errors(agent: str, states: sarai.States) -> int:
    """How often the agent plays a move that is worth less than the best."""
    tables, wrong = sarai.exact.load(states.game), 0
    for state in states:
        moves = {move.action: move.value for move in tables.moves(state)}
        wrong += moves[sarai.choose(state, agent, seed=0)] < max(moves.values())
    return wrong


def test_alpha_beta_sees_by_tables_what_it_could_not_search(tmp_path: Path) -> None:
    states = sarai.exact.load("shah").sample_states(250, (4, 4), seed=8)
    folder = tmp_path / "a, b"
    folder.mkdir()
    for name in ("3-3", "3-4", "4-3"):
        shutil.copy(SHIPPED / "shah" / f"shah-{name}.exact", folder)
    # With the tables of 4 against 4 it knows all that it looks at; with the smaller ones what captures lead to.
    alone, smaller = errors("alphabeta:3", states), errors(agents.AlphaBeta(3, tables=folder), states)
    assert errors(agents.AlphaBeta(1, tables=True), states) == 0 < smaller < alone
    deep = sarai.exact.load("shah").longest_win((4, 4))
    assert sarai.choose(deep, "alphabeta:2,tables", seed=0) == sarai.choose(deep, "perfect", seed=0)
    assert sarai.analyse(deep, "alphabeta:1,tables", seed=0).value == (1, -1)
    assert sarai.analyse(deep, "alphabeta:6", seed=0).value != (1, -1)
    # What is won is won, with room for more moves than are needed.
    won = covered(200, spare=100)
    assert (played(won, winners_of(won), "random", "alphabeta:1,tables") == 1).all()
    # Where they have nothing it plays as ever.
    between = sarai.make("shah").new_initial_state()
    for _ in range(12):
        between.apply_action(between.legal_actions()[0])
    assert sarai.choose(between, "alphabeta:3,tables", seed=0) == sarai.choose(between, "alphabeta:3", seed=0)
    for known in (agents.AlphaBeta(3, tables=folder), agents.AlphaBeta(2, table_mb=16, tables=True)):
        assert agents.parse(str(known)) == known
        assert repr(agents.parse(str(known))) == repr(known)
    assert agents.AlphaBeta(3, tables=False) == "alphabeta:3"


def test_alpha_beta_does_not_pass_over_what_it_cannot_read(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="nowhere"):
        sarai.rollout("shah", "alphabeta:3,tables=nowhere", 1, seed=0)
    folder = tmp_path / "tables"
    pairs_of_shah(folder)
    path = folder / "shah-3-4.exact"
    whole = bytearray(path.read_bytes())
    for at in range(len(whole) // 2, len(whole), 2000):
        whole[at] ^= 1
    path.write_bytes(bytes(whole))
    states = sarai.exact.load("shah").sample_states(50, (4, 3), seed=8)
    with pytest.raises(ValueError, match=r"shah-3-4\.exact is no sound table"):
        states.rollout(agents.AlphaBeta(2, tables=folder), 1, seed=0)


def test_of_equal_moves_it_plays_the_smallest_id() -> None:
    tables = sarai.exact.load("shah")
    for state in tables.sample_states(100, seed=2):
        moves = tables.moves(state)
        best = [move.action for move in moves if move[1:] == moves[0][1:]]
        assert sarai.choose(state, "perfect", seed=0) == min(best) == moves[0].action
        assert sarai.choose(state, "perfect", seed=None) == moves[0].action


def test_it_plays_where_a_capture_is_due() -> None:
    """States in the middle of a turn are covered: a greedy game comes through many."""
    tables = sarai.exact.load("shah")
    found = 0
    for state in tables.sample_states(300, (4, 4), seed=3):
        for action in state.legal_actions():
            after = state.child(action)
            if after.current_player() == 0 and not after.is_terminal():
                found += 1
                assert sarai.choose(after, "perfect", seed=0) == tables.moves(after)[0].action
    assert found > 20


@pytest.mark.parametrize("preset", PRESETS)
def test_its_analysis_is_exact(preset: str) -> None:
    tables = sarai.exact.load(sarai.make("shah", preset=preset))
    for state in tables.sample_states(40, (4, 3), seed=4):
        told, solved = sarai.analyse(state, "perfect", seed=0), tables.value(state)
        assert told.value == (solved.value, -solved.value)
        known = {(move.action, move.value, move.turns) for move in told.moves}
        assert known == set(tables.moves(state))
        assert told.best == told.moves[0].action == tables.moves(state)[0].action
        assert all(move.kind == "exact" for move in told.moves)
        # Quick wins before slow ones, and slow losses before quick ones.
        won, lost = ([move.turns for move in told.moves if move.value == value] for value in (1, -1))
        assert (won, lost) == (sorted(won), sorted(lost, reverse=True))
        if solved.turns is None:
            assert (told.depth, len(told.moves[0].line)) == (1, 1)
            continue
        assert told.depth == solved.turns
        at = state.clone()
        for name in told.moves[0].line:
            at.apply_action(at.string_to_action(name))
        assert at.is_terminal()
        assert at.returns()[0] == solved.value
        assert f"(in {solved.turns} turn" in str(told)


def test_its_name_says_all() -> None:
    agent = agents.Perfect("some, [folder]")
    assert str(agent) == "perfect:some, [folder]"
    assert agent.parameters == {"tables": "some, [folder]"}
    for known in (agents.Perfect(), agent):
        again = agents.parse(str(known))
        assert (again, type(again), repr(again)) == (known, agents.Perfect, repr(known))
        assert pickle.loads(pickle.dumps(known)) == known
    assert agents.Perfect(sarai.exact.load("shah")) == f"perfect:{SHIPPED / 'shah'}"
    with pytest.raises(ValueError, match="perfect:"):
        agents.Perfect("")
    with pytest.raises(ValueError, match="perfekt"):
        agents.parse("perfekt")


def test_games_beyond_the_tables_are_refused_whole() -> None:
    with pytest.raises(ValueError, match="a part of shah that no tables cover"):
        sarai.rollout("shah", ["random", "perfect"], 50, seed=1)
    with pytest.raises(ValueError, match="rules of shah"):
        sarai.rollout("shah(blocked=loses)", "perfect", 5, seed=0)
    with pytest.raises(ValueError, match="not for sho"):
        sarai.rollout("sho", "perfect", 5, seed=0)
    with pytest.raises(ValueError, match="perfect:nowhere"):
        sarai.rollout("shah", "perfect:nowhere", 5, seed=0)


def test_what_is_missing_is_named_and_found_once_it_is_there(tmp_path: Path) -> None:
    folder = tmp_path / "tables"
    folder.mkdir()
    agent, state = agents.Perfect(folder), covered(4)[0]
    with pytest.raises(ValueError, match="has no tables of shah"):
        agent.choose(state)
    four = sarai.exact.load("shah").sample_states(20, (4, 4), seed=1)
    for name in ("3-3", "3-4", "4-3"):
        shutil.copy(SHIPPED / "shah" / f"shah-{name}.exact", folder)
        # What four against four and its captures lack: the largest of it is named, whatever else is missing.
        with pytest.raises(ValueError, match="do not reach 4 against 4"):
            agent.choose(four[0])
    few = sarai.exact.load("shah").sample_states(20, (3, 3), seed=1)
    assert len(few.rollout(agent, 1, seed=0).winner) == 20
    mixed = sarai.States.concatenate([few, four])
    messages = set()
    for threads in (1, 2):
        with pytest.raises(ValueError, match="do not reach 4 against 4") as refused:
            mixed.rollout(agent, 1, num_threads=threads, seed=0)
        messages.add(str(refused.value))
    assert len(messages) == 1
    shutil.copy(SHIPPED / "shah" / "shah-4-4.exact", folder)
    assert agent.choose(four[0]) == agents.Perfect().choose(four[0])
    assert len(mixed.rollout(agent, 1, seed=0).winner) == 40


def test_a_damaged_block_is_no_answer(tmp_path: Path) -> None:
    folder = tmp_path / "tables"
    pairs_of_shah(folder)
    path = folder / "shah-3-3.exact"
    whole = bytearray(path.read_bytes())
    whole[len(whole) // 2] ^= 1
    path.write_bytes(bytes(whole))
    states = sarai.exact.load("shah").sample_states(500, (3, 3), seed=1)
    with pytest.raises(ValueError, match=r"shah-3-3\.exact"):
        states.rollout(agents.Perfect(folder), 1, seed=0)
    with pytest.raises(ValueError, match="has been changed"):
        sarai.exact.load("shah", folder, check=False).values(states)
    # Where not all fit into memory, rows are looked up in the order of the blocks; the first row is named all the same.
    unknown = sarai.exact.load("shah").sample_states(1, (4, 4), seed=1)
    (folder / "shah-4-4.exact").unlink()
    tight = sarai.exact.load("shah", folder, check=False, cache_mb=1)
    with pytest.raises(ValueError, match="row 0"):
        tight.values(unknown)
    with pytest.raises(ValueError, match="has been changed"):
        tight.values(sarai.States.concatenate([states, unknown]))


def test_an_environment_waits_for_a_reset_when_the_agent_gives_up() -> None:
    env = sarai.SingleAgentEnv("shah", opponents="perfect", seat=0)
    env.reset(seed=1)
    # It knows the first turns.
    for _ in range(3):
        env.step(int(np.flatnonzero(env.action_masks())[0]))
    with pytest.raises(ValueError, match="agent 'perfect' does not know this position"):
        env.step(int(np.flatnonzero(env.action_masks())[0]))
    with pytest.raises(RuntimeError, match="call reset"):
        env.state()
    lost = covered(200)
    lost = lost[sarai.exact.load(lost.game).values(lost)[0] == -1]
    start = env.game.parse(str(lost[0]))
    env.reset(options={"state": start})
    over = False
    while not over:
        _, reward, over, _, _ = env.step(int(np.flatnonzero(env.action_masks())[0]))
    assert reward == -1


@pytest.mark.parametrize(("folder_pair", "above"), [((4, 3), (4, 4)), ((3, 3), (4, 3))])
def test_alphabeta_with_tables_says_of_every_move_whether_it_wins(
    folder_pair: tuple[int, int], above: tuple[int, int], tmp_path: Path
) -> None:
    """It has tables up to one stone less than the positions, so it must search until a stone is taken."""
    game = sarai.make("shah", no_capture_limit=0, max_turns=LIMIT)
    known = sarai.exact.load(game)
    sarai.exact.solve(game, folder_pair, out=tmp_path)
    met, reach = 0, 5
    agent = agents.AlphaBeta(reach, tables=tmp_path)
    for state in known.sample_states(25, above, seed=5):
        if known.value(state).value != 1:
            continue
        exact = {move.action: move for move in known.moves(state)}
        told = sarai.analyse(state, agent, seed=0)
        for move in told.moves:
            value = exact[move.action].value
            if move.kind == "exact":
                assert move.value == value, f"{state}: {move}"
                met += value == 1
            else:
                # A win that it has not seen is never told as lost or drawn for certain, and takes longer than it looks.
                assert -1 < move.value < 1
                assert value != 1 or exact[move.action].turns > reach
    assert met > 10
