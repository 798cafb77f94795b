"""TensorBoard reads what the snippets of docs/libraries.md log."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

import sarai

pytest.importorskip("sb3_contrib")
reader = pytest.importorskip("tensorboard.backend.event_processing.event_accumulator")

pytestmark = [pytest.mark.heavy, pytest.mark.nightly]
PAGE = Path(__file__).resolve().parents[2] / "docs" / "libraries.md"


def curves(folder: Path) -> dict[str, list[tuple[int, float]]]:
    """The steps and values of each curve in a folder."""
    found = reader.EventAccumulator(str(folder)).Reload()
    return {
        name: [(point.step, point.value) for point in found.Scalars(name)] for name in found.Tags()["scalars"]
    }


def test_the_snippets_log_what_the_page_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    section = PAGE.read_text(encoding="utf-8").split("\n## TensorBoard and Weights & Biases\n")[1]
    snippets = re.findall(r"^```python\n(.*?)^```$", section, re.MULTILINE | re.DOTALL)
    names: dict[str, Any] = {}
    for snippet in snippets:
        exec(compile(snippet, str(PAGE), "exec"), names)

    trained = curves(tmp_path / "runs" / "MaskablePPO_1")
    evaluated = {name for name in trained if name.startswith("eval/")}
    assert evaluated == set(re.findall(r"`(eval/\w+)`", section))
    steps, rewards = zip(*trained["eval/mean_reward"], strict=True)
    assert steps == (0, 4096, 8192)
    assert all(-1 <= reward <= 1 for reward in rewards)
    assert trained["eval/mean_reward"] == trained["eval/mean_reward_against_greedy"]
    # Beside it are the curves of SB3 itself.
    assert {"rollout/ep_rew_mean", "train/loss"} <= trained.keys()

    looped = curves(tmp_path / "runs" / "loop")
    means = [
        sarai.rollout("shuanglu", [one, "greedy"], 400, seed=1).returns[:, 0].mean()
        for one in ("random", "greedy")
    ]
    assert looped == {"eval/mean_reward": [(step, pytest.approx(mean)) for step, mean in enumerate(means)]}
