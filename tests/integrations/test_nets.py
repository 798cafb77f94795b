"""Networks of PyTorch inside the engine."""

# ruff: noqa: E402
from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from torch import nn

import sarai

pytestmark = pytest.mark.heavy


@pytest.mark.parametrize(
    ("name", "encoding"),
    [
        ("sho", "unary"),
        *(
            pytest.param(name, encoding, marks=pytest.mark.nightly)
            for name in sarai.games()
            for encoding in ("raw", "scaled", "unary")
            if (name, encoding) != ("sho", "unary")
        ),
    ],
)
def test_values_are_those_of_torch(name: str, encoding: str, tmp_path: Path) -> None:
    torch.manual_seed(1)
    game = sarai.make(name)
    observations = game.sample_states(num_games=500, seed=1).observation_tensor()
    inputs = torch.from_numpy(sarai.nets.encode(observations, game, encoding))
    module = nn.Sequential(
        nn.Flatten(),
        nn.Linear(inputs.shape[1], 40),
        nn.Sigmoid(),
        nn.Dropout(0.5),
        nn.Linear(40, 20),
        nn.Hardtanh(0, 1),
        nn.Linear(20, 30, bias=False),
        nn.ReLU(),
        nn.Linear(30, 9),
        nn.Softsign(),
        nn.Linear(9, game.num_players),
        nn.Tanh(),
    ).eval()
    net = sarai.nets.save(tmp_path / "net.safetensors", module, game=game, encoding=encoding)
    with torch.no_grad():
        expected = module(inputs).numpy()
    np.testing.assert_allclose(net(observations), expected, atol=1e-5)
    assert sarai.rollout(game, sarai.agents.Network(net), 2, seed=1).returns.shape[0] == 2


def test_what_the_engine_does_not_have_is_refused() -> None:
    for module, words in [
        (nn.Sequential(nn.Linear(65, 8), nn.GELU(), nn.Linear(8, 1)), r"part 1 of the module is GELU"),
        (nn.Sequential(nn.Linear(65, 8), nn.Hardtanh(-1, 1)), r"part 1 of the module is Hardtanh"),
        (nn.Sequential(nn.ReLU(), nn.Linear(65, 1)), r"part 0 of the module is ReLU"),
    ]:
        with pytest.raises(TypeError, match=words):
            sarai.nets.make(module, game="shuanglu", encoding="raw")
    with pytest.raises(TypeError, match="Sequential"):
        sarai.nets.make(nn.Linear(65, 1), game="shuanglu", encoding="raw")

    class Twice(nn.Sequential):
        def forward(self, cells: torch.Tensor) -> torch.Tensor:
            return 2 * super().forward(cells)

    with pytest.raises(TypeError, match="Twice"):
        sarai.nets.make(Twice(nn.Linear(65, 1)), game="shuanglu", encoding="raw")
