"""Training networks by self-play: `sarai.train` does it inside the engine, `sarai.self_play` makes data for your own."""

from sarai._self_play import SelfPlayGame
from sarai._training.run import CurvePoint, Training, train

__all__ = ["CurvePoint", "SelfPlayGame", "Training", "train"]
