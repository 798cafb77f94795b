"""The command line: words, surroundings and input that nobody would type, and Ctrl-C at any place."""

from __future__ import annotations

import io
import os
import random
import resource
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Any

import sarai
from attack import values, worlds
from attack.calls import SHORT
from attack.interrupting import interrupted
from attack.positions import changed_text
from attack.scratch import folder
from attack.trial import Trial, shown
from sarai import cli

ROOM = 1 << 30
"""Bytes of memory beyond what the process has: a wide enough screen takes all there is."""

LARGEST = 2_000_000
"""Characters of the largest output."""

COMMANDS = ("games", "rules", "play", "replay", "show", "perft", "rollout")
STATUSES = (0, 1, 2, 130)


def prepare() -> None:
    """Take the rest of the memory away, and stand in a folder of one's own."""
    # If Ctrl-C ends its import, modules of matplotlib hold on to the half that there was: nothing of ours mends that.
    import matplotlib.figure  # noqa: F401

    os.chdir(home_of_files())
    used = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (used + ROOM, used + ROOM))


@cache
def home_of_files() -> Path:
    """Where the files are that are named on the command line."""
    home = folder() / "a" / "b" / "c"
    home.mkdir(parents=True)
    for game in worlds.GAMES:
        record = sarai.Record.play(game, seed=1, rules={**SHORT[game], "max_turns": 8})
        for ending in ("json", "txt"):
            record.save(home / f"{game}.{ending}")
    asked = sarai.Record.from_steps("shah", [4, 19], seed=3, agents=["human", "random"])
    asked.save(home / "human.json")
    (home / "junk.json").write_bytes(bytes(range(256)))
    (home / "empty.txt").write_bytes(b"")
    (home / "folder.json").mkdir()
    return home


def attack(trial: Trial) -> None:
    """One case: one command."""
    rng = trial.rng
    words = command(rng)
    typed = typing(rng)
    around = surroundings(rng)
    at = rng.randrange(3_000) if rng.random() < 0.15 else None
    out = rng.choice(["file"] * 12 + ["full", "closed pipe", "ascii"])
    with at_terminal(around, typed, out) as said:
        met = trial.call(run, words, at, also=(KeyboardInterrupt,) if at is not None else ())
        output, errors = said()
    what = f"sarai {shown(words)} <{shown(typed)} {shown(around)} >{out}"
    what += "" if at is None else f", interrupted at {at}"
    trial.hold(met.error is None or at is not None, f"{what}: {met.error!r}", "an exit status")
    if met.error is not None:
        return
    status = met.value
    trial.hold(type(status) is int and status in STATUSES, f"{what}: status {status}", f"one of {STATUSES}")
    trial.hold("Traceback" not in errors, f"{what}: {shown(errors[-300:])}", "no traceback")
    trial.hold(
        len(output) + len(errors) < LARGEST, f"{what}: {len(output) + len(errors):,} characters", "fewer"
    )
    if status == 2:
        line = errors.strip().split("\n")[-1]
        trial.hold(
            line.startswith("error: "), f"{what}: {shown(errors[-300:])}", "a line that says what was wrong"
        )
    if status == 0 and out == "file" and at is None:
        trial.hold("error:" not in errors, f"{what}: status 0 and {shown(errors[-300:])}", "status 1 or 2")
    left = [each.name for each in home_of_files().iterdir() if each.suffix == ".tmp"]
    for name in left:
        (home_of_files() / name).unlink()
    trial.hold(not left, f"{what}: left {left}", "no temporary file")


def run(words: list[str], at: int | None) -> Any:
    """The command's exit status."""
    status: list[Any] = []
    try:
        if at is None:
            return cli.main(words)
        done = interrupted(lambda: status.append(cli.main(words)), at)
        if done.instead is not None:
            raise done.instead
        if not status:
            raise KeyboardInterrupt
        return status[0]
    except SystemExit as error:
        return error.code


@contextmanager
def at_terminal(around: dict[str, str], typed: bytes | None, out: str) -> Iterator[Any]:
    """Other streams and another environment for a while; what is yielded gives what was written to them."""
    before = (sys.stdin, sys.stdout, sys.stderr, dict(os.environ))
    with tempfile.TemporaryFile() as first, tempfile.TemporaryFile() as second:
        stdout = open(descriptor(out, first), "w", encoding="ascii" if out == "ascii" else "utf-8")
        stderr = open(os.dup(second.fileno()), "w", encoding="utf-8", errors="backslashreplace")
        stdin = None if typed is None else io.TextIOWrapper(io.BytesIO(typed), encoding="utf-8")
        sys.stdin, sys.stdout, sys.stderr = stdin, stdout, stderr
        os.environ.update(around)

        def said() -> tuple[str, str]:
            for stream in (stdout, stderr):
                with suppress(OSError):
                    stream.flush()
            first.seek(0)
            second.seek(0)
            return first.read().decode(errors="replace"), second.read().decode(errors="replace")

        try:
            yield said
        finally:
            sys.stdin, sys.stdout, sys.stderr = before[:3]
            os.environ.clear()
            os.environ.update(before[3])
            for stream in (stdout, stderr):
                with suppress(OSError):
                    stream.close()


def descriptor(out: str, file: Any) -> int:
    """Where the output goes."""
    if out == "full":
        return os.open("/dev/full", os.O_WRONLY)
    if out == "closed pipe":
        reading, writing = os.pipe()
        os.close(reading)
        return writing
    return os.dup(file.fileno())


def surroundings(rng: random.Random) -> dict[str, str]:
    """Variables of the environment, some with values that nobody sets."""
    found: dict[str, list[str]] = {
        "COLUMNS": ["0", "-1", "1", "5", "99999999", "9" * 30, "x", "", "1e3", "٣"],
        "LINES": ["0", "-1", "1", "99999999", "9" * 30, "x", ""],
        "TERM": ["dumb", "", "xterm-256color", "nothing", "unknown"],
        "NO_COLOR": ["1", ""],
        "FORCE_COLOR": ["1", "0", "x"],
        "TTY_COMPATIBLE": ["1", "x"],
        "HOME": ["", "/nowhere", "x" * 5000],
        "LANG": ["C", "nonsense"],
        "COLORTERM": ["truecolor", "x"],
    }
    return {name: rng.choice(found[name]) for name in rng.sample(list(found), rng.choice([0, 0, 1, 1, 2, 9]))}


def typing(rng: random.Random) -> bytes | None:
    """What comes from the standard input."""
    words = [
        "1",
        "2",
        "quit",
        "help",
        "legal",
        "undo",
        "board",
        "hint",
        "save x.json",
        "save",
        "b",
        "end",
        "",
        "save /x/y",
    ]
    lines = [rng.choice([*words, values.text(rng, words)]) for _ in range(rng.randrange(6))]
    text = "\n".join(lines).encode("utf-8", "surrogatepass")
    return rng.choice(
        [text, text, text, b"", None, b"\xff\xfe\n", b"1" * 100_000, text + b"\n\xff", b"\0\n" * 50]
    )


def command(rng: random.Random) -> list[str]:
    """The words of a command, a few of them wrong."""
    name = rng.choice(COMMANDS)
    game = rng.choice(worlds.GAMES)
    short = [f"--option={key}={str(value).lower()}" for key, value in SHORT[game].items()]
    words: list[str] = {
        "games": ["games"],
        "rules": ["rules", game],
        "play": ["play", game, "--seed", "3", "--against", rng.choice(["random", "greedy"]), *short],
        "replay": ["replay", rng.choice([f"{game}.json", f"{game}.txt", "human.json"])],
        "show": ["show", game],
        "perft": ["perft", game, rng.choice(["1", "2"])],
        "rollout": ["rollout", game, "--games", "3", "--threads", "1", *short],
    }[name]
    if rng.random() < 0.9:
        words += [word for _ in range(rng.choice([0, 1, 1, 2, 3])) for word in more(rng, game)]
    if rng.random() < 0.3:
        place = rng.randrange(len(words))
        words[place] = rng.choice([values.text(rng, [words[place]]), values.text(rng, COMMANDS)])
    if rng.random() < 0.05:
        words.insert(rng.randrange(len(words) + 1), rng.choice(["--", "-", "--help", "-h", "--version", ""]))
    if name == "perft":
        # To count deeper is nothing wrong, but takes longer than anybody waits for.
        words = ["2" if index_of_text(word) in range(3, 101) else word for word in words]
    # What a shell hands over has no NUL, and an argument is a text that the file system could have named.
    return [word.replace("\0", "?") for word in words]


def index_of_text(word: str) -> int | None:
    """The whole number that a word is read as."""
    try:
        return int(word)
    except ValueError:
        return None


def more(rng: random.Random, game: str) -> list[str]:
    """An option with its value, proper or not; none of them takes long."""
    number = rng.choice(
        ["0", "1", "2", "-1", "1.5", "x", "", "9" * 30, "1e3", "nan", "٣", "+1", "0x1", " 1", "1_0"]
    )
    file = rng.choice(
        [
            *(f"{game}.json", "human.json", "junk.json", "empty.txt", "folder.json", "no.json"),
            *("/dev/null", "/dev/full"),
            *("x.npz", "x.svg", "no/x.svg", "x.gif", "", ".", "..", "x" * 300 + ".svg", "é\n.svg"),
            *("\udcff.svg", "-x.svg"),
            *("/proc/self/mem", "x.txt", "/nowhere/x.json", "x.png", "a\tb.svg", "x.SVG"),
        ]
    )
    rule = rng.choice(list(SHORT[game]))
    value = rng.choice(
        [number, "true", "null", "[]", "{}", "Infinity", '"', "[" * 2000, "\udcff", values.text(rng)]
    )
    text = values.text(rng).replace("\0", "")
    position = changed_text(rng, str(worlds.some_state(rng))) if rng.random() < 0.7 else text
    found = [
        *(["--json"], ["--no-color"], ["--all"], ["--no-progress"], ["--no-picture"], ["--preset", text]),
        *(["--preset", rng.choice(list(sarai.presets(game)))], ["--option", f"{rule}={value}"]),
        ["--option", text],
        *(["--option", f"{values.near(rng, rule)}={value}"], ["--seed", number], ["--seat", number]),
        ["--first-game", number],
        *(["--against", text], ["--against", "human"], ["--agents", text], ["--agents", "random,greedy"]),
        ["--save", file],
        *(["--resume", file], ["--out", file], ["--svg", file], ["--svg", "x.svg"], ["--theme", text]),
        ["--from", number],
        *(["--to", number], ["--seconds", number], ["--position", position], ["--position", file]),
        *([position], [file]),
        *(["--out-dir", file], ["--games", rng.choice(["0", "-1", "x", "9" * 30])]),
        ["--threads", rng.choice(["0", "999", "x"])],
        [text],
    ]
    return rng.choice(found)
