"""Models of PyTorch and Stable-Baselines3 as agents."""

# ruff: noqa: E402
from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("sb3_contrib")

from sb3_contrib import MaskablePPO
from stable_baselines3 import A2C, DQN, PPO
from torch import nn

import sarai
from sarai import agents
from sarai.adapters.sb3 import SaraiVecEnv

pytestmark = pytest.mark.heavy


class TwoHeads(nn.Module):
    """Logits and a value; `forward` takes the mask."""

    def __init__(self, game: sarai.Game) -> None:
        super().__init__()
        self.body = nn.Linear(game.observation_shape[0], 16)
        self.drop = nn.Dropout(0.5)
        self.policy, self.value = nn.Linear(16, game.num_actions), nn.Linear(16, 1)
        self.seen: list[torch.Tensor] = []

    def forward(self, observations: torch.Tensor, masks: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        self.seen = [observations, masks]
        hidden = self.drop(torch.relu(self.body(observations)))
        return self.policy(hidden), self.value(hidden)


def positions(name: str, rows: int = 64) -> tuple[sarai.States, np.ndarray, np.ndarray]:
    states = sarai.make(name).sample_states(num_games=rows, seed=3)
    states = states[states.current_player() >= 0]
    return states, states.observation_tensor(), states.legal_actions_mask()


@pytest.mark.parametrize(
    "name",
    ["sho", *(pytest.param(name, marks=pytest.mark.nightly) for name in sarai.games() if name != "sho")],
)
def test_a_module_plays_its_best_legal_action(name: str) -> None:
    game = sarai.make(name)
    torch.manual_seed(1)
    module = nn.Linear(game.observation_shape[0], game.num_actions)
    _, observations, masks = positions(name)
    with torch.no_grad():
        logits = module(torch.from_numpy(observations).float()).numpy()
    expected = np.where(masks == 1, logits, -np.inf).argmax(axis=1)
    assert np.array_equal(agents.from_torch(module)(observations, masks), expected)
    assert len(set(expected.tolist())) > 3
    agent = agents.from_torch(module, game=game)
    played = sarai.rollout(game, [agent, *["random"] * (game.num_players - 1)], 8, seed=2)
    assert played.agents[0] == "Linear"
    again = sarai.rollout(
        game, [pickle.loads(pickle.dumps(agent)), *["random"] * (game.num_players - 1)], 8, seed=2
    )
    assert np.array_equal(played.lengths, again.lengths)
    env = sarai.SingleAgentVectorEnv(name, 3, opponents=agent, seed=1)
    env.reset()
    for _ in range(5):
        env.step(env.sample_legal())


def test_what_a_module_is_given() -> None:
    game = sarai.make("shuanglu")
    states, observations, masks = positions("shuanglu")
    module = TwoHeads(game).train()
    module.policy.eval()  # as a part that is frozen
    agent = agents.from_torch(module, game="shuanglu")
    first = agent(observations, masks)
    # No dropout, and the module goes on learning as before.
    assert np.array_equal(agent(observations, masks), first)
    assert module.training
    assert not module.policy.training
    cells, given = module.seen
    assert cells.dtype == torch.float32
    assert np.array_equal(cells.numpy(), states.observation_tensor(dtype="float32"))
    assert given.dtype == torch.bool
    assert np.array_equal(given.numpy(), masks == 1)
    assert all(parameter.grad is None for parameter in module.parameters())
    assert (masks[np.arange(len(first)), first] == 1).all()
    with torch.no_grad():
        module.policy.bias[:] = torch.randn(game.num_actions) * 10
    assert not np.array_equal(agent(observations, masks), first)


@pytest.mark.parametrize("dtype", [torch.float64, torch.float32, torch.bfloat16, torch.float16])
def test_modules_of_every_floating_point_type(dtype: torch.dtype) -> None:
    _, observations, masks = positions("sho", 4)
    module = TwoHeads(sarai.make("sho")).to(dtype)
    chosen = agents.from_torch(module)(observations, masks)
    assert module.seen[0].dtype == dtype
    assert (masks[np.arange(len(chosen)), chosen] == 1).all()


@pytest.mark.nightly
def test_drawing_follows_the_logits() -> None:
    game = sarai.make("shah")
    _, observations, masks = positions("shah", 1)
    logits = torch.linspace(-1, 1, game.num_actions)

    class Same(nn.Module):
        def forward(self, cells: torch.Tensor) -> torch.Tensor:
            return logits.expand(len(cells), -1)

    rows = 40_000
    many = np.repeat(observations, rows, 0), np.repeat(masks, rows, 0)
    drawn = agents.from_torch(Same(), sample=True, seed=5)(*many)
    chances = torch.softmax(logits.masked_fill(torch.from_numpy(masks[0]) == 0, -torch.inf), 0).numpy()
    shares = np.bincount(drawn, minlength=game.num_actions) / rows
    assert np.abs(shares - chances).max() < 5 * np.sqrt(chances.max() / rows)
    assert np.array_equal(agents.from_torch(Same(), sample=True, seed=5)(*many), drawn)
    assert not np.array_equal(agents.from_torch(Same(), sample=True, seed=6)(*many), drawn)


def test_modules_that_answer_badly() -> None:
    _, observations, masks = positions("sho", 4)

    class Odd(nn.Module):
        def __init__(self, answer: Any) -> None:
            super().__init__()
            self.answer = answer

        def forward(self, cells: torch.Tensor) -> Any:
            return self.answer

    with pytest.raises(ValueError, match=r"Odd .*\(4, 3\)"):
        agents.from_torch(Odd(torch.zeros(4, 3)))(observations, masks)
    with pytest.raises(ValueError, match=r"Odd .*NaN"):
        agents.from_torch(Odd(torch.full(masks.shape, torch.nan)))(observations, masks)
    for answer in ([1, 2], ()):
        with pytest.raises(TypeError, match=f"Odd .*{type(answer).__name__}"):
            agents.from_torch(Odd(answer))(observations, masks)
    # Logits that rule everything out still leave what is legal.
    chosen = agents.from_torch(Odd(torch.full(masks.shape, -torch.inf)))(observations, masks)
    assert (masks[np.arange(4), chosen] == 1).all()
    for wrong in (None, 3, lambda cells: cells):
        with pytest.raises(TypeError, match="module"):
            agents.from_torch(wrong)
    with pytest.raises(TypeError, match="sample"):
        agents.from_torch(nn.Linear(2, 2), sample=1)
    with pytest.raises(ValueError, match="seed"):
        agents.from_torch(nn.Linear(2, 2), seed=-1)


@pytest.mark.parametrize(
    "kind", [MaskablePPO, *(pytest.param(kind, marks=pytest.mark.nightly) for kind in (PPO, A2C, DQN))]
)
def test_models_of_stable_baselines(kind: Any) -> None:
    env = SaraiVecEnv("shuanglu", 4, seed=1)
    more = {"buffer_size": 100} if kind is DQN else {}
    model = kind("MlpPolicy", env, device="cpu", seed=1, **more)
    _, observations, masks = positions("shuanglu")
    agent = agents.from_sb3(model)
    chosen = agent(observations, masks)
    assert (masks[np.arange(len(chosen)), chosen] == 1).all()
    if kind is MaskablePPO:
        predicted, _ = model.predict(observations, action_masks=masks, deterministic=True)
        assert np.array_equal(chosen, predicted)
    else:
        predicted, _ = model.predict(observations, deterministic=True)
        legal = masks[np.arange(len(predicted)), predicted] == 1
        assert np.array_equal(chosen[legal], predicted[legal])
    assert sarai.arena("shuanglu", [agent, "random"], 20, seed=1).names == (kind.__name__, "random")
    if kind is DQN:
        with pytest.raises(ValueError, match="DQN"):
            agents.from_sb3(model, sample=True)
    else:
        drawing = agents.from_sb3(model, sample=True, seed=2)
        assert len({tuple(drawing(observations, masks)) for _ in range(3)}) == 3


def test_what_is_no_model() -> None:
    for wrong in (None, "model.zip", nn.Linear(2, 2)):
        with pytest.raises(TypeError, match=r"model must be one of Stable-Baselines3 or sb3-contrib"):
            agents.from_sb3(wrong)
