"""Every command that the pages and `--help` show is understood, and those of `sarai` do what they say."""

from __future__ import annotations

import importlib.metadata
import io
import re
import runpy
import shlex
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import pytest

from helpers.places import ROOT
from sarai import Record
from sarai import _cli as cli

PAGES = [
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")),
    *sorted((ROOT / "docs").glob("**/*.md")),
    *sorted((ROOT / "examples").glob("*.py")),
]
COMMANDS = {command.name: command for command in cli.COMMANDS}
EXPLAINED = [
    cli.command,
    *cli.COMMANDS,
    *(each for group in cli.COMMANDS if isinstance(group, click.Group) for each in group.commands.values()),
]
PROGRAMS = r"(?:sarai|make|pip|cargo|python|\.venv/bin/python)"
# What a user puts in place of these words.
PLACES = {"GAME": "shah", "FILE": "game.json", "<game>": "shah"}


def commands_of(text: str) -> Iterator[str]:
    """The commands of a page: indented lines, also in a list, lines of a shell's block, and code in a sentence."""
    blocks = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
    text = blocks.sub(lambda block: block[2] if block[1] == "sh" else "", text)
    lines = re.findall(rf"^(?: {{4}}| {{7}})?({PROGRAMS} .*)$", text, re.MULTILINE)
    lines += re.findall(rf"`({PROGRAMS}(?: [^`]*)?)`", text)
    for line in lines:
        # Two blanks and a "#" begin a comment.
        for command in re.split(r"\s+#", line)[0].split(" && "):
            yield command.strip()


def commands(page: Path, *programs: str) -> list[list[str]]:
    """The words of the commands of these programs on a page, each command once."""
    found = dict.fromkeys(commands_of(page.read_text(encoding="utf-8")))
    return [words for words in map(shlex.split, found) if words[0] in programs]


def examples(command: Any) -> list[list[str]]:
    """The words of the examples at the end of a command's help."""
    lines = command.epilog.splitlines()[2:]
    assert lines
    return [shlex.split(line) for line in lines]


def test_commands_are_found() -> None:
    page = (
        "Type `sarai games`.\n\n    make run   # all\n\n```sh\nsarai rules sho\n```\n```text\nsarai no\n```\n"
    )
    assert list(commands_of(page)) == ["make run", "sarai rules sho", "sarai games"]
    assert sum(len(commands(page, "sarai")) for page in PAGES) > 40


def test_every_command_is_understood() -> None:
    shown = [words for page in PAGES for words in commands(page, "sarai")]
    shown += [words for command in EXPLAINED for words in examples(command)]
    for _, *words in shown:
        if not words:
            continue
        command = COMMANDS[words[0]]
        if isinstance(command, click.Group) and words[1:]:
            command, words = command.commands[words[1]], words[1:]
        if len(words) == 1:
            continue
        if len(words) == 2 and words[1].startswith("--"):
            assert any(words[1] in parameter.opts for parameter in command.params), words
        else:
            # A command keeps the option --help of its first context, so this must be the one that `sarai` has.
            command.make_context(words[0], words[1:], help_option_names=["-h", "--help"])


def test_every_target_of_make_is_listed_by_its_help() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    listed = set(re.findall(r"^([a-z-]+):.*## ", makefile, re.MULTILINE))
    for page in PAGES:
        for _, *words in commands(page, "make"):
            targets = {word for word in words if "=" not in word}
            # A step of other targets.
            assert targets - {"develop"} <= listed, page


def test_everything_to_install_is_known() -> None:
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    extras = set(importlib.metadata.metadata("sarai").get_all("Provides-Extra") or ())
    for page in PAGES:
        for words in commands(page, "pip", "python"):
            if "install" not in words:
                continue
            *_, name = words
            if "--group" in words:
                assert f"\n{name} = [" in project
                continue
            for word in words[words.index("install") + 1 :]:
                name, _, several = word.rstrip("]").partition("[")
                assert name in ("sarai", ".") or f'"{name}>=' in project, word
                assert {*several.split(",")} - {""} <= extras, word


def test_every_script_and_test_is_there() -> None:
    for page in PAGES:
        for words in commands(page, "python", ".venv/bin/python", "cargo"):
            for word in words:
                for place, stands_for in PLACES.items():
                    word = word.replace(place, stands_for)
                if re.match(r"(examples|scripts|benches|tests|python)/", word) and "<" not in word:
                    assert (ROOT / word).exists(), word
            if "--test" in words:
                program = ROOT / "tests" / words[words.index("--test") + 1]
                module = words[-1].removesuffix("::")
                assert program.with_suffix(".rs").exists() or (program / f"{module}.rs").exists(), words


def test_benchmarks_import_what_they_measure(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.path", [*sys.path])
    benches = [ROOT / "benches" / "strength.py", *(ROOT / "benches" / "python").glob("*.py")]
    assert len(benches) > 10
    for path in benches:
        assert callable(runpy.run_path(str(path))["main"])


@pytest.mark.nightly
@pytest.mark.parametrize(
    "page", [page for page in PAGES if commands(page, "sarai")], ids=lambda page: str(page.relative_to(ROOT))
)
def test_commands_run(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    # One command may read what one before it has written.
    for _, *words in commands(page, "sarai"):
        if len(words) > 2 or (len(words) == 2 and not words[1].startswith("--")):
            run([PLACES.get(word, word) for word in words], monkeypatch)
            assert capsys.readouterr().err == "", words


@pytest.mark.nightly
@pytest.mark.parametrize("command", EXPLAINED, ids=lambda command: command.name)
def test_examples_of_the_help_run(
    command: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    if command.name == "replay":
        for name in ("game.json", "game.txt"):
            Record.play("shah", seed=1).save(name)
    for _, *words in examples(command):
        run(words, monkeypatch)
        assert capsys.readouterr().err == "", words


def run(words: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Run a command with few games or stones, playing the first move of each list and leaving."""
    # Servers are for tests/python/web and exact; what takes hours or needs Ray is parsed, and no more.
    if words[0] in ("serve", "exact") or (
        {"--placing", "--all", "--ray"} & {*words} and words[0] in ("solve", "dataset")
    ):
        return
    short = {"--games": "40", "--minutes": "0.001", "--stones": "3"}
    for option, value in short.items():
        if option in words:
            words[words.index(option) + 1] = value
    if {*short, "--values"} & {*words} or words[:2] == ["dataset", "verify"]:
        words.append("--no-progress")
    if words[0] == "train":
        words += ["--evaluations", "0"]
    monkeypatch.setattr("sys.stdin", io.StringIO("1\n1\nquit\n"))
    assert cli.main(words) == 0, words
