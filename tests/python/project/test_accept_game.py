"""scripts/accept_game.py never replaces what a release may have written, and removes what no preset has any more."""

from __future__ import annotations

import importlib
import re
from pathlib import Path
from types import ModuleType

import pytest

import sarai
from helpers.places import ROOT

NAME = sarai.games()[0]
EARLIER = Path("tests", "python", "records", "earlier")


@pytest.fixture
def script(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> ModuleType:
    """The script, at work in an empty folder."""
    monkeypatch.syspath_prepend(ROOT / "scripts")
    module = importlib.import_module("accept_game")
    monkeypatch.setattr(module, "ROOT", tmp_path)
    (tmp_path / EARLIER).mkdir(parents=True)
    return module


def test_records_are_replaced_only_if_no_release_has_the_game(script: ModuleType, tmp_path: Path) -> None:
    paths = [tmp_path / EARLIER / f"{NAME}-1.{form}" for form in ("json", "txt")]
    script.write_records(NAME, unreleased=False)
    written = [path.read_bytes() for path in paths]
    # What still holds is left alone in either case.
    for unreleased in (False, True):
        script.write_records(NAME, unreleased)
        assert [path.read_bytes() for path in paths] == written
    paths[0].write_text("{}", encoding="utf-8")
    with pytest.raises(script.NotAcceptedError, match=f"NAME={NAME} UNRELEASED=1"):
        script.write_records(NAME, unreleased=False)
    assert paths[0].read_text(encoding="utf-8") == "{}"
    script.write_records(NAME, unreleased=True)
    assert [path.read_bytes() for path in paths] == written


def test_transcripts_of_presets_that_are_gone_are_removed(
    script: ModuleType, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "tests" / "golden"
    folder.mkdir(parents=True)
    kept = {*(f"{NAME}-{preset}.txt" for preset in sarai.presets(NAME)), f"{NAME}s-old.txt", "old.txt"}
    for name in {*kept, f"{NAME}-old.txt"}:
        (folder / name).touch()
    script.remove_old_transcripts(NAME, tmp_path)
    assert {path.name for path in folder.iterdir()} == kept
    assert capsys.readouterr().out == f"removed tests/golden/{NAME}-old.txt: there is no such preset\n"


def test_counts_are_those_of_reference_and_engine(
    script: ModuleType, capsys: pytest.CaptureFixture[str]
) -> None:
    source = f"tests/python/games/{NAME}/reference.py"
    block = f"game: {NAME}\nrules: {{}}\nposition: %s\ndepth: 1\ncount: 0\nsource: {source}\n"
    counted = script.counted(NAME, block % "start")
    assert counted != block % "start"
    assert re.sub("count: [1-9][0-9]*", "count: 0", counted) == block % "start"
    count = re.findall("count: (.*)", counted)[0]
    assert capsys.readouterr().out == f"{count} paths of depth 1: {{}} start\n"
    # Where it is not meant that games are over by then, such a block tests nothing.
    *_, over = sarai.Record.play(NAME, "random", seed=1).states()
    assert script.counted(NAME, block % over) == block % over
    assert "0 paths of depth 1, as every game ends before (is that meant?): {} " in capsys.readouterr().out


def test_the_test_program_that_it_runs_is_there() -> None:
    text = (ROOT / "scripts" / "accept_game.py").read_text(encoding="utf-8")
    programs = re.findall(r'"--test", "(\w+)", "(\w+)::"', text)
    assert programs
    for program, module in programs:
        assert (ROOT / "tests" / program / f"{module}.rs").is_file()
