"""Networks made of PyTorch modules or NumPy arrays."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sarai import _core
from sarai._base import arguments
from sarai._core import Game
from sarai._game import as_game
from sarai._nets.net import ACTIVATIONS, Net

_ACTIVATIONS = {theirs: own for own, theirs in ACTIVATIONS.items()}
"""The names of PyTorch's classes, and the engine's names of them."""

_WITHOUT_EFFECT = ("Dropout", "Flatten")
"""PyTorch's classes that change nothing where nothing is trained."""


def save(path: arguments.StrPath, module_or_arrays: Any, **options: Any) -> Net:
    """Write a network to a file.

    Args:
        path: The file; replaced atomically if it exists.
        module_or_arrays: As `make` takes it, or a `Net`.
        **options: As `make` takes them; none with a `Net`.

    Returns:
        The network.

    Raises:
        ValueError, TypeError: As `make`.
        OSError: The file cannot be written.

    >>> import numpy as np, os, tempfile, sarai
    >>> path = os.path.join(tempfile.mkdtemp(), "zero.safetensors")
    >>> layers = [np.zeros((8, 65)), np.zeros(8), np.zeros((1, 8)), np.zeros(1)]
    >>> net = sarai.nets.save(path, layers, game="shuanglu", encoding="raw", activations=["relu", "identity"])
    >>> sarai.nets.load(path) == net
    True
    """
    if isinstance(module_or_arrays, Net):
        if options:
            raise TypeError(f"a Net already has its settings: leave out {', '.join(options)}")
        net = module_or_arrays
    else:
        net = make(module_or_arrays, **options)
    net.save(path)
    return net


def make(
    module_or_arrays: Any,
    *,
    game: str | Game,
    encoding: str = "unary",
    activations: Sequence[str] | None = None,
    outputs: str | None = None,
    card: str = "",
) -> Net:
    """Make a network of the engine.

    Args:
        module_or_arrays: A `torch.nn.Sequential` of `Linear` layers with `ReLU`, `Sigmoid`, `Tanh`, `Softsign`,
            `Hardtanh(0, 1)` or `Identity` after them; `Dropout` and `Flatten` are ignored. Or weights (units, inputs)
            and biases (units,) alternately, layer by layer: a list of arrays, or a dict as returned by `state_dict`.
        game: The `Game` that it evaluates, or its name.
        encoding: The inputs of the first layer; see `encode`.
        activations: With arrays, the activation of each layer: "identity", "relu", "clipped_relu" (0 to 1),
            "softsign", "sigmoid" or "tanh".
        outputs: "viewer": one output, the expected return of the viewing seat; the one other side has its negative.
            "seats": one for each seat, from the viewer's on. "policy": one for each action, its logit, in the view of
            the player to act. "policy_viewer" and "policy_seats": the logits, then the values. None takes "viewer" if
            there is one output, "policy" if there is one for each action, otherwise "seats".
        card: A description of the network.

    Raises:
        ValueError: The layers do not fit the game, one another or the limits: at most 8 layers of 1,024 units; weights
            from -1,000,000 to 1,000,000.
        TypeError: The module has other layers, or an argument has the wrong type.

    >>> import numpy as np, sarai
    >>> layers = {"0.weight": np.ones((2, 65)), "0.bias": np.zeros(2), "2.weight": np.ones((1, 2)), "2.bias": [0]}
    >>> sarai.nets.make(layers, game="shuanglu", encoding="scaled", activations=["relu", "tanh"])
    <Net for shuanglu: 65 inputs (scaled), 2 relu, 1 tanh; outputs 'viewer'>
    >>> sarai.nets.make(layers, game="shuanglu", activations=["relu", "tanh"])
    Traceback (most recent call last):
    ...
    ValueError: no network can be made of this: layers.0.weight has the shape [2, 65]; with 2 units and the 239 ...
    """
    if isinstance(module_or_arrays, (Mapping, list, tuple)):
        layers = _of_arrays(module_or_arrays, activations)
    else:
        if activations is not None:
            raise TypeError("a module already has its activations: leave out activations")
        layers = _of_module(module_or_arrays)
    book = as_game(game)
    if outputs is None:
        given = len(layers[-1][1]) if layers else 0
        outputs = {1: "viewer", book.num_actions: "policy"}.get(given, "seats")
    for name, value in (("encoding", encoding), ("outputs", outputs), ("card", card)):
        if not isinstance(value, str):
            raise TypeError(f"{name} must be a str, not {type(value).__name__}")
    return Net._of(_core.Net.made(book, encoding, outputs, card, layers))


_Layers = list[tuple[NDArray[np.float32], NDArray[np.float32], str]]


def _of_arrays(given: Mapping[str, Any] | Sequence[Any], activations: Sequence[str] | None) -> _Layers:
    arrays = list(given.values()) if isinstance(given, Mapping) else list(given)
    if len(arrays) % 2:
        raise ValueError(f"there are {len(arrays)} arrays; each layer has two, weights and bias")
    if isinstance(activations, str) or not isinstance(activations, Iterable):
        raise TypeError('with arrays, activations must be a list of names, such as ["relu", "identity"]')
    # One more than there are layers is enough to be refused, and an endless iterator ends.
    names = list(islice(activations, len(arrays) // 2 + 1))
    if len(names) != len(arrays) // 2 or not all(isinstance(name, str) for name in names):
        raise ValueError(
            f"activations got {arguments.short(names)}; it takes a name for each of the {len(arrays) // 2} layers"
        )
    pairs = zip(arrays[::2], arrays[1::2], names, strict=True)
    return [(_array(weights, 2), _array(bias, 1), name) for weights, bias, name in pairs]


def _of_module(module: Any) -> _Layers:
    """The layers of a `torch.nn.Sequential`; PyTorch itself is not needed for that."""
    # What another module does with its parts, a subclass too, only its code knows.
    if type(module).__name__ != "Sequential":
        raise TypeError(
            f"a network is made of a torch.nn.Sequential, or of arrays in a list or a dict, not {type(module).__name__}"
        )
    layers: _Layers = []
    last = None
    for number, part in enumerate(module.children()):
        kind = type(part).__name__
        if kind == "Linear":
            last = part
            bias = np.zeros(part.out_features) if part.bias is None else _numbers(part.bias)
            layers.append((_array(_numbers(part.weight), 2), _array(bias, 1), "identity"))
            continue
        if kind in _WITHOUT_EFFECT:
            continue
        activation = _ACTIVATIONS.get(kind)
        if kind == "Hardtanh" and (part.min_val, part.max_val) == (0, 1):
            activation = "clipped_relu"
        if activation is None or last is None:
            known = ", ".join(["Linear", *_ACTIVATIONS, "Hardtanh(0, 1)", *_WITHOUT_EFFECT])
            raise TypeError(
                f"part {number} of the module is {arguments.short(part)}; networks are made of {known}, each "
                "activation right after a Linear"
            )
        weights, bias, _ = layers[-1]
        layers[-1] = (weights, bias, activation)
        last = None
    return layers


def _numbers(parameter: Any) -> Any:
    return parameter.detach().cpu().numpy()


def _array(given: Any, dimensions: int) -> NDArray[np.float32]:
    array = arguments.unmasked("weights", given)
    if array.dtype.kind not in "fiu":
        raise TypeError(f"weights must be arrays of numbers, not of {array.dtype}")
    if array.ndim != dimensions:
        what = (
            "weights have the shape (units, inputs)" if dimensions == 2 else "a bias has the shape (units,)"
        )
        raise ValueError(f"an array has the shape {array.shape}; {what}")
    with np.errstate(over="ignore"):
        return array.astype(np.float32, order="C")
