"""Datasets in Minari's format, read back by Minari."""

# ruff: noqa: E402
from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

minari = pytest.importorskip("minari")
pytest.importorskip("h5py")

import gymnasium

import sarai

pytestmark = [pytest.mark.heavy, pytest.mark.nightly]
AGENTS = ["greedy", "random"]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("MINARI_DATASETS_PATH", str(tmp_path / "minari"))
    return tmp_path / "d"


def made(folder: Path, name: str, games: int = 40, **how: Any) -> sarai.datasets.Dataset:
    game = sarai.make(name, max_turns=60)
    agents = (AGENTS * 2)[: game.num_players]
    given: dict[str, Any] = {"what": "trajectories", "chunk_games": 15, "seed": 7, **how}
    return sarai.dataset(game, agents, games, out=folder, **given)


@pytest.mark.parametrize("name", sarai.games())
def test_minari_reads_what_was_played(name: str, folder: Path) -> None:
    dataset = made(folder, name)
    dataset.to_minari(f"test/{name}-v0")
    # As a user finds it, in another process or on another day.
    found = minari.load_dataset(f"test/{name}-v0")
    game = dataset.game
    played = sarai.trajectories(game, list(dataset.agents), dataset.num_games, seed=7)
    ends = sarai.rollout(game, list(dataset.agents), dataset.num_games, seed=7)
    rows = next(dataset.batches(batch_size=dataset.num_rows))
    assert found.total_steps == played.num_decisions
    assert list(minari.list_local_datasets()) == [f"test/{name}-v0"]
    seen = set()
    for episode in found.iterate_episodes():
        metadata = found.storage.get_episode_metadata([episode.id])
        (about,) = metadata
        number, seat = int(about["number"]), int(about["seat"])
        seen.add((number, seat))
        mine = (rows["number"] == number) & (rows["seat"] == seat)
        steps = int(mine.sum())
        assert about["agent"] == dataset.agents[seat]
        assert len(episode) == about["total_steps"] == steps
        assert np.array_equal(episode.actions, rows["action"][mine])
        assert np.array_equal(episode.observations["observation"][:-1], rows["observation"][mine])
        assert np.array_equal(episode.observations["action_mask"][:-1], rows["mask"][mine])
        last = rows["final_observation"][mine & rows["last_of_seat"]]
        assert np.array_equal(episode.observations["observation"][-1:], last)
        assert not episode.observations["action_mask"][-1].any()
        assert episode.rewards[-1] == ends.returns[number, seat]
        assert not episode.rewards[:-1].any()
        assert episode.terminations.tolist() == [False] * (steps - 1) + [True]
        assert not episode.truncations.any()
        observation = {key: values[0] for key, values in episode.observations.items()}
        assert found.observation_space.contains(observation)
        assert found.action_space.contains(episode.actions[0])
    assert found.total_episodes == len(seen) == len(set(zip(rows["number"], rows["seat"], strict=True)))


def test_minari_recovers_the_environment_of_a_seat(folder: Path) -> None:
    found = made(folder, "shuanglu").to_minari("test/shuanglu-v0", seat=1)
    env = found.recover_environment()
    inner = env.unwrapped
    assert isinstance(inner, sarai.SingleAgentEnv)
    assert str(inner.game) == "shuanglu(max_turns=60)"
    assert isinstance(env, gymnasium.Env)
    assert env.observation_space == found.observation_space
    episode = next(iter(found.iterate_episodes()))
    observation, info = env.reset(seed=1)
    assert info["side"] == 1
    assert observation.keys() == episode.observations.keys()
    assert found.total_episodes == 40


def test_minari_samples_and_filters(folder: Path) -> None:
    found = made(folder, "shah", random_plies=4).to_minari("test/shah-v0")
    found.set_seed(1)
    assert len(list(found.sample_episodes(5))) == 5
    won = found.filter_episodes(lambda episode: episode.rewards[-1] == 1)
    assert 0 < won.total_episodes < found.total_episodes
    with pytest.raises(ValueError, match="test/shah-v0"):
        made(folder, "shah", random_plies=4).to_minari("test/shah-v0")
