"""What a learner must see of its games, told by playing all seats of a `SelfPlayVectorEnv`.

The environments of one learner tell it lane by lane as well, whatever their autoreset mode; so the stories can be
compared word by word.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from gymnasium.vector import AutoresetMode
from numpy.typing import NDArray

import sarai
from helpers.lanes import act, settled

Policy = Callable[[NDArray[np.int8], NDArray[np.int8]], Any]
Story = list[list[tuple[Any, ...]]]


def lowest(observations: NDArray[np.int8], masks: NDArray[np.int8]) -> NDArray[np.intp]:
    """A policy: the legal action with the smallest id."""
    chosen: NDArray[np.intp] = masks.argmax(axis=1)
    return chosen


def highest(observations: NDArray[np.int8], masks: NDArray[np.int8]) -> NDArray[np.intp]:
    """A policy: the legal action with the largest id."""
    chosen: NDArray[np.intp] = masks.shape[1] - 1 - masks[:, ::-1].argmax(axis=1)
    return chosen


def act_alone(observation: dict[str, NDArray[np.int8]]) -> int:
    """The same for an environment of one game."""
    return int(settled(observation["observation"][None], observation["action_mask"][None])[0])


def view(observation: NDArray[np.int8], mask: NDArray[np.int8]) -> tuple[Any, ...]:
    return ("view", observation.tobytes(), mask.tobytes())


def end(observation: NDArray[np.int8], reward: Any, terminated: Any, truncated: Any) -> tuple[Any, ...]:
    return ("end", observation.tobytes(), float(reward), bool(terminated), bool(truncated))


def told_by_all_seats(
    game: sarai.Game,
    seat: int,
    others: Mapping[int, Policy],
    lanes: int,
    seed: int,
    games: int,
    limit: int | None = None,
) -> Story:
    """Play `games` games or more in each lane, `settled` in the learner's seat, `others` in theirs."""
    env = sarai.SelfPlayVectorEnv(game, lanes, seed=seed, autoreset_mode="Disabled")
    told: Story = [[] for _ in range(lanes)]
    decided, ends = [0] * lanes, [0] * lanes
    observation, info = env.reset()
    while min(ends) < games:
        views, masks, players = observation["observation"], observation["action_mask"], info["current_player"]
        actions = act(observation)
        for player, policy in others.items():
            actions = np.where(players == player, policy(views, masks), actions)
        for lane in np.flatnonzero(players == seat):
            told[lane].append(view(views[lane], masks[lane]))
            decided[lane] += 1
        observation, rewards, terminated, _, info = env.step(actions)
        cut = (np.array(decided) == limit) & (info["current_player"] == seat)
        for lane in np.flatnonzero(terminated | cut):
            # A game without a decision of the learner is none of the learner's.
            if decided[lane]:
                last = env.state(lane).observation_tensor(seat)
                told[lane].append(end(last, rewards[lane, seat], terminated[lane], cut[lane]))
                ends[lane] += 1
            decided[lane] = 0
        if (terminated | cut).any():
            observation, info = env.reset(options={"reset_mask": terminated | cut})
    return told


def first_rewards(env: Any) -> NDArray[np.float32]:
    """The reward of the first game of each lane."""
    rewards = np.full(env.num_envs, np.nan, np.float32)
    observation, _ = env.reset()
    while np.isnan(rewards).any():
        observation, given, terminated, *_ = env.step(act(observation))
        first = terminated & np.isnan(rewards)
        rewards[first] = given[first]
    return rewards


def told_by_one_seat(env: Any, rounds: int, seed: Any = None) -> Story:
    """Step a vector environment of one learner, in any autoreset mode."""
    mode = env.metadata["autoreset_mode"]
    told: Story = [[] for _ in range(env.num_envs)]
    observation, _ = env.reset(seed=seed)

    def look(lanes: Any) -> None:
        for lane in lanes:
            told[lane].append(view(observation["observation"][lane], observation["action_mask"][lane]))

    look(range(env.num_envs))
    waiting = np.zeros(env.num_envs, bool)
    for _ in range(rounds):
        actions = act(observation)
        # What an ended lane is told to do is ignored, however wrong it is.
        actions[waiting] = -(10**15)
        observation, rewards, terminated, truncated, info = env.step(actions)
        over = terminated | truncated
        assert not rewards[~terminated].any()
        assert not over[waiting].any()
        assert ("final_obs" in info) == (mode == AutoresetMode.SAME_STEP and bool(over.any()))
        for lane in np.flatnonzero(over):
            last = observation["observation"][lane]
            if mode == AutoresetMode.SAME_STEP:
                last = info["final_obs"][lane]["observation"]
            else:
                assert set(observation["action_mask"][lane]) == {int(mode == AutoresetMode.NEXT_STEP)}
            told[lane].append(end(last, rewards[lane], terminated[lane], truncated[lane]))
        if mode == AutoresetMode.NEXT_STEP:
            look(np.flatnonzero(~over))
            waiting = over
        else:
            if mode == AutoresetMode.DISABLED and over.any():
                observation, _ = env.reset(options={"reset_mask": over})
            look(range(env.num_envs))
    return told


def agree(one: Story, two: Story) -> int:
    """Hold that two stories are the same as far as both go; how many ends that is in each lane at least."""
    ends = []
    for left, right in zip(one, two, strict=True):
        shared = min(len(left), len(right))
        assert left[:shared] == right[:shared]
        ends.append(sum(event[0] == "end" for event in left[:shared]))
    return min(ends)


def go_on(env: Any, steps: int, choose: Callable[[dict[str, Any]], Any] = act) -> list[Any]:
    """Reset and play on; what each call returned."""
    seen: list[Any] = [env.reset()]
    disabled = env.metadata["autoreset_mode"] == AutoresetMode.DISABLED
    for _ in range(steps):
        seen.append(env.step(choose(seen[-1][0])))
        over = seen[-1][2] | seen[-1][3]
        if disabled and over.any():
            seen.append(env.reset(options={"reset_mask": over}))
    return seen
