"""What a dataset says of itself on the Hugging Face Hub: the README.md of a repository of datasets."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from sarai._base import hub
from sarai._core import describe_json
from sarai._results.result import ArrayResult
from sarai._results.rollout import Rollout
from sarai._results.trajectories import Trajectories
from sarai._tables import arrow

if TYPE_CHECKING:
    from sarai._datasets.opened import Dataset

_FILES = """configs:
- config_name: default
  data_files:
  - split: train
    path: part-*.parquet"""

_ABOUT = {
    "game": "the game and its rules, as `sarai.make` reads them",
    "seed": "the seed",
    "number": "the number of the game within the seed",
    "agent": "the agent of the seat",
    "decision": "the index of the decision in its game, from 0",
    "seat": "the seat that decided",
    "return": "the final score of the seat",
    "last_of_seat": "whether this is the last decision of its seat in the game",
    "last_of_game": "whether this is the last decision of the game",
    "final_observation": "where `last_of_seat`, what the seat sees when the game is over; elsewhere zeros",
}
"""Of columns that no result declares."""


def text(dataset: Dataset) -> str:
    """See `Dataset.card`."""
    asked, game = dataset.asked, dataset.game
    decisions = asked["what"] == "trajectories"
    title = f"{dataset.num_games:,} games of {json.loads(describe_json(game.name))['id']}"
    start = "the usual one" if asked["start"] is None else f"`{asked['start']}`"
    facts = {
        "game": f"`{game}`",
        "agents, by seat": ", ".join(f"`{agent}`" for agent in dataset.agents),
        "games": f"{dataset.num_games:,}, from number {asked['first_game']:,} of seed {dataset.seed} on",
        "start": start,
        "random decisions at the beginning": f"{asked['random_plies']:,}",
        "rows": f"{dataset.num_rows:,}, one for each {'decision' if decisions else 'game'}",
        "files": f"{len(dataset.parts):,} of Parquet, {dataset.num_bytes:,} bytes",
        "made with": ", ".join(f"{name} {version}" for name, version in dataset.made_with.items()),
    }
    about = {**_ABOUT, **_declared(Trajectories if decisions else Rollout)}
    columns = [
        (
            f"`{field.name}`",
            _kind(field.type),
            about.get(re.sub(r"_\d+$", "", field.name), "a statistic of the game"),
        )
        for field in dataset._schema()
    ]
    return "\n".join(
        [
            hub.head(title, dataset.game.name, dataset.num_rows, _FILES),
            f"# {title}",
            "",
            "Made by [Sarai](https://pypi.org/project/sarai/). The same call makes the same games again:",
            "",
            "```python",
            "import sarai",
            "",
            _call(dataset),
            "```",
            "",
            *hub.table(("", ""), list(facts.items())),
            "",
            "## Columns",
            "",
            *hub.table(("column", "type", "is"), columns),
            "",
            "## Loading",
            "",
            "```python",
            *_loading(dataset),
            "```",
            "",
        ]
    )


def _declared(result: type[ArrayResult]) -> dict[str, str]:
    return {array.label: array.about for array in result._arrays().values() if array.label}


def _kind(kind: Any) -> str:
    pa = arrow.arrow()
    if pa.types.is_fixed_size_list(kind):
        return f"{kind.list_size} bytes, each an {kind.value_type}"
    return "string" if pa.types.is_dictionary(kind) else str(kind)


def _call(dataset: Dataset) -> str:
    asked = dataset.asked
    given = [
        "out='data'",
        f"what={asked['what']!r}",
        f"chunk_games={asked['chunk_games']}",
        f"seed={asked['seed']}",
        *(f"{name}={asked[name]}" for name in ("first_game", "random_plies") if asked[name]),
    ]
    begin = f"{asked['game']!r}"
    if asked["start"] is not None:
        begin = f"sarai.make({begin}).parse({asked['start']!r})"
    return f"sarai.dataset({begin}, {asked['agents']!r}, {asked['num_games']}, {', '.join(given)})"


def _loading(dataset: Dataset) -> list[str]:
    lines = ["from datasets import load_dataset", "", 'rows = load_dataset("USER/NAME", split="train")']
    if dataset.asked["what"] == "trajectories":
        length = dataset.game.observation_shape[0]
        lines = [
            "import numpy as np",
            *lines,
            "batch = rows[:1024]",
            f'observations = np.frombuffer(b"".join(batch["observation"]), np.int8).reshape(-1, {length})',
            f'masks = np.frombuffer(b"".join(batch["mask"]), np.bool_).reshape(-1, {dataset.game.num_actions})',
        ]
    return lines
