"""Every game as a game of OpenSpiel."""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys
from typing import Any

import numpy as np
import pyspiel
import pytest
from open_spiel.python.algorithms import mcts

import sarai
from sarai.adapters import openspiel

NAMES = openspiel.register()
GAMES = [
    ("sarai_shah", {}),
    ("sarai_sho", {"preset": "lhasa", "rules": "players:4;teams:true;stake:2.5;first_player:random"}),
    *(
        pytest.param(name, parameters, marks=pytest.mark.nightly)
        for name, parameters in [
            *[(name, {}) for name in NAMES if name != "sarai_shah"],
            *[
                (f"sarai_{game}", {"preset": preset})
                for game in sarai.games()
                for preset in sarai.presets(game)
            ],
            *[("sarai_sho", {"rules": f"players:{players}"}) for players in (2, 3, 4)],
        ]
    ),
]
every_game = pytest.mark.parametrize(("name", "parameters"), GAMES, ids=str)


def sarai_game(name: str, parameters: dict[str, str]) -> Any:
    return pyspiel.load_game(name, parameters)


def test_registering_twice_does_no_harm() -> None:
    assert openspiel.register() == NAMES == [f"sarai_{game}" for game in sarai.games()]
    assert set(NAMES) <= set(pyspiel.registered_names())


@every_game
def test_openspiels_own_random_simulation(name: str, parameters: dict[str, str]) -> None:
    pyspiel.random_sim_test(sarai_game(name, parameters), num_sims=3, serialize=True, verbose=False)


@every_game
def test_a_game_is_that_of_the_package(name: str, parameters: dict[str, str]) -> None:
    game = sarai_game(name, parameters)
    book = game.sarai_game
    assert (game.num_players(), game.num_distinct_actions()) == (book.num_players, book.num_actions)
    assert (game.min_utility(), game.max_utility()) == book.returns_range
    rng = np.random.default_rng(1)
    theirs, ours = game.new_initial_state(), book.new_initial_state()
    while not ours.is_terminal():
        assert theirs.current_player() == ours.current_player()
        assert str(theirs) == str(ours)
        if ours.is_chance_node():
            outcomes = ours.chance_outcomes()
            assert theirs.chance_outcomes() == outcomes
            choice = int(rng.choice([outcome for outcome, _ in outcomes]))
        else:
            assert theirs.legal_actions() == ours.legal_actions()
            player = ours.current_player()
            assert theirs.observation_tensor(player) == ours.observation_tensor(player).tolist()
            choice = int(rng.choice(ours.legal_actions()))
            assert theirs.action_to_string(player, choice) == ours.action_to_string(choice)
        theirs.apply_action(choice)
        ours.apply_action(choice)
    assert theirs.is_terminal()
    assert theirs.returns() == ours.returns()


@every_game
def test_a_game_is_pickled(name: str, parameters: dict[str, str]) -> None:
    game = sarai_game(name, parameters)
    for twin in (pickle.loads(pickle.dumps(game)), copy.deepcopy(game)):
        assert str(twin) == str(game)
        assert twin.sarai_game == game.sarai_game


def test_a_process_that_has_registered_nothing_reads_a_pickled_game() -> None:
    game = openspiel.load_game("sho(players=4)")
    program = f"import pickle; print(pickle.loads({pickle.dumps(game)!r}))"
    said = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
    assert said == f"{game}\n"


@pytest.mark.parametrize("players", [3, *(pytest.param(n, marks=pytest.mark.nightly) for n in (2, 4))])
def test_mcts_in_python_plays_it(players: int) -> None:
    game = sarai_game("sarai_sho", {"rules": f"players:{players}"})
    evaluator = mcts.RandomRolloutEvaluator(1, np.random.RandomState(1))
    bot = mcts.MCTSBot(game, 1.4, 10, evaluator, random_state=np.random.RandomState(2))
    state, rng, moves = game.new_initial_state(), np.random.RandomState(3), 0
    while moves < 12 and not state.is_terminal():
        if state.is_chance_node():
            outcomes, chances = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(rng.choice(outcomes, p=chances))
        else:
            action = bot.step(state)
            assert action in state.legal_actions()
            state.apply_action(action)
            moves += 1


@pytest.mark.skipif(not hasattr(pyspiel, "Trajectory"), reason="trajectories are new in OpenSpiel 2")
@every_game
def test_a_trajectory_of_openspiel_is_read_back(name: str, parameters: dict[str, str]) -> None:
    state, rng = sarai_game(name, parameters).new_initial_state(), np.random.default_rng(1)
    while not state.is_terminal():
        state.apply_action(int(rng.choice(state.legal_actions())))
    trajectory = pyspiel.Trajectory(pyspiel.Trajectory(state).to_string())
    assert trajectory.header().returns == state.returns()
    states = trajectory.reconstruct_all_states()
    assert len(states) == len(state.full_history()) + 1
    assert str(states[-1]) == str(trajectory.reconstruct_final_state()) == str(state)


@pytest.mark.skipif(not hasattr(pyspiel, "StateStruct"), reason="structs are new in OpenSpiel 2")
def test_structs_are_refused_as_by_openspiels_own_backgammon() -> None:
    for game in (sarai_game("sarai_shah", {}), pyspiel.load_game("backgammon")):
        with pytest.raises(pyspiel.SpielError, match="not implemented"):
            game.new_initial_state().to_struct()


def test_a_state_is_cloned_with_its_position() -> None:
    state = sarai_game("sarai_shah", {}).new_initial_state()
    state.apply_action(3)
    other = state.clone()
    other.apply_action(4)
    assert str(other) != str(state)
    assert state.child(4).history() == other.history()


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"rules": "players:9"}, "players"),
        ({"rules": "players=3"}, "players=3"),
        ({"rules": "players:2;players:3"}, "players"),
        ({"preset": "none"}, "preset"),
        ({"rules": "players:" + "[" * 10_000}, "players"),
    ],
)
def test_wrong_parameters_are_told(parameters: dict[str, str], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        sarai_game("sarai_sho", parameters)


def test_rules_are_given_as_everywhere_else() -> None:
    game = openspiel.load_game("sho(preset=lhasa,players=4,teams=true,stake=2.5)")
    book = sarai.make("sho", preset="lhasa", players=4, teams=True, stake=2.5)
    assert game.sarai_game.rules == book.rules
    # As OpenSpiel writes it down, and from a rule book.
    assert pyspiel.load_game(str(game)).sarai_game.rules == book.rules
    assert openspiel.load_game(book).sarai_game.rules == book.rules
    assert openspiel.load_game("shuanglu").sarai_game.rules == sarai.make("shuanglu").rules


def test_every_preset_can_be_handed_over_whole() -> None:
    for game in sarai.games():
        for preset, rules in sarai.presets(game).items():
            assert openspiel.load_game(sarai.make(game, preset=preset)).sarai_game.rules == rules


def test_wrong_rules_are_told_as_everywhere_else() -> None:
    with pytest.raises(ValueError, match="chess"):
        openspiel.load_game("chess")
    with pytest.raises(ValueError, match="player"):
        openspiel.load_game("sho(player=2)")
    with pytest.raises(ValueError, match="players"):
        openspiel.load_game("sho(players=9)")
