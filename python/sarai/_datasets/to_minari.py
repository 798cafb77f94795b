"""Datasets in Minari's format on disk: one HDF5 file with a group for each episode, and metadata in JSON."""

from __future__ import annotations

import json
import os
import re
import shutil
import warnings
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sarai._base import arguments
from sarai._base.extras import needed
from sarai._base.progress import ProgressOption, shown
from sarai._core import check_agents, describe_json
from sarai._datasets import reading

if TYPE_CHECKING:
    import minari

    from sarai._datasets.opened import Dataset

_ID = re.compile(r"([-\w]+/)*[-\w]+-v\d+")
_COLUMNS = ["number", "seat", "observation", "mask", "action", "return", "last_of_seat", "final_observation"]


class _Episode(NamedTuple):
    """A game as one seat sees it: n decisions, and the end."""

    number: int
    seat: int
    observations: NDArray[np.int8]
    masks: NDArray[np.int8]
    actions: NDArray[np.int32]
    reward: np.float32
    """The last one; all others are 0."""


def write(
    dataset: Dataset, dataset_id: str, seat: int | None, progress: ProgressOption
) -> minari.MinariDataset:
    """See `Dataset.to_minari`."""
    if not isinstance(dataset_id, str):
        raise TypeError(f"dataset_id must be a str such as 'sarai/shah-v0', not {type(dataset_id).__name__}")
    if not _ID.fullmatch(dataset_id):
        raise ValueError(
            f"dataset_id got {arguments.short(dataset_id)}; it takes a name such as 'sarai/shah-v0'"
        )
    game = dataset.game
    if seat is not None:
        seat = arguments.between("seat", seat, 0, game.num_players - 1)
    if dataset.asked["what"] != "trajectories":
        raise ValueError(
            "Minari needs every decision: make the dataset with what='trajectories', not "
            f"{arguments.short(dataset.asked['what'])}"
        )
    if missing := set(_COLUMNS) - set(dataset._schema().names):
        raise ValueError(
            f"this dataset has no column {sorted(missing)[0]!r}, because an earlier version of Sarai made it: make it "
            "again in another folder"
        )
    with needed("to_minari()", "minari", "minari", "h5py", "PIL"):
        import gymnasium
        import h5py
        import minari
        import PIL  # noqa: F401  (Minari asks for it only when it opens the file)

        from sarai._envs.spaces import View
    with shown(progress, "to_minari", dataset.num_games) as report, warnings.catch_warnings():
        # It warns of each thing that it was not told; its user may tell it later, by `storage.update_metadata`.
        warnings.simplefilter("ignore", UserWarning)
        found = minari.create_dataset_from_buffers(
            dataset_id,
            [],
            _environment(dataset, seat),
            observation_space=View(game).space,
            action_space=gymnasium.spaces.Discrete(game.num_actions),
            algorithm_name=", ".join(
                dict.fromkeys(dataset.agents if seat is None else [dataset.agents[seat]])
            ),
            description=f"{dataset.num_games:,} games of {game} from game {dataset.asked['first_game']:,} of seed "
            f"{dataset.seed} on, played by {', '.join(dataset.agents)}. An episode is a game as one seat sees it.",
            requirements=[f"sarai=={dataset.made_with['sarai']}"],
            data_format="hdf5",
        )
        folder = str(found.storage.data_path)
        try:
            episodes = steps = done = 0
            with h5py.File(os.path.join(folder, "main_data.hdf5"), "w", track_order=True) as file:
                for part in dataset.parts:
                    for episode in _episodes(reading.groups(dataset.folder, [part]), seat):
                        agent = dataset.agents[episode.seat]
                        _fill(file.create_group(f"episode_{episodes}"), episodes, episode, agent)
                        episodes += 1
                        steps += len(episode.actions)
                    done += part.games
                    if report is not None:
                        report(done)
            size = round(sum(entry.stat().st_size for entry in os.scandir(folder)) / 1e6, 1)
            found.storage.update_metadata(
                {"total_episodes": episodes, "total_steps": steps, "dataset_size": size}
            )
        except BaseException:
            shutil.rmtree(os.path.dirname(folder))
            raise
    return minari.load_dataset(dataset_id)


def _episodes(groups: list[reading.Group], seat: int | None) -> Iterator[_Episode]:
    """The episodes of a part, game by game."""
    rows = next(reading.batches(groups, _COLUMNS, sum(group.rows for group in groups), None, 1, False), None)
    if rows is None:
        return
    here = np.lexsort((rows["seat"], rows["number"]))
    if seat is not None:
        here = here[rows["seat"][here] == seat]
    ends = np.flatnonzero(rows["last_of_seat"][here]) + 1
    for begin, end in zip([0, *ends[:-1]], ends, strict=True):
        place, last = here[begin:end], here[end - 1]
        masks = rows["mask"][place].view(np.int8)
        yield _Episode(
            int(rows["number"][last]),
            int(rows["seat"][last]),
            np.concatenate([rows["observation"][place], rows["final_observation"][last : last + 1]]),
            np.concatenate([masks, np.zeros_like(masks[:1])]),
            rows["action"][place],
            rows["return"][last],
        )


def _fill(group: Any, index: int, episode: _Episode, agent: str) -> None:
    steps = len(episode.actions)
    rewards, over = np.zeros(steps, np.float32), np.zeros(steps, np.bool_)
    rewards[-1], over[-1] = episode.reward, True
    seen = group.create_group("observations")
    seen.create_dataset("observation", data=episode.observations)
    seen.create_dataset("action_mask", data=episode.masks)
    group.create_dataset("actions", data=episode.actions.astype(np.int64))
    group.create_dataset("rewards", data=rewards)
    group.create_dataset("terminations", data=over)
    group.create_dataset("truncations", data=np.zeros(steps, np.bool_))
    group.create_group("infos")
    group.attrs.update(id=index, total_steps=steps, number=episode.number, seat=episode.seat, agent=agent)


def _environment(dataset: Dataset, seat: int | None) -> Any:
    """The environment in which this seat's episodes are played, if they all are and there is one."""
    import gymnasium

    asked, agents = dataset.asked, list(dataset.agents)
    if seat is None or asked["start"] is not None or asked["random_plies"]:
        return None
    try:
        check_agents(dataset.game, agents)
    except (ValueError, OSError):
        # The label of a policy, or of a network whose file is elsewhere, makes no opponent.
        return None
    del agents[seat]
    spec = gymnasium.spec(f"sarai/{json.loads(describe_json(dataset.game.name))['id']}-v0")
    spec.kwargs = {"game": asked["game"], "seat": seat, "opponents": agents}
    return spec
