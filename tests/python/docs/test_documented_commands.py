"""Every command that the pages show is run; of a build or a download as much as a test may run."""

from __future__ import annotations

import importlib.metadata
import io
import re
import runpy
import shlex
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from helpers.places import ROOT
from sarai import Record, cli, games

PAGES = [
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")),
    *sorted((ROOT / "docs").glob("**/*.md")),
    *sorted((ROOT / "examples").glob("*.py")),
]
MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")
PROGRAMS = r"(?:sarai|make|pip|cargo|python|\.venv/bin/python)"
# What stands for something that a user puts in its place.
PLACES = {"GAME": "shah", "FILE": "game.json", "<game>": "shah"}
# What makes a script of benches/python short: its constants, from the functions that it has.
SHORT: dict[str, Callable[[dict[str, Any]], dict[str, Any]]] = {
    # What it measures is not installed here: `make integrations-env` has it.
    "adapters.py": lambda _: {"find_spec": lambda module: None},
    "arena.py": lambda _: {"GAMES": 2, "TRIALS": 2, "GROUPS": [5]},
    "comparison.py": lambda _: {"TRIALS": 3, "SIZES": (8,)},
    "datasets.py": lambda _: {"GAMES": 40, "PARTS": 3, "ROUNDS": 1},
    "exact.py": lambda _: {"ROWS": 300},
    "metrics.py": lambda _: {},
    "rollouts.py": lambda _: {"GAMES": 20, "LOOP_GAMES": 1},
    "search.py": lambda _: {"ROOTS": 4, "SIMULATIONS": 2, "peers": lambda preset: []},
    "self_play.py": lambda _: {"LANES": 4, "STEPS": 3, "ROUNDS": 2},
    "serve.py": lambda _: {"SESSIONS": 4, "MINUTES": 0.02, "THINKING": 0.01},
    "states.py": lambda _: {"ROWS": 40, "LOOP": 4, "POSITIONS": 2},
    "threads.py": lambda script: {"KINDS": {name: script["self_play"](name, 4) for name in games()}},
}
# And what it is given.
ARGUMENTS = {
    "exact.py": ["--games", "20", "--against", "random"],
    "metrics.py": ["--games", "20", "--rounds", "1"],
    "search.py": ["--rounds", "1"],
    "threads.py": ["--rounds", "1", "--seconds", "0"],
}


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


def commands(page: Path) -> list[str]:
    return list(dict.fromkeys(commands_of(page.read_text(encoding="utf-8"))))


def test_commands_are_found() -> None:
    page = (
        "Type `sarai games`.\n\n    make run   # all\n\n```sh\nsarai rules sho\n```\n```text\nsarai no\n```\n"
    )
    assert list(commands_of(page)) == ["make run", "sarai rules sho", "sarai games"]
    found = {command for page in PAGES for command in commands(page)}
    assert {"make run", "make test", "sarai play shuanglu --against greedy"} < found
    assert len(found) > 40


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_commands(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    # One command may read what one before it has written.
    for command in commands(page):
        words = shlex.split(command)
        {"sarai": sarai, "make": make, "pip": pip, "cargo": cargo}.get(words[0], python)(
            words[1:], monkeypatch
        )
        assert capsys.readouterr().err == "", command


@pytest.mark.parametrize("command", [cli.command, *cli.COMMANDS], ids=lambda command: command.name)
def test_examples_in_the_help(
    command: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    if command.name == "replay":
        for name in ("game.json", "game.txt"):
            Record.play("shah", seed=1).save(name)
    examples = [line.strip() for line in command.epilog.splitlines()[1:] if "Example" not in line]
    assert examples
    for example in examples:
        program, *words = shlex.split(example)
        assert program == "sarai"
        sarai(words, monkeypatch)
        assert capsys.readouterr().err == "", example


def sarai(words: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Run it with few games or stones, playing the first move of each list and leaving."""
    known = {command.name: command for command in cli.COMMANDS}
    if len(words) < 2:
        # A command's name in a sentence, or nothing.
        assert words == [] or words[0] in known
        return
    if len(words) == 2 and words[1].startswith("--"):
        # An option's name in a sentence.
        assert any(words[1] in parameter.opts for parameter in known[words[0]].params)
        return
    words = [PLACES.get(word, word) for word in words]
    if "--games" in words:
        words[words.index("--games") + 1] = "40"
        words.append("--no-progress")
    if words[:2] == ["dataset", "verify"]:
        words.append("--no-progress")
    if "--ray" in words:
        # Ray is not installed here; tests/integrations makes datasets on it.
        words.remove("--ray")
    if words[0] == "train":
        if "--minutes" in words:
            words[words.index("--minutes") + 1] = "0.001"
            words.append("--no-progress")
        words += ["--evaluations", "0"]
    if words[0] == "solve":
        # What takes hours is only read; without --out nothing could be written.
        if "--placing" in words or "--all" in words:
            with pytest.raises(SystemExit, match="0"):
                known["solve"].main([*words[1:], "--help"])
            return
        if "--stones" in words:
            words[words.index("--stones") + 1] = "3"
        if "--stones" in words or "--values" in words:
            words.append("--no-progress")
    if words[0] == "serve":
        served(words[1:], monkeypatch)
        return
    monkeypatch.setattr("sys.stdin", io.StringIO("1\n1\nquit\n"))
    assert cli.main(words) == 0, words


def served(words: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Serve until the page can be opened, without a browser."""
    opened = threading.Event()

    def ended(_server: object, _sockets: object) -> None:
        _server._ready()  # type: ignore[attr-defined]
        raise KeyboardInterrupt

    monkeypatch.setattr("sarai.web.server.Server.run", ended)
    monkeypatch.setattr("webbrowser.open", lambda _address: opened.set())
    assert cli.main(["serve", *words]) == 0
    if "--no-browser" not in words:
        assert opened.wait(60)


def make(words: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Let it say what it would do, and look that `make help` tells of the target."""
    if shutil.which("make") is None:
        pytest.skip("there is no make here")
    # Of the make in which this test may run.
    for name in ("MAKEFLAGS", "MAKELEVEL", "MFLAGS"):
        monkeypatch.delenv(name, raising=False)
    done = subprocess.run(["make", "-n", *words], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    for target in (word for word in words if "=" not in word):
        if target != "develop":  # a step of others, and the only one that the pages name
            assert re.search(rf"^{target}:.*## ", MAKEFILE, re.MULTILINE)


def pip(words: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Look that there is what it is to install."""
    assert words.pop(0) == "install"
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    if words[0] == "--group":
        assert f"\n{words[1]} = [" in project
        return
    known = set(importlib.metadata.metadata("sarai").get_all("Provides-Extra") or ())
    for word in words:
        name, extras = re.fullmatch(r"([\w-]+|\.)(?:\[([\w,-]+)\])?", word).groups()  # type: ignore[union-attr]
        if name in ("sarai", "."):
            assert set(extras.split(",") if extras else ()) <= known, word
        else:
            assert f'"{name}>=' in project, word


def cargo(words: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Check that the tests and benchmarks in it exist."""
    if words in (["check", "--tests"], ["test", "--doc"]):
        return
    if words[0] == "test":
        named = iter(words[1:])
        for word in named:
            if word == "--test":
                program = next(named)
                folder = ROOT / "tests" / program
                assert folder.with_suffix(".rs").exists() or (folder / "main.rs").exists()
                if folder.is_dir() and "::" in words[-1]:
                    assert (folder / next(named).replace("::", ".rs")).exists()
            elif word != "--lib":
                *path, name = word.split("::")
                source = (ROOT / "src" / "/".join(path)).with_suffix(".rs").read_text(encoding="utf-8")
                assert f"#[test]\nfn {name}" in source
    elif words[0] == "clippy":
        assert f"\tcargo {' '.join(words)}\n" in MAKEFILE
    else:
        assert words[:2] == ["bench", "--"]
        sources = [path.read_text(encoding="utf-8") for path in (ROOT / "benches").glob("*.rs")]
        assert any(
            re.search(rf"bench_function\(\"[^\"]*{words[2]}|\"[\w ]*{words[2]}", source) for source in sources
        )


def python(words: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Let pytest collect what it would test; the other scripts have tests of their own."""
    for place, stands_for in PLACES.items():
        words = [word.replace(place, stands_for) for word in words]
    if words[:2] == ["-m", "pytest"]:
        run = [sys.executable, "-m", "pytest", "--collect-only", "-q", *words[2:]]
        subprocess.run(run, cwd=ROOT, capture_output=True, check=True)
    elif words[:2] == ["-m", "pip"]:
        pip(words[2:], monkeypatch)
    elif words[:2] in (["-m", "ruff"], ["-m", "mypy"]):
        assert f"\t'$(VENV_PYTHON)' {' '.join(words)}\n" in MAKEFILE
    elif words[:2] in (["-m", "jupyterlab"], ["-m", "jupyter"]):
        # An application, which a test cannot wait for.
        assert list(ROOT.glob(words[-1]))
        pip(["install", "jupyterlab"], monkeypatch)
    elif words and words[0] != "benches/python/<script>.py":
        # `make test-integrations` runs the examples, with the arguments that stand here.
        assert re.fullmatch(r"examples/\w+\.py|scripts/\w+\.py|benches/strength\.py", words[0]), words
        assert (ROOT / words[0]).exists()


def test_every_script_of_the_benchmarks_is_short_here() -> None:
    assert SHORT.keys() == {path.name for path in (ROOT / "benches" / "python").glob("*.py")}


@pytest.mark.parametrize("script", SHORT)
def test_benchmarks_print_a_row_for_each(
    script: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.argv", [script, *ARGUMENTS.get(script, [])])
    module = runpy.run_path(str(ROOT / "benches" / "python" / script))
    main = module["main"]
    shorter = SHORT[script](module)
    assert shorter.keys() <= module.keys()
    main.__globals__.update(shorter)
    main()
    rows = capsys.readouterr().out.splitlines()[1:]
    each = {
        "adapters.py": {"TorchRL", "RLlib"},
        "exact.py": {"probes", "random"},
        # A line now and then about the memory; the games, a move, and errors.
        "serve.py": {"after", "4", "a", "errors:"},
    }
    assert {row.split()[0] for row in rows} == each.get(script, set(games()))


def test_the_bench_of_strength_says_what_is_due(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.path", [*sys.path])
    script = runpy.run_path(str(ROOT / "benches" / "strength.py"))
    short = {"arena": "GAMES", "search": "ROOTS", "states": "ROWS"}
    for module, size in short.items():
        monkeypatch.setattr(script[module], size, 4)
    script["main"].__globals__.update(
        DEPTH=2,
        rate=lambda work: float(work() > 0),
        cost=lambda name, agent, decisions=40: 20.0,
        duel=lambda name, one, other, games, plies: script["Duel"](
            0.0, 0.0, 0.0, f"{name} {one} against {other}"
        ),
        # OpenSpiel is not installed everywhere, and takes its time.
        find_spec=lambda module: None,
    )
    script["main"](["--games", "1"])
    rows = capsys.readouterr().out.splitlines()
    assert all(" due " in row for row in rows)
    for due in ("5 M", "12 times", "1 M", "4 M", "60 s", "400", "1 ms", "200 on average"):
        assert any(f" due {due} " in row + " " for row in rows), due
