"""What the command line advises in a game: the word that was meant, and names of files as a shell takes them."""

from __future__ import annotations

import io
import shlex
from pathlib import Path

import pytest

import sarai
from sarai._cli import hints, main

Captured = pytest.CaptureFixture[str]
Patch = pytest.MonkeyPatch


def test_a_word_in_the_game(monkeypatch: Patch, capsys: Captured) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("lgeal\nxyz\n"))
    assert main(["play", "shah", "--seed", "1"]) == 0
    lines = [line for line in capsys.readouterr().out.splitlines() if "is no legal move" in line]
    assert lines[0].endswith(" (did you mean 'legal'?)")
    assert lines[1].endswith("'help' for help")


NAME = "it's a & b $x.json"


@pytest.mark.parametrize(
    ("on_windows", "written"), [(False, shlex.quote(NAME)), (True, f'"{NAME}"')], ids=["posix", "windows"]
)
def test_hints_quote_names_for_the_shell_that_is_there(
    on_windows: bool, written: str, tmp_path: Path, monkeypatch: Patch, capsys: Captured
) -> None:
    monkeypatch.setattr(hints, "_ON_WINDOWS", on_windows)
    monkeypatch.chdir(tmp_path)

    def said(lines: str, *words: str) -> str:
        monkeypatch.setattr("sys.stdin", io.StringIO(lines))
        main(list(words))
        out, errors = capsys.readouterr()
        return (errors or out).splitlines()[-1]

    assert said("1\n", "play", "shah", "--save", NAME).endswith(
        f"to continue it: sarai play --resume {written}"
    )
    assert f"--resume {written} (see" in said("", "play", "shah", "--save", NAME)
    short = ["play", "shah", "--option", "max_turns=1"]
    assert said("1\n", *short, "--save", f"2{NAME}").endswith(
        f"sarai replay {written.replace('it', '2it', 1)}"
    )
    sarai.Record.from_steps("shah", [4, 19]).save(NAME)
    assert f"sarai replay {written} (see" in said("", "play", "--resume", NAME)

    def interrupted(prompt: str) -> str:
        raise KeyboardInterrupt

    monkeypatch.setattr("sarai._cli.replay.ask", interrupted)
    monkeypatch.setattr("sarai._cli.replay.somebody_is_there", lambda: True)
    assert said("", "replay", NAME).endswith(f"to go on: sarai replay {written} --from 0")
    sarai.Record.from_steps("shah", [4, 19], agents=["human", "greedy"]).save(NAME)
    monkeypatch.setattr("sarai._cli.session.ask", interrupted)
    assert said("", "play", "--resume", NAME).endswith(f"sarai play --resume {written}")


def test_quoting(monkeypatch: Patch) -> None:
    for name, posix, windows in (
        ("game.json", "game.json", "game.json"),
        ("a b.json", "'a b.json'", '"a b.json"'),
        (r"C:\Users\me\game.json", r"'C:\Users\me\game.json'", r"C:\Users\me\game.json"),
        ("C:\\my games\\", "'C:\\my games\\'", '"C:\\my games\\\\"'),
        ("a&b.json", "'a&b.json'", '"a&b.json"'),
        ("#1.json", "'#1.json'", '"#1.json"'),
        ("-x.json", "./-x.json", "./-x.json"),
        ("\x1b[2J.json", "'\\x1b[2J.json'", '"\\x1b[2J.json"'),
    ):
        for on_windows, expected in ((False, posix), (True, windows)):
            monkeypatch.setattr(hints, "_ON_WINDOWS", on_windows)
            assert hints.quoted(name) == expected
