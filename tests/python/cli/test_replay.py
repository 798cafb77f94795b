"""`sarai replay`: a whole game as boards, as JSON and as an animation."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

import sarai
from sarai._cli import main
from sarai._records.picture import last_moves
from sarai._render.animation import animate
from sarai._render.text import board
from sarai.records import Match

Captured = pytest.CaptureFixture[str]
Run = Callable[..., str]


def kept(name: str, folder: Path, ending: str = "json") -> tuple[sarai.Record, str]:
    """A short finished game in a file."""
    record = sarai.Record.play(sarai.make(name, rules={"max_turns": 8}), "random", seed=3)
    file = folder / f"game.{ending}"
    record.save(file)
    return record, str(file)


@pytest.mark.parametrize(
    ("name", "ending"), [("sho", "json"), ("shah", "txt"), ("tshupu", "txt"), ("shuanglu", "json")]
)
def test_the_whole_game(name: str, ending: str, tmp_path: Path, capsys: Captured, run: Run) -> None:
    record, file = kept(name, tmp_path, ending)
    assert main(["replay", file]) == 0
    out, errors = capsys.readouterr()
    assert errors == ""
    assert "\x1b" not in out
    title = f"{name}(max_turns=8), {len(record)} steps, seed 3, game 0: player 0 (random), player 1"
    assert out.startswith(title)
    parts = out.split("\n--- after ")
    states = record.states()
    numbers = []
    for part in parts[1:]:
        heading, *lines = part.splitlines()
        number = int(heading.split()[0])
        assert heading == f"{number} of {len(record)} steps ---"
        numbers.append(number)
        drawn = board(states[number].view())
        assert "\n".join(drawn) in part
        told = " ".join(lines[: lines.index(drawn[0])])
        between = range(numbers[-2] if len(numbers) > 1 else 0, number)
        for step in (record.steps[i] for i in between):
            assert step.name in told
    # Every position is there in which somebody is to choose, and the first and the last.
    choices = {i for i, step in enumerate(record.steps) if step.player != sarai.CHANCE}
    assert numbers == sorted(choices | {0, len(record)})
    assert " ".join(parts[-1].split()).count("The game is over: player 0 (random) ") == 1
    assert run(["replay", file, "--all"]) == out


def test_a_game_of_a_match(tmp_path: Path, run: Run) -> None:
    records = [
        sarai.Record.play("shuanglu(preset=backgammon,max_turns=8)", "random", seed=seed) for seed in (1, 2)
    ]
    file, alone = str(tmp_path / "two.mat"), str(tmp_path / "one.mat")
    Match.from_records(records).save(file)
    Match.from_records(records[1:]).save(alone)
    assert run(["replay", file, "--game", "2"]) == run(["replay", alone])
    words = ["--agent", "greedy", "--seed", "3"]
    assert run(["analyse", file, "--game", "2", *words]) == run(["analyse", alone, *words])
    assert "--game N" in run(["replay", file], 2)
    assert "the games 1 to 2" in run(["analyse", file, "--game", "3"], 2)
    assert "--game is for a match" in run(["replay", kept("shah", tmp_path)[1], "--game", "1"], 2)


def test_a_part(tmp_path: Path, run: Run) -> None:
    record, file = kept("shah", tmp_path)
    out = run(["replay", file, "--from", "3", "--to", "5"])
    assert [line.split()[2] for line in out.splitlines() if line.startswith("--- after ")] == ["3", "4", "5"]
    assert f"plays {record.names[2]}" in out
    assert f"plays {record.names[1]}\n" not in out
    assert "game is over" not in out
    # Between the dice and the choice there is nothing to see, unless it is asked for.
    dice, file = kept("sho", tmp_path)
    assert dice.steps[2].player == sarai.CHANCE
    assert "--- after 2 of" in run(["replay", file, "--from", "2", "--to", "2"])


def test_an_unfinished_game_without_labels(tmp_path: Path, run: Run) -> None:
    file = tmp_path / "game.txt"
    sarai.Record.from_steps("shah", [4, 19]).save(file)
    out = run(["replay", str(file)])
    assert out.startswith("shah, 2 steps: player 0, player 1\n")
    assert out.splitlines()[-1] == "The record ends here; the game is unfinished."


def test_labels_cannot_control_the_terminal(tmp_path: Path, run: Run) -> None:
    file = tmp_path / "game.json"
    sarai.Record.from_steps("shah", [4, 19], agents=["\x1b[2J\nx", "y" * 1000]).save(file)
    out = run(["replay", str(file)])
    assert "\x1b" not in out
    assert r"player 0 (\x1b[2J\nx)" in out
    assert max(map(len, out.splitlines())) <= 78


@pytest.mark.parametrize("name", ["sho", "shah", "nothing"])
def test_json(name: str, tmp_path: Path, run: Run) -> None:
    if name == "nothing":
        record, file = sarai.Record.from_steps("shah", []), str(tmp_path / "game.json")
        record.save(file)
    else:
        record, file = kept(name, tmp_path)
    found = json.loads(run(["replay", file, "--json"]))
    stored = json.loads(record.to_json())
    for key in ("game", "rules", "seed", "number", "agents", "result"):
        assert found.pop(key) == stored[key]
    states = record.states()
    assert found.pop("start") == str(states[0])
    assert found == {
        "steps": [
            {**step._asdict(), "position": str(state)}
            for step, state in zip(record.steps, states[1:], strict=True)
        ]
    }


@pytest.mark.parametrize("name", ["sho", "shah"])
def test_an_animation(name: str, tmp_path: Path, run: Run) -> None:
    record, file = kept(name, tmp_path)
    out = tmp_path / "game.svg"
    words = ["replay", file, "--svg", str(out)]
    assert run([*words, "--theme", "dark", "--seconds", "0.5"]) == f"wrote {out}\n"
    expected = record.animate(theme="dark", seconds_per_frame=0.5)
    assert out.read_text(encoding="utf-8") == expected
    assert main([*words, "--from", "2", "--to", "5"]) == 0
    assert out.read_text(encoding="utf-8") == animate(record.states()[2:6], last=last_moves(record)[2:6])


def test_a_page(tmp_path: Path, run: Run) -> None:
    record, file = kept("sho", tmp_path)
    out, whole = tmp_path / "game.html", tmp_path / "whole.html"
    assert (
        run(["replay", file, "--html", str(out), "--theme", "dark", "--seconds", "0.5"]) == f"wrote {out}\n"
    )
    record.page(whole, theme="dark", seconds_per_frame=0.5)
    assert out.read_bytes() == whole.read_bytes()
    assert main(["replay", file, "--html", str(out), "--from", "2", "--to", "5"]) == 0
    text = out.read_text(encoding="utf-8")
    assert animate(record.states()[2:6], last=last_moves(record)[2:6]) in text
    assert "The beginning" not in text


def test_an_animation_in_pixels(tmp_path: Path, run: Run) -> None:
    pytest.importorskip("resvg_py")
    image = pytest.importorskip("PIL.Image")
    _, file = kept("shah", tmp_path)
    gif, svg = tmp_path / "game.gif", tmp_path / "game.svg"
    assert (
        run(["replay", file, "--gif", str(gif), "--svg", str(svg), "--to", "4"])
        == f"wrote {svg}\nwrote {gif}\n"
    )
    with image.open(gif) as opened:
        assert opened.n_frames == 5
