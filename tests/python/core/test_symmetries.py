"""`Game.symmetries`: each one held against play, in games that a position and its images play side by side."""

from __future__ import annotations

import random
from collections import Counter

import numpy as np
import pytest
from numpy.typing import NDArray

import sarai
from helpers.positions import BOOKS, any_step

SIZES = {"sho": 1, "shah": 16, "tshupu": 4, "shuanglu": 1}


def images_of_the_start(game: sarai.Game) -> sarai.States:
    """The initial position under each symmetry."""
    start, symmetries = game.new_initial_state(), game.symmetries
    if start.turn < 0 or game.num_players == 2:
        return sarai.States.from_states([start] * len(symmetries))
    begins = (symmetries.seat == start.turn).argmax(axis=1)
    return sarai.States.from_states([game.position(player=int(seat)) for seat in begins])


def views(state: sarai.State) -> NDArray[np.int8]:
    """What every seat sees."""
    return np.stack([state.observation_tensor(seat) for seat in range(state.num_players())])


@pytest.mark.parametrize("book", BOOKS, ids="-".join)
def test_images_of_a_position_play_alike(book: tuple[str, str]) -> None:
    game = sarai.make(book[0], preset=book[1])
    symmetries = game.symmetries
    every = np.arange(len(symmetries))
    rng = random.Random(1)
    kinds: Counter[str] = Counter()
    for _ in range(4):
        state, images = game.new_initial_state(), images_of_the_start(game)
        while True:
            for viewer in range(game.num_players):
                seen = state.observation_tensor(viewer)[symmetries.observation]
                assert np.array_equal(images.observation_tensor(viewer), seen)
            assert np.array_equal(images.returns(), np.array(state.returns(), np.float32)[symmetries.seat])
            turns = np.where(images.turn < 0, -1, symmetries.seat[every, images.turn])
            assert np.array_equal(turns, np.full(len(every), state.turn))
            if state.is_terminal():
                assert images.is_terminal().all()
                break
            step = any_step(state, rng)
            if not state.is_chance_node():
                masks = state.legal_actions_mask()[symmetries.action]
                assert np.array_equal(images.legal_actions_mask(), masks)
                kinds[game.action_kinds[int(game.action_table()["kind"][step])]] += 1
                images.apply_actions(symmetries.action[symmetries.inverse, step])
            else:
                outcomes = np.full(len(every), step)
                if state.turn < 0:
                    # It decides who begins, which is another seat in an image.
                    chances = dict(state.chance_outcomes())
                    for row, image in enumerate(images):
                        after = views(state.child(step))[:, symmetries.observation[row]]
                        outcomes[row], chance = next(
                            (outcome, chance)
                            for outcome, chance in image.chance_outcomes()
                            if np.array_equal(views(image.child(outcome)), after)
                        )
                        assert chance == pytest.approx(chances[step])
                images.apply_outcomes(outcomes)
            state.apply_action(step)
    assert len(kinds) > 1 or len(game.action_kinds) == 1


@pytest.mark.parametrize("name", SIZES)
def test_symmetries_are_a_group(name: str) -> None:
    game = sarai.make(name)
    symmetries = game.symmetries
    assert symmetries is sarai.make(name).symmetries
    assert len(symmetries) == SIZES[name]
    whole = [symmetries.observation, symmetries.action, symmetries.seat]
    widths = [*game.observation_shape, game.num_actions, game.num_players]
    for arrays, width in zip(whole, widths, strict=True):
        assert arrays.shape == (len(symmetries), width)
        assert arrays.dtype == np.int64
        with pytest.raises(ValueError, match="read-only"):
            arrays[0, 0] = 1
        assert np.array_equal(arrays[0], np.arange(width))
        for number, back in enumerate(symmetries.inverse):
            assert np.array_equal(arrays[number][arrays[back]], np.arange(width))
    members = {tuple(cells) for cells in symmetries.observation.tolist()}
    assert len(members) == len(symmetries)
    assert all(tuple(a[b]) in members for a in symmetries.observation for b in symmetries.observation)
