"""`sarai.choose`: what an agent inside the engine plays in a position."""

from __future__ import annotations

import sarai
from helpers.positions import every_book


@every_book
def test_greedy_chooses_as_in_rollouts(book: tuple[str, str]) -> None:
    game = sarai.make(book[0], preset=book[1])
    # In a trajectory, whatever state shows a player the same view and mask has the same greedy action.
    told = sarai.trajectories(game, "greedy", 3, seed=4)
    known = {
        (int(player), view.tobytes()): int(action)
        for player, view, action in zip(told.players, told.observations, told.actions, strict=True)
    }
    met = 0
    for seed in range(3):
        batch = sarai._core.Batch(game, 3, 4, "Disabled")
        batch.reset()
        batch.finish()
        state = batch.state(seed)
        while not state.is_terminal() and met < 50:
            if state.is_chance_node():
                break
            player = state.current_player()
            action = sarai.choose(state, "greedy", seed=0)
            expected = known.get((player, state.observation_tensor(player).tobytes()))
            assert expected in (None, action)
            met += expected is not None
            state.apply_action(action)
    assert met >= 3


@every_book
def test_choices_are_legal_and_depend_on_the_seed_alone(book: tuple[str, str]) -> None:
    for state in sarai.make(book[0], preset=book[1]).sample_states(num_games=12, seed=2):
        for agent in ("random", "greedy", "mcts:8"):
            before = state.clone()
            chosen = sarai.choose(state, agent, seed=7)
            assert chosen in state.legal_actions()
            assert sarai.choose(state, agent, seed=7) == chosen
            assert state == before


def test_random_choices_are_all_of_the_legal_ones() -> None:
    state = sarai.make("shah").new_initial_state()
    assert {sarai.choose(state, "random", seed=seed) for seed in range(400)} == set(state.legal_actions())


def test_no_seed_draws_one_from_the_system() -> None:
    state = sarai.make("shah").new_initial_state()
    assert len({sarai.choose(state, "random", seed=None) for _ in range(100)}) > 1
    assert len({sarai.choose(state, "random") for _ in range(100)}) > 1
