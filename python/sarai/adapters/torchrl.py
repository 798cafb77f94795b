"""TorchRL: a game as an environment of tensordicts, with masks that its policies respect."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

try:
    from torchrl.envs.libs.pettingzoo import PettingZooWrapper
except ModuleNotFoundError as error:
    if error.name is None or error.name.split(".")[0] not in ("torch", "torchrl", "tensordict"):
        raise
    raise ModuleNotFoundError(
        'sarai.adapters.torchrl needs TorchRL: pip install "sarai[torchrl]"', name=error.name
    ) from error

from sarai._core import Game
from sarai.envs.aec import SaraiAECEnv


class _Unmasked(SaraiAECEnv):
    """The wrapper takes the mask from the observation, and stumbles over a second one in the info."""

    def _stand(self, mask: NDArray[np.int8], player: int) -> None:
        super()._stand(mask, player)
        for info in self.infos.values():
            del info["action_mask"]


def torchrl_env(game: str | Game, *, device: Any = None, seed: int | None = None, **settings: Any) -> Any:
    """A game for TorchRL: each seat is an agent of a group of its own, "player_0", "player_1", ...

    Under each group's key stand "observation", a dict of the view, int8 (1, L), "action_mask", bool (1, A), "action",
    int64 (1,), "reward" and "done" flags, and "mask", bool (1,), whether the agent has to act in this step. The action
    spec's mask follows the game, so `env.rand_step` and `rollout` without a policy play legal moves.

    Args:
        game: A game's name, or a `Game`.
        device: Where the tensors live; None is torch's default.
        seed: Of the first game and all that follow.
        **settings: As `sarai.aec_env` takes them: rules, preset, max_cycles, illegal_action.

    Raises:
        ValueError, TypeError: As `sarai.aec_env`.

    Example:
        env = torchrl_env("shuanglu", seed=1)
        tensordict = env.rollout(100)
    """
    env = _Unmasked(game, **settings)
    return PettingZooWrapper(
        env=env, use_mask=True, categorical_actions=True, device=device, seed=seed, return_state=False
    )
