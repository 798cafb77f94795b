"""Games by the million in folders of Parquet files (docs/data.md, docs/scale.md)."""

from sarai._datasets.opened import Dataset
from sarai._datasets.parts import Part

__all__ = ["Dataset", "Part"]
