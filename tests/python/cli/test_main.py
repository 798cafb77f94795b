"""The command line: what it prints, what it writes, and how it ends."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
import pytest

import sarai
from sarai import _cli as cli
from sarai._base.progress import plain_lines, shown
from sarai._cli import main

Captured = pytest.CaptureFixture[str]
Run = Callable[..., str]


def test_the_command_of_the_documentation(tmp_path: Path, capsys: Captured) -> None:
    out = tmp_path / "sho.npz"
    line = f"rollout sho --games 200 --agents greedy,random,random --seed 7 --out {out}"
    assert main(line.split()) == 0
    expected = sarai.rollout("sho", num_games=200, agents=["greedy", "random", "random"], seed=7)
    assert sarai.load(out) == expected
    shown_text, progress = capsys.readouterr()
    assert "sho: 200 games, seed 7" in shown_text
    assert f"wrote {out}" in shown_text.replace("\n", "")
    assert progress.splitlines()[-1].startswith("sho: 200 of 200 games (100%)")


def test_every_game_is_played_with_one_command(tmp_path: Path, capsys: Captured) -> None:
    pytest.importorskip("matplotlib")
    folder = tmp_path / "new" / "out"
    words = ["rollout", "--games", "5", "--seed", "0", "--no-progress", "--out-dir", str(folder)]
    assert main([*words, "--all", "--no-picture"]) == 0
    printed, errors = capsys.readouterr()
    assert errors == ""
    assert sorted(file.name for file in folder.iterdir()) == [f"{name}.npz" for name in sorted(sarai.games())]
    for name in sarai.games():
        r = sarai.load(folder / f"{name}.npz")
        assert r.agents == ("greedy", *["random"] * (r.num_players - 1))
        assert f"{name}: 5 games, seed 0" in printed
    # Unless it is told not to, it draws each.
    assert main([*words, "shah"]) == 0
    assert "<svg" in (folder / "shah.svg").read_text()


def test_json_is_the_summary_and_nothing_else(run: Run) -> None:
    line = "rollout sho --games 30 --seed {} --preset teams --option max_turns=400 --threads 2 --json"
    printed = json.loads(run(line.format(5).split()))
    expected = sarai.rollout("sho(preset=teams,max_turns=400)", num_games=30, seed=5).summary().to_dict()
    timing = {"seconds", "games_per_second", "decisions_per_second"}
    assert {key: value for key, value in printed.items() if key not in timing} == {
        key: value for key, value in expected.items() if key not in timing
    }
    several = json.loads(run(["rollout", "--all", "--games", "2", "--json"]))
    assert [summary["game"] for summary in several["rollouts"]] == sarai.games()
    several = json.loads(run(["rollout", "shah", "sho", "--games", "2", "--json"]))
    assert [summary["game"] for summary in several["rollouts"]] == ["shah", "sho"]


def test_a_rollout_can_be_split(tmp_path: Path, capsys: Captured) -> None:
    for name, first in (("a", "0"), ("b", "25")):
        words = ["rollout", "sho", "--games", "25", "--seed", "0", "--first-game", first]
        assert main([*words, "--out", str(tmp_path / name)]) == 0
    parts = [sarai.load(tmp_path / name) for name in ("a", "b")]
    assert sarai.results.Rollout.concatenate(parts) == sarai.rollout("sho", num_games=50, seed=0)
    assert "from game 25 on" in capsys.readouterr().out


def test_a_picture(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    picture = tmp_path / "sho.PNG"
    assert main(["rollout", "sho", "--games", "20", "--no-progress", "--picture", str(picture)]) == 0
    assert picture.read_bytes().startswith(b"\x89PNG")


def test_a_picture_without_matplotlib(tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    folder = tmp_path / "out"
    words = ["rollout", "sho", "--games", "5", "--no-progress", "--out-dir", str(folder)]
    assert 'pip install "sarai[plot]"' in run(words, 1)
    assert not folder.exists()
    assert main([*words, "--no-picture"]) == 0
    assert [file.name for file in folder.iterdir()] == ["sho.npz"]


def test_games(run: Run) -> None:
    printed = run(["games"])
    listed = json.loads(run(["games", "--json"]))["games"]
    assert [game["name"] for game in listed] == sarai.games()
    for game in listed:
        assert game["name"] in printed
        assert game["presets"] == list(sarai.presets(game["name"]))


@pytest.mark.parametrize("name", sarai.games())
def test_rules(name: str, run: Run) -> None:
    printed = run(["rules", name])
    for word in (*sarai.make(name).rules, *sarai.presets(name)):
        assert word in printed
    for preset, options in sarai.presets(name).items():
        told = json.loads(run(["rules", name, "--preset", preset, "--json"]))
        assert told["rules"] == options
    # Each numbered rule of the book.
    book = told["rule_book"]
    numbers = re.findall(r"^\| (R\d+) \|", book, re.MULTILINE)
    assert numbers == [f"R{number}" for number in range(1, len(numbers) + 1)]
    assert len(numbers) > 5
    assert "Making a game" not in book
    assert re.findall(r"^(R\d+) [A-Z\"a-z]", printed, re.MULTILINE) == numbers
    # Whole, though in lines of other lengths, and without the marks of Markdown.
    words = " ".join(printed.split())
    for row in re.findall(r"^\| R\d.*", book, re.MULTILINE):
        number, rule, source = re.sub("[*`]", "", row).strip("| ").split(" | ")
        assert f"{number} {rule} [source: {source}]" in words


def test_rules_with_options(capsys: Captured, run: Run) -> None:
    words = ["rules", "sho", "--option", "players=4", "--option", "teams=True", "--option", "pa_ra=flexible"]
    rules = json.loads(run([*words, "--json"]))["rules"]
    assert (rules["players"], rules["teams"], rules["pa_ra"]) == (4, True, "flexible")
    assert main(words) == 0
    # A statistic has the same name, further down.
    line = next(line for line in capsys.readouterr().out.splitlines() if line.startswith("pa_ra"))
    assert line.split()[1:3] == ["flexible", "choose"]


def test_a_table_in_a_file_is_as_wide_as_it_needs(monkeypatch: pytest.MonkeyPatch, run: Run) -> None:
    monkeypatch.delenv("COLUMNS", raising=False)
    widths = []
    for columns in (None, "70"):
        if columns is not None:
            monkeypatch.setenv("COLUMNS", columns)
        widths.append(max(len(line.rstrip()) for line in run(["rules", "sho"]).splitlines()))
    assert 100 < widths[0] <= 120
    assert 60 < widths[1] <= 70


@pytest.mark.parametrize("command", [cli.command, *cli.COMMANDS], ids=lambda command: command.name)
def test_every_help_says_what_the_command_does(command: cli.click.Command, run: Run) -> None:
    words = [] if command is cli.command else [str(command.name)]
    printed = run([*words, "--help"])
    assert "Usage: " in printed
    assert "Example" in printed
    assert f"  sarai {' '.join(words)}".rstrip() in printed
    assert command.help is not None
    assert len(command.help.split(". ")[0].split()) >= 5
    assert command.help != command.callback.__doc__
    if not words:
        assert run([]) == printed


def logged(reports: int, step: int, seconds: float) -> list[tuple[float, str]]:
    """The lines of a log, each with its time, of a call that reports so often, so many games each time."""
    now = 0.0
    lines: list[tuple[float, str]] = []
    log: Any = SimpleNamespace(write=lambda text: lines.append((now, text)), flush=lambda: None)
    report = plain_lines("sho", 3000, log, lambda: now)
    for done in range(1, reports + 1):
        now += seconds
        report(done * step)
    return lines


def test_a_log_gets_few_lines() -> None:
    lines = logged(3000, 1, 0.1)
    assert 10 <= len(lines) <= 20
    assert lines[-1][1] == "sho: 3,000 of 3,000 games (100%) after 300 s\n"
    assert len(logged(30, 100, 0)) == 1
    # Of a call in which little happens, one a minute.
    assert np.diff([0.0, *(time for time, _ in logged(600, 0, 1))]).tolist() == [2, 4, 8, 16, 32, *[60] * 8]


def test_a_terminal_gets_a_bar(monkeypatch: pytest.MonkeyPatch, capsys: Captured) -> None:
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    with shown(True, "sho", 30) as report:
        assert report is not None
        report(30)
    assert "30/30" in capsys.readouterr().err
    with shown(False, "sho", 30) as report:
        assert report is None


def test_a_notebook_gets_a_bar(monkeypatch: pytest.MonkeyPatch, capsys: Captured) -> None:
    shows: list[str] = []

    def first(content: str, display_id: bool) -> SimpleNamespace:
        assert display_id
        shows.append(content)
        return SimpleNamespace(update=shows.append)

    ipython, display = ModuleType("IPython"), ModuleType("IPython.display")
    ipython.get_ipython = lambda: SimpleNamespace(kernel=object())  # type: ignore[attr-defined]
    display.HTML = str  # type: ignore[attr-defined]
    display.display = first  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "IPython", ipython)
    monkeypatch.setitem(sys.modules, "IPython.display", display)
    sarai.rollout("sho", num_games=30, progress=True, seed=0)
    assert "30 of 30 games" in shows[-1]
    assert capsys.readouterr().err == ""


def test_agents_may_have_parameters_and_agents_in_them(run: Run) -> None:
    agents = "mcts:2,evaluator=heuristic,epsilon:0.5[mixture:1[greedy]+1[mcts:2,solver=false]],random"
    assert [
        seat["agent"]
        for seat in json.loads(run(["rollout", "sho", "--games", "2", "--agents", agents, "--json"]))["seats"]
    ] == ["mcts:2,evaluator=heuristic", "epsilon:0.5[mixture:1[greedy]+1[mcts:2,solver=false]]", "random"]
