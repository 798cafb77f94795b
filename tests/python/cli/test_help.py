"""What the command line advises: the help, whatever Python leaves out; the word that was meant; names of files."""

from __future__ import annotations

import io
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

import sarai
from sarai import cli
from sarai.cli import hints, main

Captured = pytest.CaptureFixture[str]
Patch = pytest.MonkeyPatch

NAMES = [command.name for command in cli.COMMANDS]

ALL_HELP = """
from sarai import cli
for words in ([], *([command.name] for command in cli.COMMANDS)):
    cli.main([*words, "--help"])
"""


def test_the_help_needs_no_docstrings() -> None:
    plain, bare = (
        subprocess.run([sys.executable, *flags, "-c", ALL_HELP], capture_output=True, text=True, check=True)
        for flags in ([], ["-OO"])
    )
    assert bare.stdout == plain.stdout
    assert plain.stdout.count("Usage: ") == 1 + len(NAMES)


@pytest.mark.parametrize("command", [cli.command, *cli.COMMANDS], ids=lambda command: command.name)
def test_every_help_begins_with_what_the_command_does(command: cli.click.Command) -> None:
    assert command.help is not None
    assert len(command.help.split(". ")[0].split()) >= 5
    assert command.help != command.callback.__doc__


@pytest.mark.parametrize(
    ("words", "meant"),
    [
        (["rolout"], "rollout"),
        (["Play", "sho"], "play"),
        (["rollout", "sho", "--agent", "random"], "--agents"),
        (["rollout", "sho", "--no-pictur"], "--no-picture"),
        (["rules", "--hlep"], "--help"),
        (["--versoin"], "--version"),
        (["show", "sho", "--theme", "drak"], "dark"),
        (["replay", "game.json", "--svg", "x.svg", "--theme", "Light"], "light"),
        (["play", "shah", "--against", "humna"], "human"),
    ],
)
def test_a_word_that_was_meant(words: list[str], meant: str, capsys: Captured) -> None:
    assert main(words) == 2
    out, errors = capsys.readouterr()
    assert (out, errors.count("\n")) == ("", 1)
    assert errors.count("id you mean") == 1
    assert f"did you mean {meant!r}?" in errors


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["chess"], f"there are {', '.join(NAMES)}"),
        (["rules", "sho", "--chess"], "there is no option '--chess' (see"),
        (["show", "sho", "--theme", "red"], "it takes 'light' or 'dark', not 'red' (see"),
        (["--", "-x"], "-x"),
    ],
)
def test_a_word_that_is_like_none(words: list[str], sentence: str, capsys: Captured) -> None:
    assert main(words) == 2
    errors = capsys.readouterr().err
    assert "did you mean" not in errors
    assert sentence in errors


def test_a_word_in_the_game(monkeypatch: Patch, capsys: Captured) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("lgeal\nxyz\n"))
    assert main(["play", "shah", "--seed", "1"]) == 0
    lines = [line for line in capsys.readouterr().out.splitlines() if "is no legal move" in line]
    assert lines[0].endswith(" (did you mean 'legal'?)")
    assert lines[1].endswith("'help' for help")


NAME = "it's a & b $x.json"


@pytest.mark.parametrize(
    ("on_windows", "written"),
    [(False, shlex.quote(NAME)), (True, f'"{NAME}"')],
    ids=["posix", "windows"],
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

    monkeypatch.setattr("sarai.cli.replay.ask", interrupted)
    monkeypatch.setattr("sarai.cli.replay.somebody_is_there", lambda: True)
    assert said("", "replay", NAME).endswith(f"to go on: sarai replay {written} --from 0")
    sarai.Record.from_steps("shah", [4, 19], agents=["human", "greedy"]).save(NAME)
    monkeypatch.setattr("sarai.cli.session.ask", interrupted)
    assert said("", "play", "--resume", NAME).endswith(f"sarai play --resume {written}")


@pytest.mark.parametrize(
    ("name", "posix", "windows"),
    [
        ("game.json", "game.json", "game.json"),
        ("a b.json", "'a b.json'", '"a b.json"'),
        (r"C:\Users\me\game.json", r"'C:\Users\me\game.json'", r"C:\Users\me\game.json"),
        ("C:\\my games\\", "'C:\\my games\\'", '"C:\\my games\\\\"'),
        ("a&b.json", "'a&b.json'", '"a&b.json"'),
        ("#1.json", "'#1.json'", '"#1.json"'),
        ("-x.json", "./-x.json", "./-x.json"),
        ("\x1b[2J.json", "'\\x1b[2J.json'", '"\\x1b[2J.json"'),
    ],
)
def test_quoting(name: str, posix: str, windows: str, monkeypatch: Patch) -> None:
    for on_windows, expected in ((False, posix), (True, windows)):
        monkeypatch.setattr(hints, "_ON_WINDOWS", on_windows)
        assert hints.quoted(name) == expected
