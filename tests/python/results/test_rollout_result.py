"""What `sarai.rollout` returns: the same whatever the threads and the split, kept whole on disk."""

from __future__ import annotations

import copy
import dataclasses
import json
import pickle
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import sarai
from sarai.agents import Agent

Observations = NDArray[np.int8]
Masks = NDArray[np.int8]

MIXED = ["greedy", "random", "random"]


def first_legal(observations: Observations, masks: Masks) -> NDArray[np.intp]:
    """A policy: the lowest legal action of each row."""
    chosen: NDArray[np.intp] = masks.argmax(axis=1)
    return chosen


def is_array(array: NDArray[Any], dtype: type[np.generic], shape: tuple[int, ...]) -> bool:
    return array.dtype == dtype and array.shape == shape


@pytest.fixture(scope="module")
def played() -> sarai.Rollout:
    return sarai.rollout("sho", num_games=300, agents=MIXED, seed=7)


@pytest.mark.parametrize("name", sarai.games())
def test_every_game_gives_the_documented_arrays(name: str) -> None:
    game = sarai.make(name)
    r = sarai.rollout(name, num_games=40, seed=3)
    seats = game.num_players
    assert (r.num_games, r.num_players) == (40, seats)
    assert is_array(r.returns, np.float32, (40, seats))
    assert is_array(r.winner, np.int8, (40,))
    assert is_array(r.lengths, np.int32, (40,))
    assert is_array(r.turns, np.int32, (40,))
    assert list(r.stats) == list(r.stats_by_seat) == list(game.statistics)
    for statistic, total in r.stats.items():
        assert is_array(total, np.int32, (40,))
        assert r.stats_by_seat[statistic].dtype == np.int32
        assert np.array_equal(total, r.stats_by_seat[statistic].sum(axis=1))
    assert (r.game, r.rules, list(r.sides)) == (name, game.rules, list(game.sides))
    assert r.lengths.min() > 0
    assert r.turns.min() > 0
    assert set(r.winner.tolist()) <= {-1, *game.sides}
    assert np.allclose(r.returns.sum(axis=1), 0), "the games are zero-sum"
    for seat, side in enumerate(r.sides):
        assert (r.returns[r.winner == side, seat] > 0).all()
        assert (r.returns[(r.winner != side) & (r.winner != -1), seat] < 0).all()
    assert not r.returns[r.winner == -1].any()


@pytest.mark.parametrize("name", sarai.games())
def test_threads_do_not_change_the_games(name: str) -> None:
    one, two = (sarai.rollout(name, num_games=200, seed=1, num_threads=threads) for threads in (1, 2))
    assert one == two


@pytest.mark.parametrize("name", sarai.games())
def test_a_rollout_is_its_two_halves(name: str) -> None:
    whole = sarai.rollout(name, num_games=200, seed=1)
    halves = [sarai.rollout(name, num_games=100, seed=1, first_game=first) for first in (0, 100)]
    assert np.array_equal(whole.returns[100:], halves[1].returns)
    assert sarai.Rollout.concatenate(halves) == whole


def test_threads_and_halves_with_policies() -> None:
    agents: list[Agent] = ["greedy", first_legal, "random"]
    whole = sarai.rollout("sho", 60, agents, seed=5, num_threads=1)
    halves = [sarai.rollout("sho", 30, agents, seed=5, num_threads=2, first_game=first) for first in (0, 30)]
    assert sarai.Rollout.concatenate(halves) == whole


def test_other_seeds_and_other_games_of_a_seed_are_other_games(played: sarai.Rollout) -> None:
    assert sarai.rollout("sho", num_games=300, agents=MIXED, seed=8) != played
    later = sarai.rollout("sho", num_games=300, agents=MIXED, seed=7, first_game=300)
    assert not np.array_equal(later.lengths, played.lengths)


def test_concatenate_refuses_parts_that_do_not_follow(played: sarai.Rollout) -> None:
    with pytest.raises(ValueError, match="begins with game 0, but game 300 is next"):
        sarai.Rollout.concatenate([played, played])
    other = sarai.rollout("sho", num_games=5, agents=MIXED, seed=8, first_game=300)
    with pytest.raises(ValueError, match="seed 8, part 0 has 7"):
        sarai.Rollout.concatenate([played, other])
    with pytest.raises(ValueError, match="at least one"):
        sarai.Rollout.concatenate([])


def test_agents_one_for_all_or_one_a_seat() -> None:
    assert sarai.rollout("sho", 20, "greedy", seed=2) == sarai.rollout("sho", 20, ["greedy"] * 3, seed=2)
    assert sarai.rollout("sho", 20, None, seed=2) == sarai.rollout("sho", 20, seed=2)
    assert sarai.rollout("sho", 20, seed=2).agents == ("random", "random", "random")
    assert sarai.rollout("sho", 20, ("greedy", first_legal, "random")).agents == (
        "greedy",
        "first_legal",
        "random",
    )


def test_a_policy_is_called_on_batches_of_views() -> None:
    game = sarai.make("sho")
    sizes = []

    def policy(observations: Observations, masks: Masks) -> NDArray[np.int64]:
        assert observations.dtype == masks.dtype == np.int8
        assert observations.shape == (len(masks), *game.observation_shape)
        assert masks.shape == (len(observations), game.num_actions)
        assert masks.any(axis=1).all()
        sizes.append(len(masks))
        return np.array([np.flatnonzero(row)[-1] for row in masks])

    r = sarai.rollout(game, 50, [policy, "random", "random"], seed=4)
    assert sum(sizes) <= r.lengths.sum()
    assert max(sizes) > 1
    assert r.agents[0].endswith("policy")


def test_greedy_wins_more_than_its_share(played: sarai.Rollout) -> None:
    assert (played.winner == 0).mean() > 0.4


@pytest.mark.parametrize("num_games", [0, -1, 2**63, 2**64, 100_000_001])
def test_num_games_out_of_range(num_games: int) -> None:
    with pytest.raises(ValueError, match="num_games"):
        sarai.rollout("sho", num_games=num_games)


@pytest.mark.parametrize(
    ("arguments", "error", "sentence"),
    [
        ({"agents": ["random"]}, ValueError, "agent"),
        ({"agents": ["random"] * 4}, ValueError, "agent"),
        ({"agents": []}, ValueError, "agent"),
        ({"agents": "clairvoyant"}, ValueError, "clairvoyant"),
        ({"agents": 5}, TypeError, "agents must be"),
        ({"agents": ["random", 5, "random"]}, TypeError, "an agent must be"),
        ({"seed": -1}, ValueError, "seed"),
        ({"seed": 2**64}, ValueError, "seed"),
        ({"first_game": -1}, ValueError, "first_game"),
        ({"num_threads": 0}, ValueError, "num_threads"),
        ({"num_threads": -1}, ValueError, "num_threads"),
        ({"preset": "no_such_preset"}, ValueError, "no_such_preset"),
        ({"rules": {"no_such_option": 1}}, ValueError, "no_such_option"),
        ({"progress": 3}, TypeError, "progress must be"),
        ({"game": "no_such_game"}, ValueError, "no_such_game"),
        ({"game": 5}, TypeError, "game must be"),
        ({"num_games": "many"}, TypeError, "num_games"),
        ({"num_games": 2.5}, TypeError, "num_games"),
    ],
)
def test_bad_arguments(arguments: dict[str, Any], error: type[Exception], sentence: str) -> None:
    with pytest.raises(error, match=sentence):
        sarai.rollout(**{"game": "sho", "num_games": 10, **arguments})


def test_rules_belong_to_a_name_not_to_a_game_object() -> None:
    game = sarai.make("sho", players=2)
    with pytest.raises(ValueError, match="leave it out"):
        sarai.rollout(game, 10, rules={"players": 3})
    with pytest.raises(ValueError, match="leave it out"):
        sarai.rollout(game, 10, preset="basic")
    assert sarai.rollout(game, 10) == sarai.rollout("sho", 10, rules={"players": 2})


def test_numpys_bools_say_whether_there_is_a_bar() -> None:
    quiet: Any = np.False_
    assert sarai.rollout("sho", 3, progress=quiet) == sarai.rollout("sho", 3, progress=False)


def raising(observations: Observations, masks: Masks) -> NDArray[np.intp]:
    raise ZeroDivisionError("the policy's own")


@pytest.mark.parametrize(
    ("policy", "error"),
    [
        (raising, ZeroDivisionError),
        (lambda observations, masks: masks.argmax(axis=1)[:-1], ValueError),
        (lambda observations, masks: masks.argmax(axis=1)[:, None], ValueError),
        (lambda observations, masks: masks.argmax(axis=1).astype(np.float64), TypeError),
        (lambda observations, masks: masks.argmin(axis=1), sarai.IllegalActionError),
        (lambda observations, masks: masks.argmax(axis=1) - 1000, sarai.IllegalActionError),
        (lambda observations, masks: masks.argmax(axis=1) + 2**40, sarai.IllegalActionError),
    ],
)
def test_policies_that_fail(policy: Callable[..., NDArray[Any]], error: type[Exception]) -> None:
    with pytest.raises(error) as caught:
        sarai.rollout("sho", 10, policy)
    assert str(caught.value)


def test_progress_is_reported_to_a_callable() -> None:
    seen: list[int] = []
    sarai.rollout("sho", 50, progress=seen.append)
    assert seen[-1] == 50
    assert seen == sorted(seen)


def test_progress_is_silent_when_nobody_watches(capfd: pytest.CaptureFixture[str]) -> None:
    sarai.rollout("sho", 50, progress=True)
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("name", ["plain.npz", "no_ending", "other.bin"])
def test_save_and_load(played: sarai.Rollout, tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_text("an older file")
    played.save(path)
    assert [file.name for file in tmp_path.iterdir()] == [name]
    loaded = sarai.load(path)
    assert loaded == played
    assert loaded.seconds == played.seconds
    assert list(loaded.stats) == list(played.stats)
    assert sarai.load(str(path)) == played


def test_a_saved_rollout_is_plain_numpy_and_json(played: sarai.Rollout, tmp_path: Path) -> None:
    played.save(tmp_path / "r.npz")
    with np.load(tmp_path / "r.npz", allow_pickle=False) as file:
        assert np.array_equal(file["returns"], played.returns)
        metadata = json.loads(str(file["metadata"]))
    assert metadata["rules"] == played.rules
    assert metadata["agents"] == MIXED


def test_save_leaves_nothing_behind_when_it_fails(played: sarai.Rollout, tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="missing"):
        played.save(tmp_path / "missing" / "r.npz")
    with pytest.raises(IsADirectoryError):
        played.save(tmp_path)
    if Path("/dev/full").exists():
        with pytest.raises(OSError, match="No space left"):
            played.save("/dev/full")
        assert not Path("/dev/full").is_file()
    assert list(tmp_path.iterdir()) == []


def broken_files(played: sarai.Rollout, folder: Path) -> dict[str, Path]:
    """Files that are no rollout, each in its own way."""
    files = {name: folder / name for name in ("empty", "text", "pickle", "cut", "npy", "npz", "brackets")}
    files["empty"].write_bytes(b"")
    files["text"].write_text("games: 100")
    files["pickle"].write_bytes(pickle.dumps({"returns": [1]}))
    played.save(files["cut"])
    files["cut"].write_bytes(files["cut"].read_bytes()[:-200])
    with files["npy"].open("wb") as file:
        np.save(file, np.arange(3))
    with files["npz"].open("wb") as file:
        np.savez(file, returns=np.arange(3))
    with files["brackets"].open("wb") as file:
        np.savez(file, metadata=np.array("[" * 10_000_000))
    return files


def test_load_refuses_what_is_no_rollout(played: sarai.Rollout, tmp_path: Path) -> None:
    for name, path in broken_files(played, tmp_path).items():
        with pytest.raises(ValueError, match="was not written by Sarai, or is damaged") as caught:
            sarai.load(path)
        assert name in str(caught.value)
        # numpy's advice for a file that it takes for a pickle.
        assert "allow_pickle" not in str(caught.value)
    with pytest.raises(FileNotFoundError):
        sarai.load(tmp_path / "missing.npz")


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"winner": None}, "no array 'winner'"),
        ({"winner": np.zeros(4, np.int64)}, "winner must be int8"),
        ({"lengths": np.zeros(4, np.int32)}, "lengths must be int32 of shape"),
        ({"game": 7}, "no valid 'game'"),
        ({"seed": True}, "no valid 'seed'"),
        ({"agents": ["random"]}, "sides must be"),
        ({"version": 99}, "layout version 99"),
        ({"format": "sarai.trajectories"}, "which no trajectories has"),
        (
            {"format": "sarai.else"},
            "it holds sarai.else; this version of Sarai reads rollout, trajectories, series",
        ),
        ({"format": "else"}, "does not say what it is"),
    ],
)
def test_load_refuses_changed_files(
    played: sarai.Rollout, tmp_path: Path, change: dict[str, Any], sentence: str
) -> None:
    path = tmp_path / "r.npz"
    played.save(path)
    with np.load(path) as file:
        arrays = {name: file[name] for name in file.files}
    metadata = json.loads(str(arrays.pop("metadata")))
    for name, value in change.items():
        if value is None:
            del arrays[name]
        elif name in arrays:
            arrays[name] = value
        else:
            metadata[name] = value
    with path.open("wb") as stream:
        np.savez(stream, metadata=np.array(json.dumps(metadata)), **arrays)
    with pytest.raises(ValueError, match="r.npz.*" + sentence):
        sarai.load(path)


def test_equality_copy_and_pickle(played: sarai.Rollout) -> None:
    again = sarai.rollout("sho", num_games=300, agents=MIXED, seed=7)
    assert again == played
    assert again.seconds > 0
    for twin in (copy.copy(played), copy.deepcopy(played), pickle.loads(pickle.dumps(played))):
        assert twin == played
    changed = copy.deepcopy(played)
    changed.stats_by_seat["kills"][5, 0] += 1
    assert changed != played
    assert dataclasses.replace(played, first_game=1) != played
    assert played != "a rollout"
    with pytest.raises(TypeError, match="unhashable"):
        hash(played)


@pytest.mark.parametrize(
    ("wrong", "error", "sentence"),
    [
        ({"game": 3}, TypeError, "game must be the name of a game, not int"),
        ({"rules": [("players", 3)]}, TypeError, "rules must be a dict of options, not list"),
        ({"stats_by_seat": 7}, TypeError, "stats_by_seat must be a dict of arrays, not int"),
        ({"records": []}, TypeError, "records must be a dict of records, not list"),
        ({"sides": (0, 1, 3)}, ValueError, "one side for each of 3 seats"),
    ],
)
def test_fields_that_are_none(
    played: sarai.Rollout, wrong: dict[str, Any], error: type[Exception], sentence: str
) -> None:
    with pytest.raises(error, match=sentence):
        dataclasses.replace(played, **wrong)


def test_repr(played: sarai.Rollout) -> None:
    assert repr(played) == (
        "Rollout('sho', 300 games, agents=('greedy', 'random', 'random'), seed=7, first_game=0)"
    )


def test_to_pandas() -> None:
    pytest.importorskip("pandas")
    r = sarai.rollout("sho", num_games=30, agents=MIXED, seed=7, first_game=12)
    frame = r.to_pandas()
    assert frame["number"].tolist() == list(range(12, 42))
    first = ["game", "preset", "seed", "number", "agent_0", "agent_1", "agent_2", "winner", "length", "turns"]
    assert frame.columns.tolist()[:13] == [*first, "return_0", "return_1", "return_2"]
    assert frame["length"].tolist() == r.lengths.tolist()
    assert frame["kills"].tolist() == r.stats["kills"].tolist()
    for seat in range(3):
        assert frame[f"return_{seat}"].tolist() == r.returns[:, seat].tolist()
        assert frame[f"kills_{seat}"].tolist() == r.stats_by_seat["kills"][:, seat].tolist()


def test_to_pandas_names_what_is_missing(played: sarai.Rollout, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(ImportError, match=r'pip install "sarai\[pandas\]"'):
        played.to_pandas()


def test_plot_writes_a_picture(played: sarai.Rollout, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    played.plot(tmp_path / "sho.svg")
    assert "<svg" in (tmp_path / "sho.svg").read_text()
