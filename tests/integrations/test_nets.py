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
            for encoding in ("raw", "scaled", "unary", "expert")
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


@pytest.mark.nightly
@pytest.mark.parametrize("name", sarai.games())
def test_a_policy_plays_the_argmax_of_torch(name: str) -> None:
    torch.manual_seed(1)
    game = sarai.make(name)
    module = nn.Sequential(
        nn.Linear(game.observation_shape[0], 128), nn.ReLU(), nn.Linear(128, game.num_actions)
    )
    agent = sarai.agents.Network(sarai.nets.make(module, game=game, encoding="scaled", outputs="policy"))
    positions = 0
    for seed in range(100):
        states = game.sample_states(num_games=20_000, seed=seed)
        states = states[states.current_player() >= 0]
        observations, masks = states.observation_tensor(), states.legal_actions_mask()
        with torch.no_grad():
            logits = module(torch.from_numpy(sarai.nets.encode(observations, game, "scaled"))).numpy()
        logits[masks == 0] = -np.inf
        rows = np.arange(len(states))
        played = np.array([sarai.choose(states[row], agent) for row in rows])
        # Torch adds in another order: logits that differ by less than its rounding are equal to both.
        assert (logits[rows, played] >= logits.max(1) - 2e-6).all()
        assert (played == logits.argmax(1)).mean() > 0.999
        positions += len(states)
        if positions >= 100_000:
            return
    raise AssertionError(f"only {positions} positions")


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


ACTIVATIONS = ["identity", "relu", "clipped_relu", "softsign", "sigmoid", "tanh"]


def made(game: sarai.Game, outputs: str, encoding: str) -> sarai.nets.Net:
    """A network with every activation but on its last layer."""
    rng = np.random.default_rng(1)
    before = sarai.nets.encode(sarai.States(game, 1).observation_tensor(), game, encoding).shape[1]
    values = {"policy": 0, "viewer": 1, "policy_viewer": 1}.get(outputs, game.num_players)
    last = values + (game.num_actions if outputs.startswith("policy") else 0)
    arrays = []
    for units in [*[11] * len(ACTIVATIONS), last]:
        arrays += [rng.normal(size=(units, before)) / np.sqrt(before), rng.normal(size=units)]
        before = units
    names = [*ACTIVATIONS, "identity"]
    return sarai.nets.make(arrays, game=game, encoding=encoding, activations=names, outputs=outputs)


@pytest.mark.parametrize("name", [*sarai.nets.baselines(), *sarai.games()])
def test_a_network_becomes_a_module_and_comes_back(name: str) -> None:
    kinds = ["seats", "policy", "policy_seats"]
    if name in sarai.nets.baselines():
        nets = [sarai.nets.load(name)]
    if name in sarai.games():
        game = sarai.make(name)
        kinds += ["viewer", "policy_viewer"] if len(set(game.sides)) == 2 else []
        nets = [
            made(game, kind, encoding) for kind in kinds for encoding in ("raw", "scaled", "unary", "expert")
        ]
    for net in nets:
        module = net.to_torch()
        observations = net.game.sample_states(num_games=300, seed=1).observation_tensor()
        inputs = torch.from_numpy(sarai.nets.encode(observations, net.game, net.encoding))
        with torch.no_grad():
            found = module(inputs).numpy()
        assert found.dtype == np.float32
        told = net(observations)
        expected = np.concatenate(told, axis=1) if isinstance(told, tuple) else told
        # Of one viewer, the module has the viewer's value alone.
        expected = expected[:, : found.shape[1]]
        assert found.shape == expected.shape == (len(observations), len(net.layers[-1].bias))
        largest = max(np.abs(expected).max(), *np.abs(net.game.returns_range))
        assert np.abs(found - expected).max() <= 1e-6 * largest
        options = {"game": net.game, "encoding": net.encoding, "outputs": net.outputs}
        again = sarai.nets.make(module, **options)
        for one, other in zip(net.layers, again.layers, strict=True):
            assert one.activation == other.activation
            assert one.weights.tobytes() == other.weights.tobytes()
            assert one.bias.tobytes() == other.bias.tobytes()
        assert np.array_equal(np.concatenate(again(observations), -1), np.concatenate(told, -1))


def test_what_torch_has_tuned_is_trained_on() -> None:
    net = sarai.train("shuanglu", num_games=5, hidden=8, evaluations=0, seed=1, progress=False).net
    module = net.to_torch()
    learns = [parameter.requires_grad for parameter in module.parameters()]
    # The last layer adds up probabilities, and stays as it is.
    assert learns == [True, True, True, True, False, False]
    tuned = [parameter for parameter in module.parameters() if parameter.requires_grad]
    optimizer = torch.optim.SGD(tuned, 0.1)
    module(torch.zeros(1, net.layers[0].weights.shape[1])).sum().backward()
    optimizer.step()
    after = sarai.nets.make(module, game=net.game, encoding=net.encoding)
    assert after != net
    more = sarai.train("shuanglu", num_games=5, resume=after, evaluations=0, seed=1, progress=False).net
    assert more.layers[-1].bias.tobytes() == net.layers[-1].bias.tobytes()
    assert all(
        parameter.requires_grad for parameter in made(net.game, "seats", "raw").to_torch().parameters()
    )
