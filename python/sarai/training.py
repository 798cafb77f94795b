"""Training networks by self-play inside the engine; `sarai.train` does it."""

from sarai._training.run import CurvePoint, Training, train

__all__ = ["CurvePoint", "Training", "train"]
