"""The recipes of docs/data.md: a dataset in the hands of the libraries that train on it, without a copy."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import sarai

for library in ("torch", "polars", "datasets", "minari"):
    pytest.importorskip(library)

pytestmark = [pytest.mark.heavy, pytest.mark.nightly]
PAGE = Path(__file__).resolve().parents[2] / "docs" / "data.md"
# What holds after each recipe; `all_of` has every row, in the order of the games.
HOLDS = [
    """
    import json, numpy as np
    found = {}
    def same(name, one, other):
        found[name] = bool(one.shape == other.shape and one.dtype == other.dtype and (one == other).all())
    def rows_of(batches):
        return sorted(bytes(row) for batch in batches for row in batch["observation"].numpy())
    all_of = next(made.batches(batch_size=made.num_rows))
    every = sorted(bytes(row) for row in all_of["observation"])
    found["batches"] = rows_of(made.batches(columns, shuffle=True, as_="torch")) == every
    """,
    """
    found["DataLoader"] = rows_of(loaded) == every and all(len(batch["action"]) <= 1024 for batch in loaded)
    """,
    """
    same("pyarrow", seen, all_of["observation"][-len(seen):])
    found["pyarrow shares"] = not seen.flags.writeable and seen.base is not None
    """,
    """
    same("polars", np.concatenate(framed), all_of["observation"])
    """,
    """
    same("datasets, arrow", mapped, all_of["observation"][100:200])
    same("datasets, numpy", chosen, all_of["observation"][[7, 3, 5]])
    found["datasets maps"] = mapped.ctypes.data == cells.buffers()[1].address + cells.offset * length
    """,
    """
    mine = (all_of["seat"] == 0) & (all_of["number"] == episode.id)
    seen = episode.observations["observation"]
    found["minari"] = bool((seen[:-1] == all_of["observation"][mine]).all())
    print(json.dumps(found))
    """,
]


def test_the_recipes_run(tmp_path: Path) -> None:
    section = (
        PAGE.read_text(encoding="utf-8").split("\n### From a dataset to a learner\n")[1].split("\n### ")[0]
    )
    recipes = re.findall(r"^```python\n(.*?)^```$", section, re.MULTILINE | re.DOTALL)
    checks = [re.sub(r"^    ", "", check, flags=re.MULTILINE) for check in HOLDS]
    script = tmp_path / "recipes.py"
    script.write_text("\n".join(part for pair in zip(recipes, checks, strict=True) for part in pair))
    places = {"MINARI_DATASETS_PATH": str(tmp_path / "minari"), "HF_HOME": str(tmp_path / "hf")}
    path = os.pathsep.join([str(Path(sarai.__file__).parents[1]), os.environ.get("PYTHONPATH", "")])
    said = subprocess.run(
        [sys.executable, str(script)],
        cwd=tmp_path,
        env={**os.environ, **places, "HF_HUB_OFFLINE": "1", "PYTHONPATH": path},
        capture_output=True,
        text=True,
    )
    assert said.returncode == 0, said.stderr
    found = json.loads(said.stdout.splitlines()[-1])
    assert [name for name, holds in found.items() if not holds] == []
    assert len(found) == 9
