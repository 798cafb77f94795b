"""What the README and the pages in docs/ show is what comes out, and what they lead to is there."""

from __future__ import annotations

import doctest
import io
import re
import shlex
from pathlib import Path

import pytest

import sarai
from helpers.places import ROOT
from sarai._cli import main

README = ROOT / "README.md"
COMMANDS = ROOT / "docs" / "command_line.md"
PAGES = [README, *sorted((ROOT / "docs").glob("**/*.md"))]
WITH_EXAMPLES = [page for page in PAGES if ">>> " in page.read_text(encoding="utf-8")]


@pytest.mark.parametrize("page", WITH_EXAMPLES, ids=lambda page: page.stem)
def test_examples(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # Some of them write files.
    monkeypatch.chdir(tmp_path)
    failed, tried = doctest.testfile(str(page), module_relative=False)
    assert (failed, tried > 0) == (0, True)


def test_there_are_examples() -> None:
    assert len(WITH_EXAMPLES) > 20


def test_links_lead_somewhere() -> None:
    for page in PAGES:
        links = re.findall(r"\]\(([^)#]+)\)|<img src=\"([^\"]+)\"", page.read_text(encoding="utf-8"))
        for link in (target or picture for target, picture in links):
            assert link.startswith("https://") or (page.parent / link).exists(), (page, link)


def test_every_game_is_told_of_where_all_are() -> None:
    assert re.findall(r"^\| `(\w+)` \|", README.read_text(encoding="utf-8"), re.MULTILINE) == sarai.games()
    text = (ROOT / "docs" / "agents.md").read_text(encoding="utf-8")
    bullets = re.findall(
        r"^- \*\*(.+)\*\*: ", text.split("\n## How positions are evaluated\n")[1], re.MULTILINE
    )
    pages = [ROOT / "docs" / "games" / f"{name}.md" for name in sarai.games()]
    assert bullets == [page.read_text(encoding="utf-8").splitlines()[0].removeprefix("# ") for page in pages]


def test_the_tests_of_the_environments_are_there() -> None:
    text = (ROOT / "docs" / "environments.md").read_text(encoding="utf-8")
    # The first table of the page.
    _, _, *rows = text[text.index("| library |") :].split("\n\n")[0].splitlines()
    assert len(rows) >= 10
    for row in rows:
        (file,) = re.findall(r"`((?:python|integrations)/[\w/]+\.py)` \|$", row)
        assert (ROOT / "tests" / file).exists(), row


def test_the_summary_of_the_tour_is_the_one_that_comes_out() -> None:
    game = sarai.make("sho", preset="lhasa", players=2)
    result = sarai.rollout(game, num_games=10_000, agents=["greedy", "random"], seed=7)
    printed = str(result.summary()).rstrip().splitlines()
    # The last lines tell the speed of the machine.
    text = (ROOT / "docs" / "tour.md").read_text(encoding="utf-8")
    assert [line for line in printed[:-2] if line.strip() and f"    {line.rstrip()}\n" not in text] == []


def test_the_commands_to_play_and_to_roll_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    text = COMMANDS.read_text(encoding="utf-8")
    lines = re.findall(r"^    sarai ((?:play|replay|show) [^#\n]*)", text, re.MULTILINE)
    assert len(lines) == 7
    # In their order: one makes the file that the next ones read.
    for line in lines:
        monkeypatch.setattr("sys.stdin", io.StringIO("1\n"))
        assert main(shlex.split(line)) == 0
        assert capsys.readouterr().err == ""
    assert len(sarai.Record.load("game.json")) == 4
    (words,) = map(shlex.split, re.findall(r"^    sarai (rollout .*)$", text, re.MULTILINE))
    words[words.index("--games") + 1] = "500"
    assert main(words) == 0
    assert sarai.load("sho.npz").num_games == 500
    assert Path("sho.svg").read_text(encoding="utf-8").startswith("<?xml")
