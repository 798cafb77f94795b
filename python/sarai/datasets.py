"""Games by the million as folders of Parquet files, made anywhere, piece by piece (docs/data.md, docs/scale.md)."""

from sarai._datasets.opened import Dataset
from sarai._datasets.parts import Part

__all__ = ["Dataset", "Part"]
