"""Models of other libraries as agents: networks of PyTorch, and what Stable-Baselines3 has trained.

Neither library is imported before it is needed, and then the model's owner has it.
"""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any, Protocol, SupportsIndex

import numpy as np
from numpy.typing import NDArray

from sarai._agents.policies import Named, refuse_class
from sarai._base import arguments
from sarai._core import Game
from sarai._game import as_game
from sarai._nets.net import encode

if TYPE_CHECKING:
    import torch

Cells = NDArray[np.int8]
Scores = NDArray[np.float64]


class _Judge(Protocol):
    """What a model says of the actions."""

    name: str

    def __call__(self, observations: Cells, masks: Cells) -> Any:
        """How good each action is, or its logit: an array (n, A)."""


class ModelAgent(Named):
    """A model as an agent: a policy that plays the legal action with the highest logit, or draws by the logits.

    Made by `from_torch` and `from_sb3`. Use it wherever an agent is taken; it can be pickled if the model can. A copy
    draws what the original would draw.

    >>> import sarai, torch
    >>> game = sarai.make("sho")
    >>> module = torch.nn.Linear(game.observation_shape[0], game.num_actions)
    >>> agent = sarai.agents.from_torch(module, game=game)
    >>> states = game.sample_states(num_games=100, seed=1)
    >>> states = states[states.current_player() >= 0]
    >>> chosen = agent(states.observation_tensor(), states.legal_actions_mask())
    >>> states.apply_actions(chosen)
    >>> agent(states.observation_tensor(), states.legal_actions_mask()[:, :5])
    Traceback (most recent call last):
    ...
    ValueError: Linear returned the shape ...; logits must have the shape (..., 5)
    """

    def __init__(self, judge: _Judge, *, sample: bool, seed: SupportsIndex | None) -> None:
        self._judge = judge
        self.sample = arguments.flag("sample", sample)
        self._rng = np.random.default_rng(arguments.seed(seed))

    def __str__(self) -> str:
        """The class of the model."""
        return self._judge.name

    def __repr__(self) -> str:
        return f"<agent of a {self._judge.name}{', drawing' if self.sample else ''}>"

    def __call__(self, observations: Cells, masks: Cells) -> NDArray[np.int64]:
        """Choose a legal action in each row: int64 (n,).

        Args:
            observations: int8 (n, L).
            masks: int8 (n, A), 1 where an action is legal.

        Raises:
            ValueError: What the model answers has the wrong shape, or is NaN for a legal action.
        """
        scores: Scores = np.array(self._judge(observations, masks), np.float64)
        if scores.shape != masks.shape:
            raise ValueError(
                f"{self} returned the shape {scores.shape}; logits must have the shape {masks.shape}"
            )
        legal = np.asarray(masks) == 1
        if np.isnan(scores[legal]).any():
            raise ValueError(f"{self} answered with NaN for a legal action")
        if self.sample:
            # Gumbel's trick draws from all rows at once.
            scores += self._rng.gumbel(size=scores.shape)
        # Even where all that is legal has a logit of minus infinity, something legal is chosen.
        ranked = np.where(legal, np.maximum(scores, np.finfo(np.float64).min), -np.inf)
        chosen: NDArray[np.int64] = ranked.argmax(axis=1)
        return chosen


class _TorchJudge:
    """A module, asked without gradients and in evaluation mode."""

    def __init__(self, module: torch.nn.Module, game: Game | None) -> None:
        parameters = inspect.signature(module.forward).parameters.values()
        needed = [
            parameter
            for parameter in parameters
            if parameter.default is parameter.empty
            and parameter.kind in (parameter.POSITIONAL_ONLY, parameter.POSITIONAL_OR_KEYWORD)
        ]
        self.module = module
        self.name = type(module).__name__
        self.takes_masks = len(needed) == 2
        self.game = game

    def __call__(self, observations: Cells, masks: Cells) -> Any:
        import torch

        cells = np.asarray(observations, np.float32)
        if self.game is not None:
            cells = encode(observations, self.game, "scaled")
        # Other parameters than floats may be tables of indices or quantised.
        parameters = (one for one in self.module.parameters() if one.is_floating_point())
        like = next(parameters, torch.empty(0, dtype=torch.float32, device="cpu"))
        device = like.device
        given = [torch.as_tensor(cells, dtype=like.dtype, device=device)]
        if self.takes_masks:
            given.append(torch.as_tensor(np.asarray(masks) == 1, device=device))
        learning = [part for part in self.module.modules() if part.training]
        self.module.eval()
        try:
            with torch.no_grad():
                answer = self.module(*given)
        finally:
            # Of each part: some may be frozen.
            for part in learning:
                part.training = True
        if isinstance(answer, tuple) and answer:
            # Logits and a value.
            answer = answer[0]
        if not isinstance(answer, torch.Tensor):
            raise TypeError(f"{self.name} answered with a {type(answer).__name__}; logits are a tensor")
        return answer.detach().cpu().to(torch.float64).numpy()


class _SB3Judge:
    """The policy of a model: logits where it has a distribution, values of actions where it has a Q network."""

    def __init__(self, model: Any, game: Game | None) -> None:
        policy = getattr(model, "policy", None)
        self.values = hasattr(policy, "q_net")
        if not self.values and not hasattr(policy, "get_distribution"):
            raise TypeError(
                "model must be one of Stable-Baselines3 or sb3-contrib that chooses among numbered actions, such as "
                f"MaskablePPO, PPO, A2C or DQN, not {type(model).__name__}"
            )
        self.model = model
        self.name = type(model).__name__
        self.game = None
        if model.observation_space.dtype == np.float32:
            if game is None:
                raise ValueError(
                    f"this {self.name} was trained on observation_dtype='float32'; give the game, which scales cells"
                )
            self.game = game

    def __call__(self, observations: Cells, masks: Cells) -> Any:
        import torch

        policy = self.model.policy
        policy.set_training_mode(False)
        given = np.asarray(observations) if self.game is None else encode(observations, self.game, "scaled")
        cells, _ = policy.obs_to_tensor(given)
        with torch.no_grad():
            # What is illegal is left out afterwards, as MaskablePPO does it.
            judged = (
                policy.q_net(cells) if self.values else policy.get_distribution(cells).distribution.logits
            )
        return judged.cpu().numpy()


def from_torch(
    module: torch.nn.Module,
    *,
    game: str | Game | None = None,
    sample: bool = False,
    seed: SupportsIndex | None = None,
) -> ModelAgent:
    """A PyTorch module as an agent.

    The module is called in evaluation mode and without gradients, with the observations (n, L) on the device and in the
    floating-point type of its parameters; without any, as float32. If its `forward` needs a second argument, that is
    the mask, bool (n, A). It returns logits (n, A), or a tuple that begins with them. If the module is trained further,
    so is the agent.

    Args:
        module: A `torch.nn.Module`.
        game: A `Game`, or the name of one. If given, each cell is divided by its largest possible magnitude, as by
            `sarai.nets.encode(observations, game, "scaled")`. Omit it for a module that scales cells itself.
        sample: Whether to sample actions by their logits instead of playing the best.
        seed: The seed of the sampling, 0 to 2**64 - 1; None draws one from the operating system.

    Raises:
        TypeError: `module` is not a module, or (when it is called) does not return a tensor.

    >>> import sarai, torch
    >>> game = sarai.make("shuanglu")
    >>> module = torch.nn.Linear(game.observation_shape[0], game.num_actions)
    >>> sarai.rollout(game, [sarai.agents.from_torch(module, game=game), "greedy"], 10, seed=1).agents
    ('Linear', 'greedy')
    >>> sarai.agents.from_torch("net.pt")
    Traceback (most recent call last):
    ...
    TypeError: module must be a torch.nn.Module, not str
    """
    refuse_class(module)
    if not callable(getattr(module, "forward", None)) or not hasattr(module, "parameters"):
        raise TypeError(f"module must be a torch.nn.Module, not {type(module).__name__}")
    book = None if game is None else as_game(game)
    return ModelAgent(_TorchJudge(module, book), sample=sample, seed=seed)


def from_sb3(
    model: Any,
    *,
    game: str | Game | None = None,
    sample: bool = False,
    seed: SupportsIndex | None = None,
) -> ModelAgent:
    """A model of Stable-Baselines3 or sb3-contrib as an agent, such as MaskablePPO, PPO, A2C or DQN.

    It was trained on the observations of a `sarai.adapters.sb3.SaraiVecEnv`. A model without masks plays its best legal
    action. If the model is trained further, so is the agent.

    Args:
        model: The model.
        game: A `Game`, or the name of one; only needed if the environment had `observation_dtype="float32"`.
        sample: Whether to sample actions by their logits instead of playing the best; not for DQN.
        seed: The seed of the sampling, 0 to 2**64 - 1; None draws one from the operating system.

    Raises:
        TypeError: It is no such model.
        ValueError: `sample` with a model that has no distribution, or a model of float observations without a game.

    >>> import sarai, sb3_contrib
    >>> from sarai.adapters.sb3 import SaraiVecEnv
    >>> env = SaraiVecEnv("shuanglu", 8, opponents="greedy", seed=1)
    >>> model = sb3_contrib.MaskablePPO("MlpPolicy", env, n_steps=16, batch_size=64, device="cpu")
    >>> agent = sarai.agents.from_sb3(model)
    >>> sarai.arena("shuanglu", [agent, "random"], 20, seed=1).names
    ('MaskablePPO', 'random')
    >>> sarai.agents.from_sb3("model.zip")
    Traceback (most recent call last):
    ...
    TypeError: model must be one of Stable-Baselines3 or sb3-contrib that ..., not str
    """
    judge = _SB3Judge(model, None if game is None else as_game(game))
    if judge.values and sample:
        raise ValueError(f"a {judge.name} knows values of actions, not chances to draw by; leave sample out")
    return ModelAgent(judge, sample=sample, seed=seed)
