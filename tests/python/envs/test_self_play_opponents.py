"""`SelfPlayVectorEnv` with opponents: some lanes are self-play, and in others the engine plays the other sides."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import sarai
from sarai.agents import Pool

Env = sarai.SelfPlayVectorEnv
GAMES = ["sho", "shah", "tshupu", "shuanglu"]


def played(env: Any, steps: int) -> Iterator[tuple[Any, ...]]:
    """What a reset and so many steps return; in each the lane takes its last legal action."""
    observation, info = env.reset(seed=5)
    yield observation, None, None, info
    for _ in range(steps):
        mask = info["action_mask"]
        observation, rewards, over, _, info = env.step(mask.shape[1] - 1 - mask[:, ::-1].argmax(1))
        yield observation, rewards, over, info


def alike(one: Any, other: Any) -> bool:
    return all(np.array_equal(one[key], other[key]) for key in ("observation", "action_mask"))


@pytest.mark.parametrize("game", ["sho", "shah", "shuanglu"])
def test_where_each_seat_is_a_side_it_plays_the_games_of_one_learner(game: str) -> None:
    pool = Pool({"greedy": 2, "random": 1})
    both = Env(game, 16, opponents=pool), sarai.SingleAgentVectorEnv(game, 16, seat="random", opponents=pool)
    for mine, learners in zip(played(both[0], 300), played(both[1], 300), strict=True):
        assert mine[3]["opponent"].tolist() == learners[3]["opponent"].tolist()
        if mine[2] is None or not mine[2].any():
            # The end of a game is seen by who acted last; the learner's environment shows its learner, the same seat.
            assert np.array_equal(mine[3]["current_player"], learners[3]["seat"])
        assert alike(mine[0], learners[0])
        if mine[1] is not None:
            assert np.array_equal(mine[1][np.arange(16), learners[3]["seat"]], learners[1])


@pytest.mark.parametrize("game", GAMES)
def test_a_pool_of_itself_alone_is_self_play(game: str) -> None:
    for pooled, plain in zip(
        played(Env(game, 8, opponents=Pool(["self"])), 200), played(Env(game, 8), 200), strict=True
    ):
        assert alike(pooled[0], plain[0])
        assert np.array_equal(pooled[3]["current_player"], plain[3]["current_player"])
        assert pooled[3]["opponent"].tolist() == ["self"] * 8


@pytest.mark.parametrize("mode", ["SameStep", "NextStep"])
@pytest.mark.parametrize(
    "game",
    [*map(sarai.make, GAMES), sarai.make("sho", players=4, teams=True)],
    ids=lambda game: repr(game)[11:],
)
def test_a_lane_shows_all_seats_of_one_side_or_everybody(game: sarai.Game, mode: str) -> None:
    env = Env(game, 24, opponents=Pool({"self": 1, "greedy": 1}), autoreset_mode=mode)
    shown: list[set[int]] = [set() for _ in range(24)]
    whole = {
        side: {seat for seat in range(game.num_players) if game.sides[seat] == side} for side in game.sides
    }
    seen = {"self": set(), "greedy": set()}
    for _, _, over, info in played(env, 3000 if game.name == "sho" else 800):
        for lane in range(24):
            if over is not None and over[lane]:
                shown[lane] = set()
            if info["current_player"][lane] >= 0:
                shown[lane].add(int(info["current_player"][lane]))
            opponent = info["opponent"][lane]
            if opponent == "greedy":
                assert any(shown[lane] <= seats for seats in whole.values())
            seen[opponent].add(frozenset(shown[lane]))
    assert frozenset(range(game.num_players)) in seen["self"]
    # Every side is drawn, and all its seats are the learner's.
    assert {frozenset(seats) for seats in whole.values()} <= seen["greedy"]


def test_games_under_way_keep_their_opponents() -> None:
    env = Env("shah", 12, opponents=Pool(["self", "random"]), seed=3, autoreset_mode="SameStep")
    _, info = env.reset()
    before = info["opponent"]
    env.set_opponents(Pool(["greedy"]))
    _, _, _, _, info = env.step(env.sample_legal())
    assert info["opponent"].tolist() == before.tolist()
    begun = np.zeros(12, np.bool_)
    while not begun.all():
        _, _, over, _, info = env.step(env.sample_legal())
        begun |= over
        assert info["opponent"].tolist() == [
            "greedy" if new else old for new, old in zip(begun, before, strict=True)
        ]
        if "final_info" in info:
            assert all(name in ("self", "random", "greedy") for name in info["final_info"]["opponent"][over])


def test_what_cannot_be_an_opponent_is_refused() -> None:
    env = Env("tshupu", 2, opponents=["greedy", "random"])
    with pytest.raises(TypeError, match="in self-play play inside the engine, and first does not"):
        env.set_opponents(first)
    with pytest.raises(
        ValueError, match="opponents has 3 entries; beside the learner there are 2, one agent each"
    ):
        env.set_opponents(["greedy"] * 3)
    with pytest.raises(ValueError, match="unknown agent 'clever'"):
        Env("tshupu", 2, opponents="clever")
    with pytest.raises(ValueError, match="unknown agent 'self'"):
        sarai.SingleAgentVectorEnv("tshupu", 2, opponents="self")


def first(observations: Any, masks: Any) -> Any:
    """The first legal action of each row."""
    return masks.argmax(1)
