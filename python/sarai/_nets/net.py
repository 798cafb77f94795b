"""A network, and the inputs of one."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sarai import _core
from sarai._base import arguments
from sarai._base.files import replace
from sarai._core import Game
from sarai._game import as_game, make

if TYPE_CHECKING:
    import torch

ACTIVATIONS = {
    "identity": "Identity",
    "relu": "ReLU",
    "sigmoid": "Sigmoid",
    "softsign": "Softsign",
    "tanh": "Tanh",
}
"""The names of activations, and PyTorch's classes; "clipped_relu" is `Hardtanh(0, 1)`."""


class Layer(NamedTuple):
    """A layer of a network."""

    weights: NDArray[np.float32]
    """float32 (units, inputs), as in `torch.nn.Linear`."""
    bias: NDArray[np.float32]
    """float32 (units,)."""
    activation: str
    """What is made of the sums: "identity", "relu", "clipped_relu", "softsign", "sigmoid" or "tanh"."""


class Net:
    """A network that evaluates positions, actions or both. `load`, `save`, `make` and `sarai.train` make one.

    It is immutable, hashable and picklable, and equal to another with the same file.

    >>> import numpy as np, sarai
    >>> layers = [np.full((1, 65), 0.01), [0.5]]
    >>> net = sarai.nets.make(layers, game="shuanglu", encoding="scaled", activations=["tanh"])
    >>> net
    <Net for shuanglu: 65 inputs (scaled), 1 tanh; outputs 'viewer'>
    >>> net(sarai.make("shuanglu").sample_states(num_games=3, seed=1).observation_tensor()).shape
    (3, 2)
    >>> net(np.zeros((3, 5), np.int8))
    Traceback (most recent call last):
    ...
    ValueError: the observations have 5 cells; those of shuanglu have 65
    """

    __slots__ = ("_net", "_told")
    _net: _core.Net
    _told: dict[str, Any]

    def __init__(self, content: bytes) -> None:
        """Take the content of a network's file."""
        if not isinstance(content, bytes):
            raise TypeError(f"the content of a network's file must be bytes, not {type(content).__name__}")
        self._set(_core.Net(content))

    @classmethod
    def _of(cls, net: _core.Net) -> Net:
        made = cls.__new__(cls)
        made._set(net)
        return made

    def _set(self, net: _core.Net) -> None:
        object.__setattr__(self, "_net", net)
        object.__setattr__(self, "_told", json.loads(net.describe_json()))

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a Net cannot be changed, so {name} cannot be set")

    @property
    def game(self) -> Game:
        """The game, with the rules for which it was made. It also plays other rules with the same number of seats."""
        return make(self._told["game"], rules=self._told["rules"])

    @property
    def encoding(self) -> str:
        """How cells become inputs: "raw", "scaled", "unary" or "expert"; see `encode`."""
        return str(self._told["encoding"])

    @property
    def outputs(self) -> str:
        """What the outputs are; see `make`.

        "viewer", the expected return of the viewer; "seats", that of each seat; "policy", a logit for each action;
        "policy_viewer" and "policy_seats", logits and then values.
        """
        return str(self._told["outputs"])

    @property
    def card(self) -> str:
        """A description by its author."""
        return str(self._told["card"])

    @property
    def training(self) -> dict[str, Any] | None:
        """How `sarai.train` has trained it so far; None for a network that was made otherwise."""
        told: dict[str, Any] | None = self._told["training"]
        return None if told is None else dict(told)

    @property
    def digest(self) -> str:
        """The SHA-256 of its file."""
        return str(self._told["digest"])

    @property
    def layers(self) -> list[Layer]:
        """The layers, as copies."""
        return [Layer(*layer) for layer in self._net.layers()]

    def __call__(
        self, observations: ArrayLike
    ) -> NDArray[np.float32] | tuple[NDArray[np.float32], NDArray[np.float32]]:
        """The values of positions, the logits of their actions, or both.

        Args:
            observations: Integers (n, L), each position as one seat sees it. Agents ask at the ends of turns, before a
                throw: `States.observation_tensor(viewer="turn")`.

        Returns:
            Values, float32 (n, P): the expected return of each seat in the units of `returns`. Column 0 is for the seat
            that sees the position, column 1 for the seat after it, and so on; an evaluator that is a function of your
            own has columns for seats 0, 1, and so on instead. They need not stay within the range of the returns.
            With outputs "policy", logits, float32 (n, A), of illegal actions too. With both, a tuple of logits and
            values.

        Raises:
            ValueError: The observations have another shape, or a cell holds what it cannot hold.
            TypeError: They are no integers.
        """
        numbers = self._net.expect(_cells(observations))
        logits = self._net.logits()
        if not logits or self.outputs == "policy":
            return numbers
        return numbers[:, :logits], numbers[:, logits:]

    def to_torch(self) -> torch.nn.Sequential:
        """A `torch.nn.Sequential` with the weights of the network, in float32, to train with PyTorch.

        It takes inputs as `encode(observations, net.game, net.encoding)` returns them, as a tensor (n, inputs), and
        returns the outputs of the last layer, as `make` describes them: with outputs "viewer", (n, 1), the expected
        return of the seat that sees the position; with "seats", (n, P), one for each seat from that one on; with
        "policy", (n, A), the logits; with both, the logits and then the values. They agree with the network's to
        0.000001 of the largest magnitude. `make(module, game=net.game, encoding=net.encoding, outputs=net.outputs)`
        makes the same layers of it again, bit for bit.

        In a network of `sarai.train`, the last layer only adds up probabilities; it does not require gradients, so that
        `train(resume=)` can continue with what PyTorch makes of the others.

        Raises:
            ImportError: PyTorch is not installed.
        """
        import torch

        parts: list[Any] = []
        for weights, bias, activation in self.layers:
            linear = torch.nn.Linear(weights.shape[1], weights.shape[0])
            linear.load_state_dict({"weight": torch.from_numpy(weights), "bias": torch.from_numpy(bias)})
            parts.append(linear)
            if activation == "clipped_relu":
                parts.append(torch.nn.Hardtanh(0, 1))
            elif activation != "identity":
                parts.append(getattr(torch.nn, ACTIVATIONS[activation])())
        if _core.adds_up(self.game, self._net):
            parts[-1].requires_grad_(False)
        return torch.nn.Sequential(*parts)

    def save(self, path: arguments.StrPath) -> None:
        """Write the file of the network, as a whole or not at all.

        Args:
            path: The file; replaced if it exists.

        Raises:
            OSError: The file cannot be written.
        """
        replace(path, lambda file: file.write(self._net.content()))

    def __eq__(self, other: object) -> bool:
        return self.digest == other.digest if isinstance(other, Net) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.digest)

    def __reduce__(self) -> tuple[type[Net], tuple[bytes]]:
        return Net, (self._net.content(),)

    def __copy__(self) -> Net:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Net:
        return self

    def __repr__(self) -> str:
        told = self._told
        units = ", ".join(map("{} {}".format, told["units"], told["activations"]))
        return f"<Net for {told['game']}: {told['inputs']} inputs ({self.encoding}), {units}; outputs {self.outputs!r}>"


def load(name_or_path: arguments.StrPath) -> Net:
    """Read a network.

    Args:
        name_or_path: The file, as `save` or `sarai.train` wrote it, or the name of one of the `baselines`. For a file
            of the same name, write "./NAME".

    Raises:
        ValueError: There is no such file, or it holds no usable network: it is damaged, larger than 64 MiB, for an
            unknown game or layout of observations, or holds NaN or infinity.
        TypeError: It is neither a str nor a path object.

    >>> import sarai
    >>> sarai.nets.load("nowhere.safetensors")
    Traceback (most recent call last):
    ...
    ValueError: cannot read the network 'nowhere.safetensors': ...
    """
    return Net._of(_core.Net.load(os.fspath(arguments.path(name_or_path))))


def baselines() -> list[str]:
    """The names of the networks of the package; docs/baselines.md has their strength.

    >>> import sarai
    >>> sarai.nets.baselines()
    ['backgammon', 'backgammon_gammons', 'nine_mens_morris', 'shah', 'sho', 'sho_two_players', 'shuanglu', 'tshupu']
    >>> sarai.nets.load("backgammon").game.name
    'shuanglu'
    """
    return _core.nets_shipped()


def encode(
    observations: ArrayLike,
    game: str | Game,
    encoding: str = "unary",
) -> NDArray[np.float32]:
    """The inputs of a network of the engine for observations.

    Args:
        observations: Integers (n, L), as `States.observation_tensor` returns them.
        game: A `Game`, or the name of one.
        encoding: "raw", the value of each cell. "scaled", the value divided by the largest that the cell takes.
            "unary", for a cell with a count from 0 to at most 16, one input each for "1 or more", "2 or more" and "3 or
            more", as far as the cell can reach them, and one for half of the excess over 3; other cells are scaled.
            "expert", the same, and then the `features` of the game, if it has any.

    Returns:
        float32 (n, inputs).

    Raises:
        ValueError: The observations have another shape, a cell is out of range, or the encoding is unknown.
        TypeError: They are no integers.

    >>> import sarai
    >>> observations = sarai.make("shuanglu").sample_states(num_games=2, seed=1).observation_tensor()
    >>> [encode(observations, "shuanglu", name).shape for name in ("raw", "unary", "expert")]
    [(2, 65), (2, 239), (2, 265)]
    >>> encode(observations, "shuanglu", "onehot")
    Traceback (most recent call last):
    ...
    ValueError: unknown encoding 'onehot'; there are 'raw', 'scaled', 'unary', 'expert'
    """
    if not isinstance(encoding, str):
        raise TypeError(f"encoding must be a str, not {type(encoding).__name__}")
    return _core.encoded(as_game(game), encoding, _cells(observations))


def features(game: str | Game) -> dict[str, str]:
    """What the engine computes from an observation for networks, in order: the name of each number and its meaning.

    They are what experts of the game look at and no cell says, such as how many throws hit a blot. Not every game has
    some. "own" are those of the viewer's side.

    Args:
        game: A `Game`, or the name of one.

    >>> found = features("shuanglu")
    >>> len(found)
    26
    >>> found["own_shots"]
    'share of the 36 throws that hit a blot'
    >>> features("sho")
    {}
    """
    return dict(_core.features(as_game(game)))


def _cells(observations: ArrayLike) -> NDArray[np.int8]:
    """Observations as the engine takes them."""
    given = arguments.unmasked("observations", observations)
    if given.dtype.kind not in "iu":
        raise TypeError(f"observations must be an array of integers, not of {given.dtype}")
    if given.ndim != 2:
        raise ValueError(f"observations must have the shape (n, L), not {given.shape}")
    cells = np.ascontiguousarray(given, np.int8)
    if given.dtype != np.int8 and not np.array_equal(cells, given):
        wrong = given[cells != given][0]
        raise ValueError(f"observations hold {wrong}; cells are numbers from -128 to 127")
    return cells


_core.nets_ship(os.fspath(Path(__file__).parent / "data"))
