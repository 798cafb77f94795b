"""The command line: what it prints, what it writes, and how it ends."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
import pytest

import sarai
from sarai.cli import main
from sarai.progress import plain_lines, shown

Captured = pytest.CaptureFixture[str]


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
    assert main(["rollout", "--all", "--games", "20", "--no-progress", "--out-dir", str(folder)]) == 0
    written = sorted(file.name for file in folder.iterdir())
    assert written == sorted(f"{name}.{ending}" for name in sarai.games() for ending in ("npz", "svg"))
    printed, errors = capsys.readouterr()
    assert errors == ""
    for name in sarai.games():
        r = sarai.load(folder / f"{name}.npz")
        assert r.agents == ("greedy", *["random"] * (r.num_players - 1))
        assert f"{name}: 20 games, seed 0" in printed


def test_json_is_the_summary_and_nothing_else(capsys: Captured) -> None:
    line = "rollout sho --games 30 --seed {} --preset teams --option max_turns=400 --threads 2 --json"
    assert main(line.format(5).split()) == 0
    printed = json.loads(capsys.readouterr().out)
    expected = sarai.rollout("sho", 30, seed=5, preset="teams", rules={"max_turns": 400}).summary().to_dict()
    timing = {"seconds", "games_per_second", "decisions_per_second"}
    assert {key: value for key, value in printed.items() if key not in timing} == {
        key: value for key, value in expected.items() if key not in timing
    }
    assert main(["rollout", "--all", "--games", "2", "--json"]) == 0
    several = json.loads(capsys.readouterr().out)
    assert [summary["game"] for summary in several["rollouts"]] == sarai.games()
    assert main(["rollout", "shah", "sho", "--games", "2", "--json"]) == 0
    several = json.loads(capsys.readouterr().out)
    assert [summary["game"] for summary in several["rollouts"]] == ["shah", "sho"]


def test_a_rollout_can_be_split(tmp_path: Path, capsys: Captured) -> None:
    for name, first in (("a", "0"), ("b", "25")):
        words = ["rollout", "sho", "--games", "25", "--first-game", first, "--out", str(tmp_path / name)]
        assert main(words) == 0
    parts = [sarai.load(tmp_path / name) for name in ("a", "b")]
    assert sarai.Rollout.concatenate(parts) == sarai.rollout("sho", 50)
    assert "from game 25 on" in capsys.readouterr().out


@pytest.mark.parametrize("ending", ["pdf", "PNG", "jpg", "webp"])
def test_a_picture_has_the_format_of_its_name(ending: str, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    picture = tmp_path / f"sho.{ending}"
    assert main(["rollout", "sho", "--games", "20", "--no-progress", "--picture", str(picture)]) == 0
    begins = {"pdf": b"%PDF", "PNG": b"\x89PNG", "jpg": b"\xff\xd8", "webp": b"RIFF"}
    assert picture.read_bytes().startswith(begins[ending])


def test_a_picture(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    picture = tmp_path / "sho.svg"
    assert main(["rollout", "sho", "--games", "20", "--picture", str(picture)]) == 0
    assert "<svg" in picture.read_text()


def test_a_picture_without_matplotlib(
    tmp_path: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    folder = tmp_path / "out"
    words = ["rollout", "sho", "--games", "5", "--no-progress", "--out-dir", str(folder)]
    assert main(words) == 1
    assert 'pip install "sarai[plot]"' in capsys.readouterr().err
    assert not folder.exists()
    assert main([*words, "--no-picture"]) == 0
    assert [file.name for file in folder.iterdir()] == ["sho.npz"]


def test_games(capsys: Captured) -> None:
    assert main(["games"]) == 0
    printed = capsys.readouterr().out
    assert main(["games", "--json"]) == 0
    listed = json.loads(capsys.readouterr().out)["games"]
    assert [game["name"] for game in listed] == sarai.games()
    for game in listed:
        assert game["name"] in printed
        assert game["presets"] == list(sarai.presets(game["name"]))


@pytest.mark.parametrize("name", sarai.games())
def test_rules(name: str, capsys: Captured) -> None:
    assert main(["rules", name]) == 0
    printed = capsys.readouterr().out
    rules = sarai.make(name).rules
    for word in (*rules, *sarai.presets(name)):
        assert word in printed
    for preset, options in sarai.presets(name).items():
        assert main(["rules", name, "--preset", preset, "--json"]) == 0
        assert json.loads(capsys.readouterr().out)["rules"] == options


@pytest.mark.parametrize("name", sarai.games())
def test_rules_shows_every_numbered_rule(name: str, capsys: Captured) -> None:
    assert main(["rules", name, "--json"]) == 0
    book = json.loads(capsys.readouterr().out)["rule_book"]
    numbers = re.findall(r"^\| (R\d+) \|", book, re.MULTILINE)
    assert numbers == [f"R{number}" for number in range(1, len(numbers) + 1)]
    assert len(numbers) > 5
    assert "Making a game" not in book
    assert main(["rules", name]) == 0
    out = capsys.readouterr().out
    assert re.findall(r"^(R\d+) [A-Z\"a-z]", out, re.MULTILINE) == numbers
    # Whole, though in lines of other lengths, and without the marks of Markdown.
    words = " ".join(out.split())
    for row in re.findall(r"^\| R\d.*", book, re.MULTILINE):
        number, rule, source = re.sub("[*`]", "", row).strip("| ").split(" | ")
        assert f"{number} {rule} [source: {source}]" in words


def test_rules_with_options(capsys: Captured) -> None:
    words = ["rules", "sho", "--option", "players=4", "--option", "teams=True", "--option", "pa_ra=flexible"]
    assert main([*words, "--json"]) == 0
    rules = json.loads(capsys.readouterr().out)["rules"]
    assert (rules["players"], rules["teams"], rules["pa_ra"]) == (4, True, "flexible")
    assert main(words) == 0
    # A statistic has the same name, further down.
    line = next(line for line in capsys.readouterr().out.splitlines() if line.startswith("pa_ra"))
    assert line.split()[1:3] == ["flexible", "choose"]


def test_a_table_in_a_file_is_as_wide_as_it_needs(monkeypatch: pytest.MonkeyPatch, capsys: Captured) -> None:
    monkeypatch.delenv("COLUMNS", raising=False)
    widths = []
    for columns in (None, "70"):
        if columns is not None:
            monkeypatch.setenv("COLUMNS", columns)
        assert main(["rules", "sho"]) == 0
        widths.append(max(len(line.rstrip()) for line in capsys.readouterr().out.splitlines()))
    assert 100 < widths[0] <= 120
    assert 60 < widths[1] <= 70


@pytest.mark.parametrize(
    "words", [[], ["games"], ["rules"], ["play"], ["replay"], ["show"], ["perft"], ["rollout"]]
)
def test_help_has_an_example(words: list[str], capsys: Captured) -> None:
    assert main([*words, "--help"]) == 0
    printed = capsys.readouterr().out
    assert "Example" in printed
    assert f"  sarai {' '.join(words)}".rstrip() in printed


def test_no_command_prints_the_help(capsys: Captured) -> None:
    assert main([]) == 0
    assert "rollout" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("nonsense", "nonsense"),
        ("--nonsense", "nonsense"),
        ("rules", "GAME"),
        ("rules nonsense", "sho"),
        ("rules sho --preset nonsense", "nonsense"),
        ("rules sho --option nonsense=1", "nonsense"),
        ("rules sho --option nonsense", "NAME=VALUE"),
        ("rules sho --option =3", "NAME=VALUE"),
        ("rules sho --option coins=7 --option coins=8", "twice"),
        ("rules sho --option coins=NaN", "coins"),
        ("rules sho --option coins=" + "[" * 100_000, "at most 16384"),
        ("rollout", "--all"),
        ("rollout sho --all", "not both"),
        ("rollout sho sho", "named twice"),
        ("rollout nonsense", "sho"),
        ("rollout sho --games x", "integer"),
        ("rollout sho --games 0", "num_games"),
        ("rollout sho --games -1", "num_games"),
        (f"rollout sho --games {2**63}", "num_games"),
        ("rollout sho --seed -1", "seed"),
        ("rollout sho --threads 0", "threads"),
        ("rollout sho --agents random,random", "agent"),
        ("rollout sho --agents random,,random", "agent"),
        ("rollout sho --agents nonsense", "nonsense"),
        ("rollout sho --option players=5", "players"),
        ("rollout sho --no-picture", "--out-dir"),
        ("rollout sho --out a --out-dir b", "not both"),
        ("rollout sho --out a.svg --picture a.svg", "same file"),
        ("rollout sho --out a.svg --picture ./a.svg", "same file"),
        ("rollout sho --picture a.gif", "a figure is written as .eps, "),
    ],
)
def test_wrong_words_end_with_2_and_one_line(line: str, sentence: str, capsys: Captured) -> None:
    assert main(line.split()) == 2
    printed, errors = capsys.readouterr()
    assert printed == ""
    assert errors.startswith("error: ")
    assert errors.count("\n") == 1
    assert sentence in errors


def test_several_games_do_not_share_a_file(capsys: Captured) -> None:
    if len(sarai.games()) > 1:
        assert main(["rollout", *sarai.games(), "--out", "x.npz"]) == 2
        assert "--out-dir" in capsys.readouterr().err


@pytest.mark.parametrize("option", ["--out", "--out-dir"])
def test_a_place_that_cannot_be_written_ends_with_1(option: str, tmp_path: Path, capsys: Captured) -> None:
    file = tmp_path / "file"
    file.write_text("in the way")
    place = file / "x.npz" if option == "--out" else file
    assert main(["rollout", "sho", option, str(place)]) == 1
    printed, errors = capsys.readouterr()
    assert printed == ""
    assert errors.startswith("error: cannot write ")
    assert errors.count("\n") == 1
    assert file.read_text() == "in the way"
    assert main(["rollout", "sho", "--out", str(tmp_path / "missing" / "x.npz")]) == 1
    assert not (tmp_path / "missing").exists()


def test_exit_statuses_of_the_process() -> None:
    for words, status in ((["games"], 0), (["rollout", "sho", "--games", "0"], 2)):
        command = [sys.executable, "-m", "sarai", *words]
        done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
        assert done.returncode == status, done.stderr
        assert bool(done.stdout) == (status == 0)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
@pytest.mark.parametrize(
    "line",
    [
        "games",
        "train shuanglu --games 60 --hidden 4 --evaluations 2 --no-progress --out t.safetensors",
        "serve --no-browser",
    ],
)
def test_a_full_disk_ends_with_1(line: str, tmp_path: Path) -> None:
    with open("/dev/full", "w") as full:
        command = [sys.executable, "-m", "sarai", *line.split()]
        done = subprocess.run(
            command, stdout=full, stderr=subprocess.PIPE, text=True, check=False, cwd=tmp_path, timeout=300
        )
    assert done.returncode == 1
    assert done.stderr == "error: cannot print the result: No space left on device\n"


@pytest.mark.skipif(os.name == "nt", reason="Ctrl-C is no signal there")
def test_ctrl_c_ends_with_130_and_one_line(tmp_path: Path) -> None:
    out = tmp_path / "sho.npz"
    words = ["rollout", "sho", "--games", "10000000", "--threads", "1", "--out", str(out)]
    command = [sys.executable, "-m", "sarai", *words]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        # Ten million games take minutes; the first line says that they are being played.
        progress = process.stderr.readline()
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=300)
    assert progress.startswith("sho: ")
    assert process.returncode == 130
    assert "Traceback" not in errors
    assert errors.splitlines()[-1].startswith("error: interrupted")
    assert list(tmp_path.iterdir()) == []


def test_a_log_gets_few_lines() -> None:
    class Log(list[str]):
        def write(self, text: str) -> None:
            self.append(text)

        def flush(self) -> None:
            pass

    now = 0.0
    log = Log()
    report = plain_lines("sho", 3000, log, lambda: now)  # type: ignore[arg-type]
    for done in range(1, 3001):
        now += 0.1
        report(done)
    assert 10 <= len(log) <= 20
    assert log[-1] == "sho: 3,000 of 3,000 games (100%) after 300 s\n"
    quick = Log()
    report = plain_lines("sho", 3000, quick, lambda: now)  # type: ignore[arg-type]
    for done in range(0, 3001, 100):
        report(done)
    assert len(quick) == 1


def test_a_terminal_gets_a_bar(monkeypatch: pytest.MonkeyPatch, capsys: Captured) -> None:
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    with shown(True, "sho", 30) as report:
        assert report is not None
        report(30)
    assert "30/30" in capsys.readouterr().err


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
    sarai.rollout("sho", 30, progress=True)
    assert "30 of 30 games" in shows[-1]
    assert capsys.readouterr().err == ""


def test_agents_may_have_parameters_and_agents_in_them(capsys: Captured) -> None:
    agents = "mcts:2,evaluator=heuristic,epsilon:0.5[mixture:1[greedy]+1[mcts:2,solver=false]],random"
    assert main(["rollout", "sho", "--games", "2", "--agents", agents, "--json"]) == 0
    assert [seat["agent"] for seat in json.loads(capsys.readouterr().out)["seats"]] == [
        "mcts:2,evaluator=heuristic",
        "epsilon:0.5[mixture:1[greedy]+1[mcts:2,solver=false]]",
        "random",
    ]


def test_a_log_of_a_long_call_has_a_line_a_minute() -> None:
    now = 0.0
    times: list[float] = []
    log: Any = SimpleNamespace(write=lambda text: times.append(now), flush=lambda: None)
    report = plain_lines("sho", 10**9, log, lambda: now)
    for _ in range(600):
        now += 1
        report(1)
    assert np.diff([0.0, *times]).tolist() == [2, 4, 8, 16, 32, *[60] * 8]


def test_a_terminal_gets_no_bar_unasked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    with shown(False, "sho", 30) as report:
        assert report is None
