"""`sarai show` and `sarai perft`."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import sarai
from sarai._cli import main
from sarai._render.text import board
from sarai.render import draw

Captured = pytest.CaptureFixture[str]
Run = Callable[..., str]


def some_state(game: str, preset: str | None = None) -> sarai.State:
    return sarai.make(game, preset=preset).sample_states(num_games=1, seed=1)[0]


@pytest.mark.parametrize("name", sarai.games())
def test_show(name: str, tmp_path: Path, run: Run) -> None:
    state = some_state(name)
    file = tmp_path / "position"
    as_json = tmp_path / "position.json"
    file.write_text(f"{state}\n", encoding="utf-8")
    as_json.write_text(state.to_json(), encoding="utf-8")
    printed = [*board(state.view()), "", str(state)]
    for given in (str(state), str(file), str(as_json), state.to_json()):
        assert run(["show", name, given]).splitlines() == printed
    assert run(["show", name]).splitlines()[-1] == str(sarai.make(name).new_initial_state())


@pytest.mark.parametrize("name", sarai.games())
def test_show_as_json_and_as_a_drawing(name: str, tmp_path: Path, run: Run) -> None:
    state = some_state(name)
    found = json.loads(run(["show", name, str(state), "--json"]))
    assert found["position"] == str(state)
    assert found["view"] == json.loads(json.dumps(state.view()))
    assert found["current_player"] == state.current_player()
    assert found["legal_actions"] == [state.action_to_string(a) for a in state.legal_actions()]
    drawing = tmp_path / "x.svg"
    assert run(["show", name, str(state), "--out", str(drawing), "--theme", "dark"]) == f"wrote {drawing}\n"
    assert drawing.read_text(encoding="utf-8") == draw(state.view(), theme="dark")


def test_a_drawing_has_the_options_of_draw(tmp_path: Path, run: Run) -> None:
    drawing = tmp_path / "x.svg"
    words = ["show", "shah", "--out", str(drawing)]
    run(
        [
            *words,
            *("--theme", "print", "--size", "300", "--orientation", "1", "--board-only", "--no-coordinates"),
            *(
                "--arrow",
                "d6:d5",
                "--arrow",
                "a1:a4:red",
                "--arrow",
                "b4",
                "--highlight",
                "g7",
                "--highlight",
                "g4=green",
            ),
            *("--label", "a7=?", "--move", "d6", "--move", "d2", "--names", "Ada, Bo"),
        ]
    )
    assert drawing.read_text(encoding="utf-8") == draw(
        sarai.make("shah").new_initial_state(),
        theme="print",
        size=300,
        orientation=1,
        board_only=True,
        coordinates=False,
        arrows=[("d6", "d5"), ("a1", "a4", "red"), "b4"],
        highlight={"g7": "orange", "g4": "green"},
        labels={"a7": "?"},
        moves=["d6", "d2"],
        names=["Ada", "Bo"],
    )
    assert "no place 'h1'" in run([*words, "--highlight", "h1"], 2)
    assert "--label" in run([*words, "--label", "a7"], 2)
    assert "orientation" in run([*words, "--orientation", "2"], 2)
    assert "--arrow" in run(["show", "shah", "--arrow", "a7:a1"], 2)


@pytest.mark.parametrize(("ending", "begins"), [(".png", b"\x89PNG"), (".PDF", b"%PDF-")])
def test_show_as_png_and_pdf(ending: str, begins: bytes, tmp_path: Path, run: Run) -> None:
    pytest.importorskip("resvg_py")
    pytest.importorskip("reportlab")
    drawings = [tmp_path / f"{name}{ending}" for name in "xy"]
    for drawing in drawings:
        assert run(["show", "shah", "--out", str(drawing)]) == f"wrote {drawing}\n"
    one, two = (drawing.read_bytes() for drawing in drawings)
    assert one.startswith(begins)
    assert one == two


def test_pixels_need_packages(tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    assert "sarai[render]" in run(["show", "shah", "--out", str(tmp_path / "x.png")], 1)
    assert not list(tmp_path.iterdir())


def test_nothing_is_legal_before_the_dice(run: Run) -> None:
    assert json.loads(run(["show", "sho", "--json"]))["legal_actions"] == []


def test_a_position_belongs_to_its_rules(run: Run) -> None:
    state = some_state("sho", "teams")
    assert "players 0, 2" in run(["show", "sho", str(state), "--preset", "teams"])
    assert run(["show", "sho", str(state)], 2).count("\n") == 1


@pytest.mark.parametrize("name", sarai.games())
def test_perft(name: str, run: Run) -> None:
    state = some_state(name)
    for words, start in (([], sarai.make(name).new_initial_state()), (["--position", str(state)], state)):
        counts = [start.perft(depth) for depth in (1, 2, 3)]
        lines = run(["perft", name, "3", *words]).splitlines()
        assert [line.split() for line in lines] == [[str(d), str(n)] for d, n in enumerate(counts, 1)]
        found = json.loads(run(["perft", name, "3", *words, "--json"]))
        assert found["counts"] == [{"depth": d, "count": n} for d, n in enumerate(counts, 1)]
        assert (found["position"], found["rules"]) == (str(start), sarai.make(name).rules)


def test_perft_of_other_rules(capsys: Captured) -> None:
    assert main(["perft", "shah", "7", "--preset", "nine_mens_morris", "--option", "max_turns=2"]) == 0
    game = sarai.make("shah", preset="nine_mens_morris", max_turns=2)
    lines = capsys.readouterr().out.splitlines()
    assert lines[-1].split() == ["7", str(game.new_initial_state().perft(7))]


def test_ctrl_c_ends_a_count_with_130(monkeypatch: pytest.MonkeyPatch, capsys: Captured) -> None:
    def interrupted(state: sarai.State, depth: int) -> int:
        if depth == 2:
            raise KeyboardInterrupt
        return perft(state, depth)

    perft = sarai.State.perft
    monkeypatch.setattr(sarai.State, "perft", interrupted)
    assert main(["perft", "shah", "100"]) == 130
    out, errors = capsys.readouterr()
    assert out.split() == ["1", "24"]
    assert errors.startswith("error: interrupted at depth 2: ")
    assert errors.count("\n") == 1
