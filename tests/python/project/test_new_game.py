"""scripts/new_game.py writes a whole game, and refuses bad names.

The templates are part of `cargo test --lib`, which tests that they build and play.
"""

from __future__ import annotations

import ast
import re
import shutil
from pathlib import Path
from types import ModuleType

import pytest

import sarai
from helpers import scripts
from helpers.places import ROOT


@pytest.fixture(scope="module")
def script() -> ModuleType:
    """scripts/new_game.py, which is in no package."""
    return scripts.load("scripts/new_game.py")


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """What the script reads of the project, where it may write."""
    shutil.copytree(ROOT / "src", tmp_path / "src")
    shutil.copy(ROOT / "README.md", tmp_path)
    (tmp_path / "docs").mkdir()
    shutil.copy(ROOT / "docs" / "agents.md", tmp_path / "docs")
    return tmp_path


def test_a_game_is_written_and_listed(
    script: ModuleType, copy: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert script.main(["zyzzyva"], copy) == 0
    told = capsys.readouterr().out
    written = {line.split()[1] for line in told.splitlines() if line.startswith("wrote ")}
    # The files that games have. What only a machine writes is left to `make accept-game`.
    parts = [
        "mod",
        "rules",
        "board",
        "state",
        "position",
        "moves",
        "observe",
        "draw",
        "greedy",
        "tests",
    ]
    for place in ("rules.md", *(f"{part}.rs" for part in parts)):
        assert f"src/games/zyzzyva/{place}" in written
    assert {
        f"python/sarai/_render/games/zyzzyva/{part}.py" for part in ("__init__", "view", "text")
    } < written
    assert {"docs/games/zyzzyva.md", "tests/perft/zyzzyva.perft"} < written
    for place in written:
        text = (copy / place).read_text(encoding="utf-8")
        assert "gamename" not in text.lower(), place
        if place.endswith(".py"):
            ast.parse(text)
    games = (copy / "src" / "games" / "mod.rs").read_text(encoding="utf-8")
    modules = re.findall(r"^pub mod (\w+);", games, re.MULTILINE)
    assert modules == sorted([*sarai.games(), "zyzzyva"])
    visited = re.findall(r"each\.game::<(\w+)::\w+>\(\);", games.partition("pub trait VisitSolvable")[0])
    assert visited == [*sarai.games(), "zyzzyva"]
    assert "each.game::<zyzzyva::Zyzzyva>();" in games
    readme = (copy / "README.md").read_text(encoding="utf-8")
    assert "\n| `zyzzyva` |" in readme
    assert "\n  - [Zyzzyva](docs/games/zyzzyva.md)\n" in readme
    assert "\n- **Zyzzyva**: " in (copy / "docs" / "agents.md").read_text(encoding="utf-8")
    # Every rule of the skeleton has its test.
    rules = re.findall(
        r"^\| R(\d+) \|", (copy / "src/games/zyzzyva/rules.md").read_text(encoding="utf-8"), re.MULTILINE
    )
    tests = re.findall(
        r"^fn r(\d+)_", (copy / "src/games/zyzzyva/tests.rs").read_text(encoding="utf-8"), re.MULTILINE
    )
    assert list(dict.fromkeys(tests)) == rules
    # A second time it is there already, and nothing is changed.
    before = {path: path.read_bytes() for path in copy.rglob("*.*") if path.is_file()}
    assert script.main(["zyzzyva"], copy) == 1
    assert "there is already a game 'zyzzyva'" in capsys.readouterr().err
    assert before == {path: path.read_bytes() for path in copy.rglob("*.*") if path.is_file()}


def test_what_is_no_name_is_refused(script: ModuleType, capsys: pytest.CaptureFixture[str]) -> None:
    # It would write into the project: nothing may have changed.
    games = (ROOT / "src" / "games" / "mod.rs").read_bytes()
    for names, said in (
        (("", "Ur", "royal_ur", "../ur", "u" * 13), "2 to 12 lower-case letters"),
        (("move", "lambda", "gamename"), "keyword"),
        (("batch",), "already uses"),
        ((sarai.games()[0],), "already a game"),
    ):
        for name in names:
            assert script.main([name], ROOT) == 1
            assert said in capsys.readouterr().err, name
    assert (ROOT / "src" / "games" / "mod.rs").read_bytes() == games


def test_the_walk_names_every_file(script: ModuleType) -> None:
    walk = (
        (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8").split("\n## A new game\n")[1].split("\n## ")[0]
    )
    for place in script.files("zyzzyva", ROOT):
        *_, name = place.split("/")
        assert name == "__init__.py" or name.replace("zyzzyva", "<game>") in walk, place
