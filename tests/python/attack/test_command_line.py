"""The command line: words, surroundings and input that nobody would type, and Ctrl-C at any place.

Whatever it is given, it ends with a status of its own, an error is one line that says so, and nothing that it prints
may control a terminal.
"""

from __future__ import annotations

import io
import json
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any
from unittest import mock

import pytest
from hypothesis import given
from hypothesis import strategies as st

import sarai
from attack import values
from attack.interrupting import interrupted
from attack.oracle import SHORT, call, games, states, tries
from attack.values import Strategy, near, texts
from sarai import _cli as cli

TAKES: dict[str, list[str]] = {
    command: options.split()
    for command, options in {
        "games": "",
        "agents": "",
        "rules": "--option --preset",
        "perft": "--position --option --preset",
        "play": "--option --preset --seed --save --resume --against --seat",
        "replay": "--from --to --svg --gif --html --theme --seconds",
        "show": "--option --preset --out --theme --position",
        "rollout": "--agents --seed --first-game --threads --out --picture --out-dir --preset",
        "analyse": "--agent --games --plays --threads --position --seconds --seed --option",
        "arena": "--schedule --dice --save --seed --random-plies --option",
    }.items()
}
FLAGS = "--json --no-color --all --no-picture --no-progress --jsn --json=1 --help --version".split()  # noqa: SIM905
LOOSE = ["-h", "--", "-", "---", "-x", "--seed", "--\x1b", "--\udcff", ""]
AGENTS = ["random", "greedy", "mcts:3", "human", "random,greedy", "random,,", f"mcts:{'9' * 5000}"]
FILES = [
    *("missing", "missing/x.json", "x" * 300 + ".svg", "a\nb.json", "\x1b[31m.json", "\udcff.json"),
    *("ü.json", "", ".", "/dev/null", "/dev/full", "/dev/zero", "/proc/self/mem", "dir/new.svg", "new.npz"),
    *("C:\\x.json", "x.png", "x.gif", "game.json", "game.txt", "mine.json", "empty", "deep.json"),
    *("controls.json", "noise", "loop", "dangling", "x.SVG"),
]
VALUES = [
    *("null", "[1]", "{}", '"x"', "1e400", "NaN", "true", "[" * 5000, "9" * 5000, "Infinity", "\udcff"),
    '"',
]

_numbers: Strategy = st.sampled_from(
    [
        *(
            *("0", "1", "2", "-1", "1.5", "1e5", "nan", "inf", "９", "²", "x", "", "9" * 5000, "1_0", "+1"),
            *("0x1", " 1"),
        )
    ]
)
_files = st.sampled_from(FILES)
_options: Strategy = st.one_of(
    st.builds(
        "{}={}".format, st.sampled_from(sorted({key for book in SHORT.values() for key in book})), _numbers
    ),
    st.builds("{}={}".format, near("max_turns", "coins"), st.sampled_from(VALUES) | texts),
    texts,
)
_agents = st.sampled_from(AGENTS) | near(*AGENTS[:5]) | texts
_positions: Strategy = st.one_of(
    _files,
    texts,
    states.map(str).flatmap(values.changed_text),
    states.map(lambda state: state.to_json()[:200]),
)
WORDS: dict[str, Strategy] = {
    **dict.fromkeys(("--agents", "--agent", "--against"), _agents),
    **dict.fromkeys(
        ("--out", "--out-dir", "--picture", "--svg", "--gif", "--html", "--save", "--resume"), _files
    ),
    "--option": _options,
    "--preset": near("basic", "lhasa", "teams"),
    "--position": _positions,
    "--theme": st.sampled_from(["light", "dark", "print"]) | texts,
    "--dice": near("own"),
    "--schedule": near("gauntlet"),
}


@st.composite
def commands(draw: Any) -> list[str]:
    """The words of a command, a few of them wrong."""
    name, game = draw(st.sampled_from(list(TAKES))), draw(games)
    short = [f"--option={key}={value}" for key, value in SHORT[game].items()]
    words = [name] if name in ("games", "agents") else [name, game]
    if name == "replay":
        words = [name, draw(st.sampled_from(["game.json", "game.txt", "mine.json"]) | _files)]
    words += {
        "play": short,
        "perft": [draw(st.sampled_from(["1", "2"]))],
        "analyse": ["--agent", "greedy", *short],
        "rollout": ["--games", "3", *short],
        "arena": ["greedy", "random", "--games", "2", *short],
    }.get(name, [])
    for _ in range(draw(st.sampled_from([0, 1, 1, 2, 3]))):
        option = draw(st.sampled_from([*TAKES[name] * 4, *FLAGS, *WORDS]))
        if option in FLAGS:
            words.append(option)
        elif draw(st.integers(0, 9)) == 9:
            words.append(draw(st.sampled_from(LOOSE) | texts | _positions))
        else:
            value = draw(WORDS.get(option, _numbers))
            words += [f"{option}={value}"] if draw(st.integers(0, 9)) == 9 else [option, value]
    if draw(st.integers(0, 3)) == 3:
        at = draw(st.integers(0, len(words) - 1))
        words[at] = draw(near(words[at] or "x", *TAKES) | texts)
    if words[0] in ("perft", "serve", "train", "solve", "dataset"):
        # To count deeper is nothing wrong, but takes longer than anybody waits for.
        words = [*words[:2], *("2" if word.strip().isdigit() else word for word in words[2:])]
    # What a shell hands over has no NUL.
    return [word.replace("\0", "?") for word in words]


_line: Strategy = st.sampled_from(
    [
        *("1", "2", "help", "legal", "board", "hint", "undo", "save", "save x.json", "save \0"),
        *("save " + "y" * 500, "save dir", "save a\x1bb.json", "save \udcff", "save /dev/full", "quit", ""),
        *("\x1b[A", "99", "-1", "²", "lgeal"),
    ]
)
typing: Strategy = st.one_of(
    st.lists(_line | texts, max_size=9).map(lambda lines: "\n".join(lines).encode("utf-8", "surrogatepass")),
    st.sampled_from([b"", None, b"\xff\xfe\n", b"1" * 9000, b"\0\n" * 50]),
)
"""What comes from the standard input."""

surroundings: Strategy = st.fixed_dictionaries(
    {},
    optional={
        "COLUMNS": st.sampled_from(["0", "-1", "1", "5", "9" * 30, "x", "", "1e3", "٣"]),
        "LINES": st.sampled_from(["0", "-1", "1", "9" * 30, "x", ""]),
        "TERM": st.sampled_from(["dumb", "", "xterm-256color", "nothing"]),
        "NO_COLOR": st.sampled_from(["1", ""]),
        "HOME": st.sampled_from(["", "/nowhere", "x" * 5000]),
        "FORCE_COLOR": st.just("0"),
        "TTY_COMPATIBLE": st.just("x"),
        "LANG": st.sampled_from(["C", "nonsense"]),
    },
)
"""Variables of the environment, some with values that nobody sets."""


@pytest.fixture(scope="module", autouse=True)
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """The current folder, with the files that are named on the command line."""
    before = Path.cwd()
    os.chdir(tmp_path_factory.mktemp("command_line"))
    mine = sarai.Record.from_steps("shah", [4, 19], agents=["human", "greedy"])
    for ending in ("json", "txt"):
        sarai.Record.play(sarai.make("shah", rules={"max_turns": 20}), seed=1).save(f"game.{ending}")
        mine.save(f"mine.{ending}")
    controls = {**json.loads(mine.to_json()), "agents": ["human", "\x1b[2J\u202e\ud800"]}
    for name, text in {
        "empty": "",
        "deep.json": "[" * 100_000,
        "controls.json": json.dumps(controls),
    }.items():
        Path(name).write_text(text, encoding="utf-8")
    Path("noise").write_bytes(bytes(range(256)))
    Path("dir.svg").mkdir()
    if sys.platform != "win32":
        os.symlink("loop", "loop")
        os.symlink("nowhere/x", "dangling")
    yield
    os.chdir(before)


@contextmanager
def at_terminal(typed: bytes | None, around: dict[str, str], encoding: str, out: str) -> Iterator[Any]:
    """Other streams and another environment for a while; what is yielded says what was written to them."""
    stdin = None if typed is None else io.TextIOWrapper(io.BytesIO(typed), encoding="utf-8")
    raw = io.BytesIO() if out == "kept" else full() if out == "full" else closed_pipe()
    errors = io.BytesIO()
    stdout = io.TextIOWrapper(raw, encoding, "strict", "\n", write_through=True)
    stderr = io.TextIOWrapper(errors, encoding, "backslashreplace", "\n", write_through=True)

    def said() -> tuple[str, str]:
        output = raw.getvalue().decode(encoding) if out == "kept" else ""
        return output, errors.getvalue().decode(encoding)

    with (
        mock.patch.dict(os.environ, around),
        mock.patch.multiple(sys, stdin=stdin, stdout=stdout, stderr=stderr),
    ):
        yield said
    with suppress(OSError):
        stdout.close()


def full() -> Any:
    """A device that takes nothing."""
    return open("/dev/full", "wb", buffering=0)


def closed_pipe() -> Any:
    """A pipe that nobody reads."""
    reading, writing = os.pipe()
    os.close(reading)
    return open(writing, "wb", buffering=0)


def run(words: list[str], at: int | None) -> Any:
    """The command's exit status."""
    try:
        if at is None:
            return cli.main(words)
        done = interrupted(lambda: cli.main(words), at)
    except SystemExit as error:
        return error.code
    if isinstance(done.instead, SystemExit):
        return done.instead.code
    if done.instead is not None:
        raise done.instead
    return 130 if done.value is None else done.value


def judged(
    words: list[str], typed: bytes | None, around: dict[str, str], encoding: str, out: str, at: int | None
) -> None:
    """Run the command, and judge how it has ended."""
    with at_terminal(typed, around, encoding, out) as said:
        met = call(run, words, at)
        output, errors = said()
    assert met.error is None, f"{met.error!r}"
    assert type(met.value) is int
    assert met.value in ((0, 1, 2) if at is None else (0, 1, 2, 130)), f"status {met.value}: {errors[-300:]}"
    assert "Traceback" not in errors
    assert len(output) + len(errors) < 2_000_000
    assert "FORCE_COLOR" in around or f"{output}{errors}".replace("\n", "").isprintable()
    if at is None and out == "kept":
        lines = errors.splitlines()
        said_so = [line for line in lines if line.startswith("error: ")]
        assert len(said_so) == (met.value != 0), f"status {met.value}: {errors[-300:]}"
        assert said_so in ([], lines[-1:])
        assert len(errors) <= 2000
    assert not [each for each in os.listdir() if each.endswith(".tmp")]


@tries(350)
@given(
    commands(), typing, st.just({}) | surroundings, st.sampled_from(["utf-8", "utf-8", "ascii", "latin-1"])
)
def test_words(words: list[str], typed: bytes | None, around: dict[str, str], encoding: str) -> None:
    judged(words, typed, around, encoding, "kept", None)


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no device that takes nothing")
@tries(40)
@given(commands(), typing, st.sampled_from(["full", "pipe"]))
def test_output_that_goes_nowhere(words: list[str], typed: bytes | None, out: str) -> None:
    judged(words, typed, {}, "utf-8", out, None)


@tries(25)
@given(commands(), typing, st.integers(0, 3000))
def test_ctrl_c_anywhere(words: list[str], typed: bytes | None, at: int) -> None:
    # If Ctrl-C ends its import, modules of matplotlib hold on to the half that there was: nothing of ours mends that.
    pytest.importorskip("matplotlib.figure")
    judged(words, typed, {}, "utf-8", "kept", at)
