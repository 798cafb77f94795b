"""Pictures written down once and drawn again: a change that nobody meant shows as a difference here.

`UPDATE_GOLDEN=1 python -m pytest tests/python/render/test_golden.py` writes the folder golden beside it anew after a
change that was meant; with the name of a game in place of 1, the pictures of that game. Look at them then: any browser
shows them.
"""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import sarai
from sarai import Record, State
from sarai.render import draw

FOLDER = Path(__file__).parent / "golden"
AGAIN = (
    "if the change is meant, run UPDATE_GOLDEN=1 python -m pytest tests/python/render/test_golden.py "
    "and look at the pictures"
)
SEED = 3
# Of one game, so that the folder stays one that can be looked through.
MOST_BYTES = 200_000

NAMES = [
    *(f"{game}-{what}" for game in sarai.games() for what in ("start", "middle", "middle-dark", "end")),
    *(f"{game}-middle-turned" for game in ("shah", "shuanglu", "tshupu")),
    "shah-animated",
]


@cache
def record(game: str) -> Record:
    return Record.play(game, "greedy", seed=SEED)


def rich(states: list[State]) -> int:
    """Which position of the middle third has the most legal moves."""
    third = len(states) // 3
    return max(range(third, 2 * third), key=lambda i: len(legal(states[i])))


def legal(state: State) -> list[str]:
    """The names of the legal actions, where somebody is to choose."""
    choosing = not (state.is_chance_node() or state.is_terminal())
    return [state.action_to_string(action) for action in state.legal_actions()] if choosing else []


def latest(game: str, before: int) -> tuple[int, str] | None:
    """The last action before a step."""
    taken = [(step.player, step.name) for step in record(game).steps[:before] if step.player >= 0]
    return taken[-1] if taken else None


def drawn(name: str) -> str:
    """The picture that the file of that name should hold."""
    game, what = name.split("-", 1)
    states = record(game).states()
    if what == "start":
        return draw(states[0].view())
    if what == "end":
        return draw(states[-1].view(), last=latest(game, len(record(game))))
    if what == "animated":
        steps = [step.id for step in record(game).steps[:8]]
        return Record.from_steps(game, steps).animate(seconds_per_frame=0.5)
    at = rich(states)
    options: dict[str, Any] = {"theme": "dark"} if what.endswith("dark") else {}
    if what.endswith("turned"):
        options["orientation"] = 1
    return draw(states[at].view(), last=latest(game, at), legal=legal(states[at]), **options)


@pytest.mark.parametrize("name", NAMES)
def test_pictures_are_those_written_down(name: str) -> None:
    path, text = FOLDER / f"{name}.svg", drawn(name) + "\n"
    if os.environ.get("UPDATE_GOLDEN") in ("1", name.split("-")[0]):
        FOLDER.mkdir(exist_ok=True)
        path.write_bytes(text.encode())
    assert path.exists(), f"{path} is missing; {AGAIN}"
    golden = path.read_bytes().decode().replace("\r\n", "\n")
    differ = (place for place, (was, is_) in enumerate(zip(golden, text, strict=False)) if was != is_)
    at = next(differ, min(len(golden), len(text)))
    was, now = (whole[max(at - 40, 0) : at + 60] for whole in (golden, text))
    assert golden == text, f"{path}: from character {at} on\n  was {was!r}\n  is  {now!r}\n{AGAIN}"


def test_there_are_no_other_files_and_not_too_many_bytes() -> None:
    # A file that no picture has any more would never be compared again.
    files = sorted(FOLDER.iterdir())
    assert [file.name for file in files] == sorted(f"{name}.svg" for name in NAMES)
    for game in sarai.games():
        assert sum(file.stat().st_size for file in files if file.name.startswith(f"{game}-")) <= MOST_BYTES
