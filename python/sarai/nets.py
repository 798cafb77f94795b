"""Networks that evaluate positions inside the engine: multilayer perceptrons on the observation of one seat.

- `load` reads a network from its file, `save` writes one made of PyTorch modules or NumPy arrays, `make` makes one
  without a file.
- Call a `Net` with observations. Agents play by it: `agents.Network`, and `evaluator=` of every search.
- `encode` returns the inputs of a network, to train one outside the engine; `features` says what the last of them are.

`sarai.train` makes networks by self-play; see docs/networks.md.
"""

from sarai._nets.making import make, save
from sarai._nets.net import Layer, Net, baselines, encode, features, load

__all__ = ["Layer", "Net", "baselines", "encode", "features", "load", "make", "save"]
