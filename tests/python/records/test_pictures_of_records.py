"""Records as GIF files and as arrays, and pictures that are saved."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

import sarai
from sarai.render import draw, set_theme


@pytest.mark.parametrize("name", sarai.games())
def test_observations_are_what_each_decision_saw(name: str) -> None:
    record = sarai.Record.play(name, "greedy", seed=2)
    states = [state for state in record.states() if state.current_player() >= 0]
    seen = [np.array(state.observation_tensor(state.current_player())) for state in states]
    np.testing.assert_array_equal(record.observations(), seen)
    of_one = [np.array(state.observation_tensor(1)) for state in states]
    np.testing.assert_array_equal(record.observations(1), of_one)
    assert len(record.decisions) == len(states)
    assert record.observations().dtype == np.int8
    empty = sarai.Record.from_steps(name, [])
    assert empty.observations().shape == (0, seen[0].size)


def test_a_gif_shows_every_position(tmp_path: Path) -> None:
    record = sarai.Record.from_steps("shah", [4, 19, 2, 7])
    path = tmp_path / "game.gif"
    told: list[int] = []
    record.gif(path, width=64, seconds_per_frame=0.1, progress=told.append)
    with Image.open(io.BytesIO(path.read_bytes())) as image:
        assert (image.format, getattr(image, "n_frames", 1)) == ("GIF", 5)
    assert told == [0, 1, 2, 3, 4, 5]
    before = path.read_bytes()
    with pytest.raises(ValueError, match="seconds_per_frame must be"):
        record.gif(path, seconds_per_frame=0, progress=False)
    with pytest.raises(FileNotFoundError):
        record.gif(tmp_path / "no" / "game.gif", progress=False)
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


def test_pictures_are_saved(tmp_path: Path) -> None:
    board = draw(sarai.make("sho").new_initial_state())
    board.save(tmp_path / "board.svg")
    assert (tmp_path / "board.svg").read_text(encoding="utf-8") == board
    board.save(tmp_path / "board.PNG", width=50)
    with Image.open(tmp_path / "board.PNG") as image:
        assert image.size[0] == 50
    with pytest.raises(ValueError, match=r"a picture is written as \.svg or \.png"):
        board.save(tmp_path / "board.jpg")
    with pytest.raises(ValueError, match="width must be"):
        board.save(tmp_path / "new.png", width=1)
    assert not (tmp_path / "new.png").exists()


def test_the_theme_holds_where_none_is_given() -> None:
    state = sarai.make("tshupu").new_initial_state()
    record = sarai.Record.from_steps("shah", [4])
    light = draw(state), record.animate(), record._repr_svg_()
    set_theme("dark")
    try:
        dark = draw(state), record.animate(), record._repr_svg_()
        assert dark[:2] == (draw(state, theme="dark"), record.animate(theme="dark"))
        assert draw(state, theme="light") == light[0]
        with pytest.raises(ValueError, match="theme must be 'light' or 'dark', got 'blue'"):
            set_theme("blue")
        assert draw(state) == dark[0]
    finally:
        set_theme("light")
    assert all(one != other for one, other in zip(light, dark, strict=True))
    assert (draw(state), record.animate(), record._repr_svg_()) == light
