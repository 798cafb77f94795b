"""Results of every class and what a save writes of them, as it is and taken apart."""

from __future__ import annotations

import io
import json
import random
import zipfile
from collections.abc import Callable, Iterator
from typing import Any, BinaryIO
from unittest import mock

import numpy as np

import sarai
from sarai._base import files

_STATE = sarai.make("sho(players=2)").sample_states(num_games=1, seed=3)[0]

# What can be asked for is asked for in one or another; nothing may be added that takes long.
RESULTS: dict[str, Any] = {
    "rollout": sarai.rollout("sho", ["greedy", "random", "random"], 6, seed=7),
    "records": sarai.rollout(_STATE, num_games=5, seed=2, keep=[3, 0], random_plies=3),
    "teams": sarai.rollout("tshupu", num_games=4, seed=2**64 - 1, first_game=9),
    "trajectories": sarai.trajectories("shah(max_turns=12)", num_games=3, seed=1),
    "trajectories from a state": sarai.trajectories(
        _STATE, num_games=3, seed=1, random_plies=3, first_game=4
    ),
    "series": sarai.series("sho(players=2)", num_series=4, target=2, max_games=5, seed=5),
    "team series": sarai.series(
        "tshupu", num_series=3, target=1, max_games=4, consecutive=False, random_plies=3, seed=0
    ),
    "positions": _STATE.get_game()
    .sample_states(num_games=3, seed=1)
    .rollout("greedy", 2, seed=5, first_row=3),
    "arena": sarai.arena("sho(players=2)", ["greedy", "random"], 8, seed=3, keep=[3, 0]),
    "gauntlet": sarai.arena(
        _STATE,
        {"a": "greedy", "b": "random", "c": "random"},
        6,
        schedule="gauntlet",
        dice="own",
        keep=[1],
        random_plies=3,
        seed=0,
    ),
    "json": sarai.Record.play("shah(max_turns=20)", seed=5),
    "text": sarai.Record.play("sho(players=2)", seed=3),
}
ARCHIVES = [name for name in RESULTS if name not in ("json", "text")]


def leaves(cls: type) -> Iterator[type]:
    """The classes of the package that derive from it, and from which none does."""
    for each in cls.__subclasses__():
        yield from leaves(each)
        if each.__module__.startswith("sarai") and not each.__subclasses__():
            yield each


def saved(name: str) -> bytes:
    """What a save of the result writes."""
    result = RESULTS[name]
    if isinstance(result, sarai.Record):
        return (result.to_text() if name == "text" else result.to_json()).encode()
    written: list[bytes] = []

    def keep(path: object, fill: Callable[[BinaryIO], object]) -> None:
        buffer = io.BytesIO()
        fill(buffer)
        written.append(buffer.getvalue())

    with mock.patch.object(files, "replace", keep):
        result.save("nowhere")
    return written[0]


SAVED = {name: saved(name) for name in RESULTS}


def parts(name: str) -> dict[str, bytes]:
    """The members of an archive, unpacked."""
    with zipfile.ZipFile(io.BytesIO(SAVED[name])) as file:
        return {member: file.read(member) for member in file.namelist()}


def packed(members: dict[str, bytes] | list[tuple[str, bytes]], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", method) as file:
        for name, data in members.items() if isinstance(members, dict) else members:
            file.writestr(name, data)
    return buffer.getvalue()


def npy(array: Any) -> bytes:
    buffer = io.BytesIO()
    np.lib.format.write_array(buffer, np.asarray(array), allow_pickle=False)
    return buffer.getvalue()


def metadata(name: str) -> dict[str, Any]:
    with np.load(io.BytesIO(SAVED[name])) as file:
        found: dict[str, Any] = json.loads(str(file["metadata"]))
        return found


def random_game(game: sarai.Game, seed: int, most: int | None = None) -> tuple[list[int], list[sarai.State]]:
    """The ids and the positions of a game played here, without the engine's dice."""
    rng = random.Random(seed)
    state = game.new_initial_state()
    ids: list[int] = []
    states = [state.clone()]
    while not state.is_terminal() and (most is None or len(ids) < most):
        chance = state.is_chance_node()
        legal = [outcome for outcome, _ in state.chance_outcomes()] if chance else state.legal_actions()
        ids.append(rng.choice(legal))
        state.apply_action(ids[-1])
        states.append(state.clone())
    return ids, states
