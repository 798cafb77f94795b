"""The pages in docs/games say what the package does.

test_docs.py runs their examples and follows their links. Numbers on them are generated, or not tested.
"""

from __future__ import annotations

import contextlib
import json
import random
import re
import shlex
from collections import defaultdict
from functools import cache
from pathlib import Path
from types import ModuleType

import pytest

import sarai
from helpers import scripts
from helpers.places import ROOT
from sarai._cli import main

every_game = pytest.mark.parametrize("name", sarai.games())


@cache
def script() -> ModuleType:
    """scripts/game_pages.py, which is in no package."""
    # It imports this one.
    scripts.load("scripts/bibliography.py")
    module = scripts.load("scripts/game_pages.py")
    # The games of a part are played once for all tests.
    for part in ("rollouts", "paths"):
        module.PARTS[part] = cache(module.PARTS[part])
    return module


def page(name: str) -> str:
    return (ROOT / "docs" / "games" / f"{name}.md").read_text(encoding="utf-8")


def section(name: str, heading: str) -> str:
    """What stands under a heading; a line that begins with # in a block of code is no heading."""
    return page(name).split(f"\n## {heading}\n")[1].split("\n## ")[0]


@every_game
def test_generated_parts_are_what_the_package_gives(name: str) -> None:
    for path, wanted in script().generate(name, page(name)).items():
        assert script().difference(path, wanted) == ""


@every_game
def test_rules_and_options_are_told_in_full(name: str) -> None:
    assert re.findall(r"^## (.+)$", page(name), re.MULTILINE) == list(script().HEADINGS)
    book = (ROOT / "src" / "games" / name / "rules.md").read_text(encoding="utf-8")
    numbers = re.findall(r"^\| (R\d+) \|", book, re.MULTILINE)
    assert len(numbers) > 5
    assert re.findall(r"^\*\*(R\d+)\.\*\*", section(name, "Rules"), re.MULTILINE) == numbers
    assert set(re.findall(r"\bR\d+\b", page(name))) == set(numbers)
    prose = section(name, "Board") + section(name, "Rules")
    told = re.findall(r"`(\w+)(?:=[^`]+)?`", prose)
    # Who begins is not a rule of every source.
    for option in sarai.make(name).rules.keys() - {"first_player"}:
        assert option in told, option
    for option, value in re.findall(r"`(\w+)=([^`]+)`", prose):
        assert accepts(name, {option: json.loads(value)}), (option, value)


def accepts(name: str, option: dict[str, object]) -> bool:
    """Whether some preset of the game takes an option with this value."""
    for preset in sarai.presets(name):
        with contextlib.suppress(ValueError):
            sarai.make(name, preset=preset, rules=option)
            return True
    return False


@cache
def names_of_actions(name: str) -> dict[str, set[int]]:
    """The ids that had a name in random games of every preset."""
    rng = random.Random(5)
    found = defaultdict(set)
    for preset in sarai.presets(name):
        game = sarai.make(name, preset=preset)
        for _ in range(30):
            state = game.new_initial_state()
            while not state.is_terminal():
                actions = state.legal_actions()
                if state.is_chance_node():
                    actions = [outcome for outcome, _ in state.chance_outcomes()]
                else:
                    for action in actions:
                        found[state.action_to_string(action)].add(action)
                state.apply_action(rng.choice(actions))
    return found


@every_game
def test_actions_have_the_ids_of_their_rows(name: str) -> None:
    rows = re.findall(r"^\| (\d+)(?: to (\d+))? \| (.+?) \|", section(name, "Actions"), re.MULTILINE)
    ends = -1
    for first, last, names in rows:
        ids = range(int(first), int(last or first) + 1)
        assert ids.start == ends + 1
        ends = ids[-1]
        seen = [names_of_actions(name)[text] for text in re.findall(r"`([^`]+)`", names)]
        assert any(seen), names
        assert all(action in ids for actions in seen for action in actions), names
    game = sarai.make(name)
    assert f"{game.num_actions})" in section(name, "Actions")
    assert not rows or ends == game.num_actions - 1


@pytest.mark.parametrize("name", ["sho", "shah"])
def test_the_first_command_prints_what_the_page_shows(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    figures = section(name, "Known figures")
    commands = re.findall(r"^sarai .+$", figures, re.MULTILINE)
    assert len(commands) == len(sarai.presets(name)) + 1
    assert main([*shlex.split(commands[0])[1:], "--no-progress"]) == 0
    printed = capsys.readouterr().out.rstrip().splitlines()
    # The last line tells the speed of the machine.
    assert "\n".join(line.rstrip() for line in printed[:-1]).rstrip() in figures


BROKEN = [
    ("<!-- generated: options -->", "<!-- generated: opinions -->", r"line \d+: .*opinions"),
    ("<!-- generated: options -->", "<!-- generated: options", r"line \d+: a comment"),
    ("<!-- generated: options -->", "", r"line \d+: parts do not nest"),
    ("<!-- end -->", "", r"line \d+: parts do not nest"),
    ('picture {"position": "', 'picture {"position": "x', r"line \d+: a picture"),
    ('picture {"position": "', 'picture {"positions": "', r"line \d+: a picture"),
    ("<!-- generated: diagrams\n[", "<!-- generated: diagrams\n[,", r"line \d+: this is no JSON"),
    ("<!-- generated: options -->\n", "<!-- generated: statistics -->\n", "statistics"),
    ("# ", "", "the first line"),
]


def test_a_changed_number_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    name = sarai.games()[0]
    pages = script()
    text = page(name)
    where = text.index("<!-- generated: options -->")
    changed = text[:where] + re.sub(r"\d+", lambda number: f"{int(number[0]) + 1}", text[where:], count=1)
    assert changed != text
    assert pages.generate(name, changed) == pages.generate(name, text)
    # In the script's own words: a copy of the pages, of which one is changed, then mended.
    for path in (ROOT / "docs" / "games").iterdir():
        (tmp_path / path.name).write_text(path.read_text(encoding="utf-8"), encoding="utf-8", newline="\n")
    monkeypatch.setattr(pages, "ROOT", tmp_path)
    monkeypatch.setattr(pages, "PAGES", tmp_path)
    monkeypatch.setattr(sarai, "games", lambda: [name])
    assert pages.main(["--check"]) == 0
    (tmp_path / f"{name}.md").write_text(changed, encoding="utf-8", newline="\n")
    assert pages.main(["--check"]) == 1
    assert pages.main([]) == 0
    assert (tmp_path / f"{name}.md").read_text(encoding="utf-8") == text


def test_a_broken_page_is_refused() -> None:
    name = sarai.games()[0]
    for old, new, complaint in BROKEN:
        text = page(name).replace(old, new, 1)
        assert text != page(name)
        with pytest.raises(script().PageError, match=complaint):
            script().generate(name, text)


def test_a_game_without_a_page_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(script(), "PAGES", tmp_path)
    assert script().main(["--check"]) == 1
    assert f"{sarai.games()[0]}.md" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []
