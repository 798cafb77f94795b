"""The page of openings, from the tables of a small rule book, and the values of its board."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import sarai
from helpers import scripts
from helpers.places import ROOT
from sarai.exact import Tables

RULES = {"pieces": 3, "opening_removals": "none"}
GAME = "shah(pieces=3,opening_removals=none)"
TURNS = 4


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("tables")
    sarai.exact.solve(GAME, (3, 3), folder, progress=False)
    sarai.exact.solve(GAME, None, folder, placing=True, progress=False)
    return folder


@pytest.fixture(scope="module")
def tables(folder: Path) -> Tables:
    return sarai.exact.load(GAME, folder)


@pytest.fixture(scope="module")
def out(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What the script writes."""
    out = tmp_path_factory.mktemp("docs")
    script = scripts.load("scripts/openings_page.py")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(script, "TURNS", TURNS)
        patch.setattr(sys, "argv", ["openings_page.py", str(folder), "--game", GAME, "--out", str(out)])
        script.main()
    return out


def test_the_page_counts_what_the_tables_have(out: Path, tables: Tables) -> None:
    page = (out / "openings.md").read_text(encoding="utf-8")
    assert "the second player wins Shah in 9 turns" in page
    # All ways to place the stones of each side; up to symmetry, four first placements.
    assert re.search(r"^\| first \| first \| 1 \| 1 \| 0% \| 0% \| 100% ", page, re.MULTILINE)
    assert re.search(r"^\| second \| second \| 24 \| 4 \| 100% \| 0% \| 0% ", page, re.MULTILINE)
    assert re.search(r"^\| third \| first \| 552 \| 46 \| ", page, re.MULTILINE)
    assert re.search(r"^\| fourth \| second \| 6,072 \| 428 \| ", page, re.MULTILINE)
    # The shares of the second placement, counted over every position instead of one of each kind.
    right = placements = single = 0
    empty = tables.game.new_initial_state()
    for first in empty.legal_actions():
        state = empty.child(first)
        moves = tables.moves(state)
        rows = tables.explore(state)
        right += sum(move.value == moves[0].value for move in moves)
        placements += len(moves)
        single += sum(row.value == rows[0].value for row in rows) == 1
    assert f"| {right / placements:.1%} | {single / 24:.0%} |" in page
    for row in tables.explore(empty):
        assert f"\n### After {row.name}\n" in page
        for reply in tables.explore(empty.child(row.action)):
            assert re.search(rf"^\| {reply.name} \| {' '.join(reply.images)} ", page, re.MULTILINE)
    for picture in re.findall(r"\((openings_\w+\.svg)\)", page):
        assert (out / picture).read_text(encoding="utf-8").startswith("<svg")


def test_the_board_of_the_page_has_the_values_of_the_tables(out: Path, tables: Tables) -> None:
    node = shutil.which("node")
    if node is None:
        pytest.skip("node is not installed")
    empty = tables.game.new_initial_state()
    names = [empty.action_to_string(action) for action in range(24)]
    lines = [[], *([point] for point in range(24)), [3, 5], [5, 3], [0, 23, 1], [7, 4, 22], [20, 10, 2]]
    program = f"""
        import {{ POINTS, key, table }} from {json.dumps((ROOT / "docs/_static/openings.js").as_uri())};
        import {{ readFileSync }} from "node:fs";
        const values = table(JSON.parse(readFileSync({json.dumps(str(out / "_static/openings.json"))}, "utf8")));
        const found = {json.dumps(lines)}.map((stones) => values[stones.length].get(key(stones)));
        console.log(JSON.stringify([POINTS, found, values.map((each) => each.size)]));
    """
    done = subprocess.run(
        [node, "--input-type=module", "-e", program], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    points, found, sizes = json.loads(done.stdout)
    assert points == names
    assert sizes == [1, 4, 46, 428]
    for line, value in zip(lines, found, strict=True):
        state = empty.clone()
        for action in line:
            state.apply_action(action)
        assert tuple(value) == tables.value(state)
