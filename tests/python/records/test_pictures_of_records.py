"""Records as GIF files and as arrays, and pictures that are saved."""

from __future__ import annotations

import io
import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

import sarai
from sarai._records import picture
from sarai._records.picture import page_of
from sarai.render import draw, set_theme


@pytest.mark.parametrize("name", ["sho", "shah"])
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


def test_a_page_says_what_led_to_each_position(tmp_path: Path) -> None:
    record = sarai.Record.from_steps("sho", [4, 0, 8])
    path = tmp_path / "game.html"
    record.page(path)
    text = path.read_text(encoding="utf-8")
    assert labels(text) == ["The beginning", "[1-5]", "player 0: hand/6", "[2-4]"]
    assert record.animate() in text
    assert "<h1>sho: 3 steps, 1 turn, unfinished</h1>" in text
    game = sarai.Record.play("shuanglu", ["greedy", "random"], seed=3)
    game.page(path, by_turn=True, theme="dark")
    text = path.read_text(encoding="utf-8")
    told = labels(text)
    assert f"{len(told)} positions. " in text
    # Every step is told of once, in order.
    said = [word for line in told[1:] for word in re.findall(r"(?:: |, |\[)([^],;]+)", line)]
    assert said == game.names
    assert "<p>seed 3, game 0; 0: greedy, 1: random</p>" in text


def test_a_part_of_a_game_begins_with_the_step_before_it() -> None:
    record = sarai.Record.from_steps("shah", [4, 19, 2])
    assert labels(page_of(record, [2, 3], {})) == ["player 1: d2", "player 0: g7"]


def labels(text: str) -> list[str]:
    """What a page says of each position."""
    found = re.search(r'id="game">(.*?)</script>', text)
    assert found
    told: list[str] = json.loads(found[1])["labels"]
    return told


def test_pictures_are_saved(tmp_path: Path) -> None:
    board = draw(sarai.make("sho").new_initial_state())
    board.save(tmp_path / "board.svg")
    assert (tmp_path / "board.svg").read_text(encoding="utf-8") == board
    board.save(tmp_path / "board.PNG", width=50)
    with Image.open(tmp_path / "board.PNG") as image:
        assert image.size[0] == 50
    with pytest.raises(ValueError, match=r"a picture is written as \.svg, \.png or \.pdf"):
        board.save(tmp_path / "board.jpg")
    with pytest.raises(ValueError, match=r"got 'a{900}") as refused:
        board.save("a" * 20_000)
    assert len(str(refused.value)) < 4000
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
        with pytest.raises(ValueError, match="theme must be 'light', 'dark' or 'print', got 'blue'"):
            set_theme("blue")
        assert draw(state) == dark[0]
    finally:
        set_theme("light")
    assert all(one != other for one, other in zip(light, dark, strict=True))
    assert (draw(state), record.animate(), record._repr_svg_()) == light


def test_a_gif_by_turn_marks_the_last_move_of_each_position(monkeypatch: pytest.MonkeyPatch) -> None:
    given: dict[str, Any] = {}
    record = sarai.Record.play("sho", "greedy", seed=3)
    places = picture.places_of(record, True)
    assert len(places) < len(record)

    def gif(states: Any, **options: Any) -> bytes:
        given.update(options, states=list(map(str, states)))
        return b""

    monkeypatch.setattr(picture.pixels, "gif", gif)
    picture.gif(record, True, False, {})
    last = picture.last_moves(record)
    assert given["last"] == [last[place] for place in places]
