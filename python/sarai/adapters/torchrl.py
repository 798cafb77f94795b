"""TorchRL: the vector environments as batched tensordict environments, with masks that TorchRL's policies respect.

- `SaraiEnv`: one learner against agents.
- `SaraiSelfPlayEnv`: the learner has every seat.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium.spaces import Box
from gymnasium.vector import AutoresetMode
from numpy.typing import NDArray

from sarai._base.extras import needed

with needed("sarai.adapters.torchrl", "torchrl", "torch", "torchrl", "tensordict"):
    import torch
    from tensordict import TensorDict, TensorDictBase
    from torchrl.data import Binary, Bounded, Categorical, Composite, TensorSpec, Unbounded
    from torchrl.envs import EnvBase

from sarai._base import arguments
from sarai._core import TERMINAL, Game
from sarai._envs.batch_env import BatchVectorEnv, Info, Observation
from sarai._envs.self_play import SelfPlayVectorEnv
from sarai._envs.single_agent_vector import SingleAgentVectorEnv
from sarai.adapters.settings import refuse

__all__ = ["SaraiEnv", "SaraiSelfPlayEnv"]


class _LegalActions(Categorical):  # type: ignore[misc]
    """The actions, of which `rand` draws one that each lane takes as it stands.

    TorchRL draws from copies of a spec: a collector's random policy and a transformed environment have one each. Copies
    share the mask, so that they follow the games as well.
    """

    def rand(self, shape: Any = None) -> torch.Tensor:
        """As `Categorical.rand`, in a quarter of the time."""
        if shape or self.mask is None:
            return super().rand(shape)
        chances = torch.rand(self.mask.shape, device=self.device)
        return chances.masked_fill_(~self.mask, -1.0).argmax(-1)

    def clone(self) -> _LegalActions:
        """A copy with this mask, not with a copy of it."""
        copy: _LegalActions = super().clone()
        copy.mask = self.mask
        return copy

    def to(self, dest: Any) -> _LegalActions:
        """As `Categorical.to`, which forgets the mask on the way to another device."""
        moved: _LegalActions = super().to(dest)
        if moved.mask is None and self.mask is not None:
            moved.mask = self.mask.to(moved.device)
        return moved


class _LanesEnv(EnvBase):  # type: ignore[misc]
    """A vector environment whose lanes wait for a reset where their games are over."""

    def __init__(self, vector: BatchVectorEnv, device: Any, illegal_action: str, **more: TensorSpec) -> None:
        lanes, actions = vector.num_envs, vector.game.num_actions
        super().__init__(device="cpu" if device is None else device, batch_size=[lanes])
        self.vector = vector
        self._seed: int | None = None
        space = vector.single_observation_space["observation"]
        assert isinstance(space, Box)
        low, high = (torch.from_numpy(bound).expand(lanes, -1) for bound in (space.low, space.high))
        flag = Binary(1, (lanes, 1), dtype=torch.bool)
        self._tells_illegal = illegal_action != "raise"
        if self._tells_illegal:
            more["illegal_action"] = flag.clone()
        # Which actions are legal is told when the games are shown.
        mask = torch.ones(lanes, actions, dtype=torch.bool)
        self.observation_spec = self._composite(
            observation=Bounded(low, high, low.shape, dtype=low.dtype),
            action_mask=Binary(actions, mask.shape, dtype=torch.bool),
            **more,
        )
        self.action_spec = self._composite(action=_LegalActions(actions, (lanes,), mask=mask))
        self.reward_spec = self._composite(reward=Unbounded((lanes, 1)))
        self.done_spec = self._composite(done=flag, terminated=flag.clone(), truncated=flag.clone())

    def _composite(self, **entries: TensorSpec) -> Composite:
        return Composite(entries, shape=self.batch_size).to(self.device)

    def _set_seed(self, seed: int | None) -> None:
        self._seed = arguments.seed(seed)

    def _reset(self, tensordict: TensorDictBase | None = None, *, seed: int | None = None) -> TensorDict:
        wanted = None if tensordict is None else tensordict.get("_reset", None)
        if wanted is None or wanted.all():
            seed, self._seed = self._seed if seed is None else seed, None
            observation, info = self.vector.reset(seed=seed)
        else:
            mask = wanted.reshape(self.batch_size).cpu().numpy()
            observation, info = self.vector.reset(seed=seed, options={"reset_mask": mask})
        return self._told(observation, info)

    def _step(self, tensordict: TensorDictBase) -> TensorDict:
        if not tensordict.get("_step", torch.tensor(True)).all():
            raise ValueError(
                '"_step" asks for a step of some lanes, and this environment steps all of them together; '
                "rollout(break_when_all_done=True) writes it, break_when_any_done=False resets what is over instead"
            )
        actions = tensordict["action"].cpu().numpy()
        observation, reward, terminated, truncated, info = self.vector.step(actions)
        return self._told(
            observation,
            info,
            reward=reward,
            done=terminated | truncated,
            terminated=terminated,
            truncated=truncated,
        )

    def _columns(self, info: Info) -> dict[str, NDArray[Any]]:
        """What else the observation tells of the lanes."""
        return {}

    def _told(self, observation: Observation, info: Info, **stepped: NDArray[Any]) -> TensorDict:
        mask = torch.from_numpy(observation["action_mask"]).bool()
        columns = {**self._columns(info), **stepped}
        for lane in np.flatnonzero(stepped.get("truncated", ())):
            # A game that was cut off shows what could have been played.
            mask[lane] = torch.from_numpy(self.vector.state(int(lane)).legal_actions_mask()).bool()
        # A lane that waits for its reset takes no action; but nothing can be drawn from none, and any will do.
        mask[~mask.any(dim=1)] = True
        self.full_action_spec["action"].mask.copy_(mask)
        if self._tells_illegal:
            columns["illegal_action"] = info.get("illegal_action", np.zeros(len(mask), np.bool_))
        told = {name: torch.from_numpy(column).reshape(len(mask), -1) for name, column in columns.items()}
        told |= {"observation": torch.from_numpy(observation["observation"]), "action_mask": mask}
        return TensorDict(told, batch_size=self.batch_size, device=self.device)


class SaraiEnv(_LanesEnv):
    """A `SingleAgentVectorEnv` for TorchRL: N games, seen from one seat, with batch size (N,).

    With L observation cells and A actions, the tensordicts hold

    - "observation", int8 (N, L), the learner's view; "action_mask", bool (N, A), the legal actions, or all ones where a
      game is over; "illegal_action", bool (N, 1), unless illegal actions raise;
    - "action", int64 (N,);
    - "reward", float32 (N, 1): 0 until the game is over, then the learner's return; "done", "terminated" and
      "truncated", bool (N, 1).

    A lane whose game is over waits to be reset, which is TorchRL's convention: `rollout(...,
    break_when_any_done=False)` and collectors reset it in the next step. Without a policy, they play legal actions
    chosen uniformly.

    From the next reset of all lanes, the games follow `seed` or `set_seed`, with the streams of `SingleAgentVectorEnv`;
    sampling uses torch's own generator. Copies and pickles continue the games in progress. Networks need floats rather
    than int8; `DTypeCastTransform(torch.int8, torch.float32)` converts them.

    Args:
        game: A game's name, or a `Game`.
        num_envs: The number of lanes.
        device: The device of the tensors; the games are played on the CPU.
        **settings: Arguments of `SingleAgentVectorEnv`, including options of the rules, except "autoreset_mode",
            "copy" and "mask_dtype".

    Attributes:
        vector: The environment underneath.

    Raises:
        ValueError, TypeError: As for `SingleAgentVectorEnv`.

    >>> env = SaraiEnv("shuanglu", 64, opponents="greedy", seed=1)
    >>> steps = env.rollout(100, break_when_any_done=False)
    >>> steps.shape, steps["next", "reward"].shape
    (torch.Size([64, 100]), torch.Size([64, 100, 1]))
    >>> SaraiEnv("shuanglu", 64, opponents="clever")
    Traceback (most recent call last):
    ...
    ValueError: unknown agent 'clever'; agents are ...
    """

    def __init__(self, game: str | Game, num_envs: int, *, device: Any = None, **settings: Any) -> None:
        refuse(settings, "autoreset_mode", "copy", "mask_dtype")
        vector = SingleAgentVectorEnv(game, num_envs, autoreset_mode=AutoresetMode.DISABLED, **settings)
        super().__init__(vector, device, settings.get("illegal_action", "raise"))


class SaraiSelfPlayEnv(_LanesEnv):
    """A `SelfPlayVectorEnv` for TorchRL: N games, each seen by the player to act, with batch size (N,).

    Like `SaraiEnv`, except that "reward" is that of the player who has just acted, "rewards", float32 (N, P), has the
    rewards of all players, and "current_player" and "side", int8 (N, 1), give the player to act and that player's side
    (`sarai.TERMINAL`, -4, where a game is over).

    The next row may belong to another player, and the value of a position for one side is the negative of that for the
    other. TorchRL's value estimators do not take this into account; `examples/self_play_ppo.py` shows how to handle the
    signs.

    Args:
        game: A game's name, or a `Game`.
        num_envs: The number of lanes.
        device: The device of the tensors; the games are played on the CPU.
        **settings: Arguments of `SelfPlayVectorEnv`, including options of the rules, except "autoreset_mode",
            "copy" and "mask_dtype".

    Attributes:
        vector: The environment underneath.

    Raises:
        ValueError, TypeError: As for `SelfPlayVectorEnv`.

    >>> env = SaraiSelfPlayEnv("sho", 8, seed=1)
    >>> steps = env.rollout(50, break_when_any_done=False)
    >>> steps["next", "rewards"].shape, steps["current_player"].unique().tolist()
    (torch.Size([8, 50, 3]), [0, 1, 2])
    >>> SaraiSelfPlayEnv("chess", 8)
    Traceback (most recent call last):
    ...
    ValueError: unknown game 'chess'; the games are sho, shah, ...
    """

    def __init__(self, game: str | Game, num_envs: int, *, device: Any = None, **settings: Any) -> None:
        refuse(settings, "autoreset_mode", "copy", "mask_dtype", "reward_of")
        vector = SelfPlayVectorEnv(
            game, num_envs, autoreset_mode=AutoresetMode.DISABLED, reward_of="actor", **settings
        )
        lanes, players = vector.num_envs, vector.game.num_players
        super().__init__(
            vector,
            device,
            settings.get("illegal_action", "raise"),
            rewards=Unbounded((lanes, players)),
            current_player=Bounded(TERMINAL, players - 1, (lanes, 1), dtype=torch.int8),
            side=Bounded(TERMINAL, max(vector.game.sides), (lanes, 1), dtype=torch.int8),
        )

    def _columns(self, info: Info) -> dict[str, NDArray[Any]]:
        nothing = np.zeros((self.vector.num_envs, self.vector.game.num_players), np.float32)
        return {
            "current_player": info["current_player"],
            "side": info["side"],
            "rewards": info.get("rewards", nothing),
        }
