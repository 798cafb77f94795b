"""Training networks by self-play: `sarai.train` in the engine, `sarai.self_play` for data of your own."""

from sarai._self_play import SelfPlayGame
from sarai._training.run import CurvePoint, Training, train

__all__ = ["CurvePoint", "SelfPlayGame", "Training", "train"]
