"""Games by the million as folders of Parquet files, made anywhere, piece by piece (docs/data.md, docs/scale.md)."""

from sarai.datasets.opened import Dataset

__all__ = ["Dataset"]
