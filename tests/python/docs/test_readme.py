"""What the README, the tour and the page of the command line show is what comes out."""

from __future__ import annotations

import doctest
import io
import re
import shlex
from pathlib import Path

import pytest

import sarai
from helpers.places import ROOT
from sarai.cli import main

README = ROOT / "README.md"
TOUR = ROOT / "docs" / "tour.md"
COMMANDS = ROOT / "docs" / "command_line.md"


def test_examples() -> None:
    failures, tests = doctest.testfile(str(README), module_relative=False)
    assert (failures, tests > 5) == (0, True)


def test_the_summary_is_the_one_that_comes_out() -> None:
    game = sarai.make("sho", preset="lhasa", players=2)
    result = sarai.rollout(game, num_games=10_000, agents=["greedy", "random"], seed=7)
    printed = str(result.summary()).rstrip().splitlines()
    # The last lines tell the speed of the machine.
    text = TOUR.read_text(encoding="utf-8")
    assert [line for line in printed[:-2] if line.strip() and f"    {line.rstrip()}\n" not in text] == []


def test_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (command,) = (
        line.strip()
        for line in COMMANDS.read_text(encoding="utf-8").splitlines()
        if "sarai rollout sho" in line
    )
    words = shlex.split(command)[1:]
    words[words.index("--games") + 1] = "500"
    assert main(words) == 0
    assert sarai.load("sho.npz").num_games == 500
    assert Path("sho.svg").read_text(encoding="utf-8").startswith("<?xml")


def test_links_lead_somewhere() -> None:
    text = README.read_text(encoding="utf-8")
    links = re.findall(r"\]\(([^)#]+)\)|<img src=\"([^\"]+)\"", text)
    assert len(links) > 20
    for link in (page or picture for page, picture in links):
        assert link.startswith("https://") or (ROOT / link).exists(), link


def test_the_two_commands_are_there() -> None:
    lines = README.read_text(encoding="utf-8").splitlines()
    assert {line.split("#")[0].strip() for line in lines} >= {"make run", "make test"}


def test_the_citation_names_this_version() -> None:
    text = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert re.findall(r"^version: (.+)$", text, re.MULTILINE) == [sarai.__version__]


def test_the_table_lists_every_game() -> None:
    text = README.read_text(encoding="utf-8")
    for name in sarai.games():
        assert f"| `{name}` |" in text


def test_the_commands_to_play(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    text = COMMANDS.read_text(encoding="utf-8")
    lines = re.findall(r"^    sarai ((?:play|replay|show) [^#\n]*)", text, re.MULTILINE)
    assert len(lines) == 6
    # In their order: one makes the file that the next ones read.
    for line in lines:
        monkeypatch.setattr("sys.stdin", io.StringIO("1\n"))
        assert main(shlex.split(line)) == 0
        assert capsys.readouterr().err == ""
    assert len(sarai.Record.load("game.json")) == 4
