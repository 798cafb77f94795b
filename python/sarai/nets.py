"""Networks that judge positions inside the engine: multilayer perceptrons, fed from the observation of one seat.

- `load` reads a network from its file, `save` writes one made of PyTorch modules or NumPy arrays, `make` makes one
  without a file.
- A `Net` is called with observations. Agents play by it: `agents.Network`, and `evaluator=` of every search.
- `encode` gives the inputs of a network, to train one outside the engine.

`sarai.train` makes networks by self-play; docs/networks.md is about all of this.
"""

from sarai._nets.making import make, save
from sarai._nets.net import Layer, Net, baselines, encode, load

__all__ = ["Layer", "Net", "baselines", "encode", "load", "make", "save"]
