"""Networks: what they compute, their files, and the agents that play by them."""

from __future__ import annotations

import copy
import itertools
import math
import pickle
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import sarai
from helpers.nightly_books import some_books
from helpers.refusals import refused
from sarai import agents
from sarai.nets import Net

FUNCTIONS: dict[str, Any] = {
    "identity": lambda x: x,
    "relu": lambda x: np.maximum(x, 0),
    "clipped_relu": lambda x: np.clip(x, 0, 1),
    "softsign": lambda x: x / (1 + np.abs(x)),
    "sigmoid": lambda x: 1 / (1 + np.exp(-x)),
    "tanh": np.tanh,
}


def arrays(inputs: int, units: list[int], seed: int = 1) -> list[NDArray[np.float64]]:
    """Weights and biases in turns."""
    rng = np.random.default_rng(seed)
    found = []
    for before, after in zip([inputs, *units], units, strict=False):
        found += [rng.normal(size=(after, before)) / math.sqrt(before), rng.normal(size=after) / 3]
    return found


def some(game: sarai.Game, units: list[int] | None = None, encoding: str = "unary", seed: int = 1) -> Net:
    """A network that knows nothing."""
    inputs = sarai.nets.encode(np.zeros((1, *game.observation_shape), np.int8), game, encoding).shape[1]
    units = [8, game.num_players] if units is None else units
    names = ["sigmoid"] * (len(units) - 1) + ["identity"]
    return sarai.nets.make(arrays(inputs, units, seed), game=game, encoding=encoding, activations=names)


def seen(game: sarai.Game, rows: int = 200) -> NDArray[np.int8]:
    return game.sample_states(num_games=rows, seed=2).observation_tensor()


@some_books
def test_numbers_are_those_of_numpy(book: tuple[str, str]) -> None:
    game = sarai.make(book[0], preset=book[1])
    observations = seen(game)
    for encoding in ("raw", "scaled", "unary", "expert"):
        inputs = sarai.nets.encode(observations, game, encoding).astype(np.float64)
        units = [40, 9, game.num_players]
        layers = arrays(inputs.shape[1], units)
        for name in FUNCTIONS:
            activations = [name, "sigmoid", "identity"]
            net = sarai.nets.make(layers, game=game, encoding=encoding, activations=activations)
            values = inputs
            for number, each in enumerate(activations):
                weights, bias = (array.astype(np.float32) for array in layers[2 * number : 2 * number + 2])
                values = FUNCTIONS[each](values @ weights.astype(np.float64).T + bias)
            np.testing.assert_allclose(net(observations), values, atol=1e-5)
            assert net(observations).dtype == np.float32


def test_rows_do_not_depend_on_the_rows_beside_them() -> None:
    game = sarai.make("shuanglu")
    net, observations = some(game, [40, 1]), seen(game, 300)
    together = net(observations)
    assert together.tobytes() == np.concatenate([net(row[None]) for row in observations]).tobytes()
    assert together[::-1].tobytes() == net(observations[::-1]).tobytes()
    assert net(observations[:0]).shape == (0, 2)
    # Values are seen from the viewer.
    four = sarai.make("tshupu")
    values = some(four, [8, 1])(seen(four))
    np.testing.assert_array_equal(values, values[:, :1] * [1, -1, 1, -1])


def test_inputs_say_how_much_a_cell_holds() -> None:
    game = sarai.make("shuanglu")
    observations = np.zeros((16, 65), np.int8)
    observations[:, 0] = np.arange(16)
    inputs = sarai.nets.encode(observations, game)
    counts = np.arange(16)
    expected = np.stack([counts >= 1, counts >= 2, counts >= 3, np.maximum(counts - 3, 0) / 2], axis=1)
    np.testing.assert_array_equal(inputs[:, :4], expected)
    assert not inputs[:, 4:].any()
    np.testing.assert_array_equal(sarai.nets.encode(observations, game, "raw"), observations)
    np.testing.assert_array_equal(
        sarai.nets.encode(observations, game, "scaled")[:, 0], (counts / np.float32(15)).astype(np.float32)
    )


def test_a_file_gives_the_same_network_back(tmp_path: Path) -> None:
    game = sarai.make("shuanglu", preset="backgammon")
    path = tmp_path / "a, file [of] mine.safetensors"
    net = sarai.nets.make(arrays(239, [40, 1]), game=game, activations=["relu", "tanh"], card="made of noise")
    assert sarai.nets.save(path, net) == net
    again = sarai.nets.load(path)
    for other in (again, pickle.loads(pickle.dumps(net)), copy.deepcopy(net)):
        assert (other, hash(other), repr(other)) == (net, hash(net), repr(net))
        assert (other.game, other.card, other.training) == (game, "made of noise", None)
        assert other(seen(game)).tobytes() == net(seen(game)).tobytes()
    for layer, array in zip(again.layers, net.layers, strict=True):
        np.testing.assert_array_equal(layer.weights, array.weights)
        assert layer.activation == array.activation
    assert net != some(game)
    before = path.read_bytes()
    with pytest.raises(ValueError, match="weights are numbers from"):
        sarai.nets.save(path, [[[math.nan] * 65], [0]], game=game, encoding="raw", activations=["relu"])
    assert path.read_bytes() == before


def test_what_is_no_network_is_refused(tmp_path: Path) -> None:
    for content, words in [
        (b"", "it is damaged, or no safetensors file"),
        (b"\xff" * 8 + b"{}", "it is damaged, or no safetensors file"),
        ((2**21).to_bytes(8, "little") + b" " * 2**21, "its header is 2097152 bytes long"),
    ]:
        path = tmp_path / "file"
        path.write_bytes(content)
        with pytest.raises(ValueError, match=words):
            sarai.nets.load(path)
        with pytest.raises(ValueError, match=words):
            Net(content)
    with pytest.raises(ValueError, match="it is no file"):
        sarai.nets.load(tmp_path)
    with pytest.raises(TypeError, match="must be bytes"):
        Net("file")  # type: ignore[arg-type]


def test_layers_that_do_not_fit_are_refused() -> None:
    cells = sarai.make("shah").observation_shape[0]
    weights = np.zeros((1, cells))

    def make(given: Any = None, **options: Any) -> Net:
        fine = {"game": "shah", "encoding": "raw", "activations": ["relu"]}
        return sarai.nets.make([weights, [0]] if given is None else given, **{**fine, **options})

    # `errors.txt` has more of them.
    for given, words in [
        ([np.zeros((3, cells)), [0] * 3], "it has 3 outputs"),
        ([np.zeros((2, cells)), [0] * 3], r"weights of shape \(2, 113\) and 3 biases"),
        ([np.zeros((1025, cells)), [0] * 1025], "1024 units at most"),
        ([np.zeros(cells), [0]], r"an array has the shape \(113,\)"),
        ([np.ma.masked_equal(weights, 0), [0]], "some are masked"),
        ([weights, np.ma.masked_equal([0], 0)], "some are masked"),
    ]:
        with pytest.raises(ValueError, match=words):
            make(given)
    values = {
        "activations": [["relu"] * 2, itertools.repeat("relu")],
        "outputs": ["all"],
        "encoding": ["one-hot"],
    }
    refused(make, values, {"activations": [None], "card": [7]})
    with pytest.raises(ValueError, match="activations for 0 layers"):
        make([], activations=[])
    with pytest.raises(TypeError, match="arrays of numbers"):
        make([[["a"]], [0]])
    with pytest.raises(TypeError, match="leave out game"):
        sarai.nets.save("nowhere", some(sarai.make("shah")), game="shah")


def test_observations_that_are_none_are_refused() -> None:
    net = some(sarai.make("shuanglu"))
    cells = np.zeros((2, 65), np.int64)
    cells[1, 3] = 16
    with pytest.raises(ValueError, match="cell 3 of observation 1 is 16; it takes 0 to 15"):
        net(cells)
    with pytest.raises(ValueError, match="observations hold 300; cells are numbers from -128 to 127"):
        net(300 * (cells > 0))
    with pytest.raises(ValueError, match="observations must be numbers, and some are masked: give them all"):
        net(np.ma.masked_equal(cells, 16))
    assert net(np.ma.masked_equal(0 * cells, 16)).shape == (2, 2)


@some_books
def test_the_agent_goes_where_the_network_likes_it_best(book: tuple[str, str]) -> None:
    game = sarai.make(book[0], preset=book[1])
    net = some(game)
    states = game.sample_states(num_games=30, seed=4)
    states.sample_chance(seed=1)
    for state in states[states.current_player() >= 0]:
        mover, ends = state.current_player(), state.afterstates()
        worth = []
        for end in ends.states:
            if end.is_terminal():
                worth.append(end.returns()[mover])
                continue
            values = net(end.observation_tensor("turn")[None])[0].astype(np.float64)
            low, high = game.returns_range
            values = np.clip(values, low, high)
            worth.append(
                float(np.clip(values - values.mean(), low, high)[(mover - end.turn) % game.num_players])
            )
        chosen = agents.Network(net).choose(state)
        good = {ends.actions_to(at)[0] for at, value in enumerate(worth) if value > max(worth) - 1e-6}
        assert chosen in good
        analysis = agents.Network(net).analyse(state)
        assert (analysis.best, analysis.depth) == (chosen, 1)
        assert analysis.value[mover] == pytest.approx(max(worth), abs=1e-6)


@some_books
def test_networks_play_alike_on_any_number_of_threads(book: tuple[str, str]) -> None:
    game = sarai.make(book[0], preset=book[1])
    net = some(game, [8, game.num_players])
    names: list[Any] = [agents.Network(net), agents.MCTS(3, evaluator=net), agents.Expectimax(1, net)]
    if game.num_players == 2 and book[0] == "shah":
        names.append(agents.AlphaBeta(1, net))
    for agent in names:
        seats = [agent, *["random"] * (game.num_players - 1)]
        one, two = (sarai.rollout(game, seats, 4, seed=3, num_threads=threads) for threads in (1, 2))
        assert one == two
        assert one.agents[0] == str(agent)


def test_agents_travel_with_their_networks(tmp_path: Path) -> None:
    game = sarai.make("shah")
    net = some(game, seed=7)
    path = str(tmp_path / "net.safetensors")
    net.save(path)
    for given in (net, f"net:{path}"):
        made: list[Any] = [
            agents.MCTS(5, evaluator=given),
            agents.Expectimax(2, given, (3, 2)),
            agents.AlphaBeta(2, given, tables=True),
            agents.Epsilon(agents.Expectimax(1, given), 0.5),
        ]
        made.append(agents.Network(net if isinstance(given, Net) else path))
        for agent in made:
            assert agents.parse(str(agent)) == agent == pickle.loads(pickle.dumps(agent))
            assert repr(eval(repr(agent), vars(agents))) == repr(agent)
    (tmp_path / "agent").write_bytes(pickle.dumps(agents.AlphaBeta(2, net)))
    program = (
        "import pickle, sys, sarai; agent = pickle.load(open(sys.argv[1], 'rb'))\n"
        "print(agent, agent.choose(sarai.make('shah').new_initial_state()))"
    )
    printed = subprocess.run(
        [sys.executable, "-c", program, str(tmp_path / "agent")], capture_output=True, text=True, check=True
    )
    here = agents.AlphaBeta(2, net)
    assert printed.stdout == f"{here} {here.choose(game.new_initial_state())}\n"


def is_known(name: str) -> bool:
    """Whether a network that was given by its content is still there."""
    try:
        agents.parse(name)
    except ValueError:
        return False
    return True


def test_a_league_keeps_no_network_that_nobody_holds() -> None:
    # The registry only says what is there: a name that is known no more is a network that was freed.
    game = sarai.make("shuanglu")
    cells, names = game.observation_shape[0], []
    for generation in range(500):
        layers = [np.full((1, cells), generation / 1000), [0]]
        net = sarai.nets.make(layers, game=game, encoding="raw", activations=["tanh"])
        player = agents.Network(net)
        names.append(str(player))
        if generation % 25 == 0:
            mixed = agents.Mixture({agents.Epsilon(player): 3, agents.MCTS(1, evaluator=net): 1})
            del net, player
            sarai.rollout(game, [mixed, "random"], 2, seed=generation)
            sarai.arena(game, {"new": mixed, "random": "random"}, 2, seed=generation)
            assert is_known(names[-1])
            del mixed
    del net, player
    assert not [name for name in names if is_known(name)]


def test_an_agent_reads_its_file_once_and_a_name_each_time(tmp_path: Path) -> None:
    game = sarai.make("shuanglu")
    path = tmp_path / "net.safetensors"
    one, other = some(game, [4, 1], seed=1), some(game, [4, 1], seed=2)
    one.save(path)
    player = agents.Network(path)

    def lengths(agent: sarai.agents.Agent) -> list[int]:
        return sarai.rollout(game, agent, 5, seed=3).lengths.tolist()

    first = lengths(player)
    assert first == lengths(agents.Network(one)) != lengths(agents.Network(other))
    other.save(path)
    assert lengths(player) == first
    assert lengths(str(player)) == lengths(agents.Network(other))
    path.unlink()
    assert lengths(player) == first
    assert player.choose(game.sample_states(num_games=1, seed=1)[0]) >= 0
    with pytest.raises(ValueError, match="cannot read the network"):
        lengths(str(player))


def test_searches_take_a_network() -> None:
    net = some(sarai.make("shuanglu"))
    states = sarai.make("shuanglu").sample_states(num_games=20, seed=3)
    states.sample_chance(seed=1)
    found = sarai.search(states, 30, net, num_threads=1, seed=0)
    again = sarai.search(states, 30, f"net:{net._net.name()}", num_threads=2, seed=0)
    np.testing.assert_array_equal(found.visits, again.visits)
    np.testing.assert_array_equal(found.values, again.values)
    other = some(sarai.make("shuanglu"), seed=9)
    assert not np.array_equal(found.values, sarai.search(states, 30, other, seed=0).values)
    with pytest.raises(ValueError, match="is made for shuanglu and does not play shah"):
        sarai.search(sarai.States("shah", 1), 3, net, seed=0)
    assert agents.TreeSearch(net, 3).choose(states[0]) in states[0].legal_actions()
    env = sarai.SingleAgentVectorEnv("shuanglu", 4, opponents=agents.Network(net), seed=1)
    assert env.reset()[0]["observation"].shape == (4, 65)


@pytest.mark.parametrize(
    ("name", "games"),
    [
        *((name, 200) for name in ("sho", "sho_two_players", "tshupu", "backgammon_gammons")),
        *(pytest.param(name, 1000, marks=pytest.mark.nightly) for name in sarai.nets.baselines()),
    ],
)
def test_baselines_play_well(name: str, games: int) -> None:
    net = sarai.nets.load(name)
    plies = 0
    agent, opponent = f"net:{name}", "greedy"
    if net.game.max_chance_outcomes == 0:
        # Made for searches, and better than the heuristic a turn further.
        agent, opponent, plies, games = f"alphabeta:3,net={name}", "alphabeta:4", 6, 200
    found = sarai.arena(net.game, [agent, opponent], games, seed=1, random_plies=plies)
    assert found.pairing(agent, opponent).mean_returns[0].low > 0.1


def test_baselines_are_agents() -> None:
    for name in sarai.nets.baselines():
        assert agents.Network(name) == agents.parse(f"net:{name}")
        game = sarai.nets.load(name).game
        players = [f"mcts:5,net={name}", "random"]
        (found,) = sarai.arena(game, players, 6, seed=0, schedule="gauntlet").pairings
        assert found.games == 6


def test_names_of_baselines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = Path(sarai.__file__).parent / "_nets" / "data"
    assert sum(path.stat().st_size for path in folder.iterdir()) < 2_000_000
    words = r"cannot read the network 'backgamon': .*; those that have a name are backgammon, .* mean 'backgammon'"
    for make in (sarai.nets.load, agents.Network):
        with pytest.raises(ValueError, match=words):
            make("backgamon")
    # A file of that name is not taken for it by chance.
    monkeypatch.chdir(tmp_path)
    own = some(sarai.make("shuanglu"))
    own.save("sho")
    assert sarai.nets.load("./sho") == own != sarai.nets.load("sho")


def test_names_say_what_is_wrong() -> None:
    net, other = some(sarai.make("shah")), some(sarai.make("sho"))
    makes: list[tuple[Any, str]] = [
        (lambda: agents.Network("no/such/file"), "no/such/file"),
        (lambda: agents.Network(""), "cannot read the network"),
        (lambda: agents.MCTS(5, playout="greedy", evaluator=net), "beside a playout"),
        (lambda: sarai.rollout("sho(players=2)", agents.Network(other), 1, seed=0), "is made for 3 players"),
    ]
    for make, words in makes:
        with pytest.raises(ValueError, match=words):
            make()


class Sequential:
    """What `sarai.nets.make` takes for a module of PyTorch, which these tests do without."""

    def __init__(self, *parts: Any) -> None:
        self.parts = parts

    def children(self) -> Any:
        return iter(self.parts)


def _part(kind: str, **what: Any) -> Any:
    return type(kind, (), what)()


def _parameter(array: Any) -> Any:
    tensor = SimpleNamespace(numpy=lambda: np.asarray(array, np.float32))
    return SimpleNamespace(detach=lambda: SimpleNamespace(cpu=lambda: tensor))


def _linear(units: int, inputs: int) -> Any:
    return _part("Linear", weight=_parameter(np.zeros((units, inputs))), bias=_parameter(np.zeros(units)))


def test_modules_are_taken_apart() -> None:
    def made(*parts: Any) -> Net:
        return sarai.nets.make(Sequential(*parts), game="shuanglu", encoding="raw")

    for parts, words in (
        ((_linear(1, 65), _part("ReLU"), _part("Tanh")), "part 2 of the module is"),
        ((_part("ReLU"), _linear(1, 65)), "part 0 of the module is"),
        ((_linear(1, 65), _part("Hardtanh", min_val=-1, max_val=1)), "part 1 of the module is"),
    ):
        with pytest.raises(TypeError, match=words):
            made(*parts)
    net = made(_linear(1, 65), _part("Hardtanh", min_val=0, max_val=1))
    assert net.layers[0].activation == "clipped_relu"
