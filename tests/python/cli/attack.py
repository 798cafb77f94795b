"""Words, files and lines that mean harm to the command line, without end: `python tests/python/cli/attack.py [SEED]`.

Each case is one call of `main`. Whatever it is given, it must end with 0, 1 or 2, an error must be one line that says
so, and nothing that it prints may control a terminal.
"""

from __future__ import annotations

import contextlib
import io
import itertools
import json
import os
import random
import sys
import tempfile
import traceback
from collections.abc import Iterator
from pathlib import Path

import sarai
from sarai.cli import main

HUGE = "9" * 5000
NUMBERS = [
    "0",
    "1",
    "2",
    "3",
    "-1",
    "1.5",
    "1e5",
    "nan",
    "inf",
    "９",
    "²",
    "x",
    "",
    str(2**63),
    str(2**64),
    HUGE,
    "1_0",
]
GAMES = ["Sho", "chess", "", "\x1b[31m", "\udcff", "sho,shah", "x" * 5000, "sh\no"]
AGENTS = [
    "random",
    "greedy",
    "mcts:3",
    "mcts:0",
    "mcts:",
    "mcts:-1",
    f"mcts:{HUGE}",
    "human",
    "gredy",
    "",
    "random,,",
]
AGENTS += ["random,greedy", "greedy,random,random", "\x1b[2J", "\udcff", "x" * 3000, ",", "mcts:1e3"]
OPTIONS = [
    "players=2",
    "players=9",
    "coins",
    "=",
    "coins=",
    "coins=null",
    "coins=[1]",
    "coins={}",
    'coins="x"',
]
OPTIONS += [
    "max_turns=12",
    "max_turns=1e400",
    "stake=NaN",
    "teams=True",
    "x" * 5000 + "=1",
    "\x1b=1",
    "a\nb=3",
]
OPTIONS += [
    "coins=" + "[" * 5000,
    f"coins={HUGE}",
    "\udcff=1",
    "coins=\udcff",
    "blocked=loses",
    "first_player=random",
]
PRESETS = ["lhasa", "teams", "nine_mens_morris", "Lhasa", "", "\x1b", "\udcff", "x" * 3000]
LINES = [
    "1",
    "2",
    "help",
    "legal",
    "board",
    "hint",
    "undo",
    "save",
    "save x.json",
    "save \0",
    "save " + "y" * 500,
]
LINES += [
    "save dir",
    "save a\x1bb.json",
    "save \udcff",
    "save /dev/full",
    "quit",
    "",
    "\x1b[A",
    "99",
    "-1",
    "²",
    "lgeal",
]
FLAGS = ["--json", "--no-color", "--all", "--no-picture", "--no-progress"]
LOOSE = [
    *FLAGS,
    "--help",
    "-h",
    "--version",
    "--",
    "-",
    "---",
    "-x",
    "--jsn",
    "--json=1",
    "--seed",
    "--\x1b",
    "--\udcff",
]
FILES = [
    "missing",
    "missing/x.json",
    "x" * 300,
    "a\nb.json",
    "\x1b[31m.json",
    "\udcff.json",
    "ü.json",
    "",
    ".",
    "-",
    "--",
]
FILES += [
    "/dev/null",
    "/dev/full",
    "/dev/zero",
    "/proc/self/mem",
    "dir/new.svg",
    "new.npz",
    "dir/n.txt",
    "C:\\x.json",
]

TAKES = {
    "games": [],
    "agents": [],
    "rules": ["--option", "--preset"],
    "play": ["--option", "--preset", "--seed", "--save", "--resume", "--against", "--seat"],
    "replay": ["--from", "--to", "--svg", "--gif", "--html", "--theme", "--seconds"],
    "show": ["--option", "--preset", "--svg", "--theme"],
    "perft": ["--position", "--option", "--preset"],
    "rollout": [
        "--agents",
        "--seed",
        "--first-game",
        "--threads",
        "--out",
        "--picture",
        "--out-dir",
        "--preset",
    ],
}


class Attack:
    """Cases in a folder that may be filled with anything; the current folder must be this one."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)
        self._files = [*self._made_files(), *FILES]
        positions = [
            str(sarai.make("shah").new_initial_state()),
            "{}",
            "{",
            "null",
            '{"phase":1}',
            "[" * 5000,
            "\x1b[2J",
        ]
        self._values = {
            "--option": OPTIONS,
            "--preset": PRESETS,
            "--agents": AGENTS,
            "--against": AGENTS,
            "--theme": ["light", "dark", "drak", "", "DARK"],
            "--position": [*positions, *self._files],
            **dict.fromkeys(
                ["--out", "--out-dir", "--picture", "--svg", "--gif", "--html", "--save", "--resume"],
                self._files,
            ),
        }

    def failures(self) -> Iterator[str | None]:
        """For each case what is wrong with how it ended; None where nothing is."""
        while True:
            words = self._words()
            lines = "\n".join(self._random.choice(LINES) for _ in range(self._random.randrange(12)))
            wrong = _judged(words, lines, self._random.choice(["utf-8", "ascii", "latin-1"]))
            yield f"{[word[:60] for word in words]} {lines!r}: {wrong}" if wrong else None

    def _words(self) -> list[str]:
        pick = self._random.choice
        command = pick([*TAKES] * 4 + ["rolout", "", "\x1b", "--help", "\udcff", "Play"])
        words = [command]
        often = self._random.random() < 0.9
        if command in ("rules", "play", "show", "perft", "rollout") and often:
            words.append(pick([*sarai.games() * 4, *GAMES]))
        if command == "replay" and often:
            words.append(pick([*self._files, *["game.json", "game.txt", "mine.json"] * 8]))
        if command == "show" and self._random.random() < 0.5:
            words.append(pick(self._values["--position"]))
        if command == "perft":
            words.append(pick(["1", "2", "0", "x", "101", "-1"]))
        if command == "rollout":
            words += ["--games", pick(["1", "3", "0", "x"])]
        for _ in range(pick([0, 0, 1, 1, 2, 3])):
            option = pick([*TAKES.get(command, []) * 4, *FLAGS, *self._values])
            if option in FLAGS:
                words.append(option)
            elif self._random.random() < 0.1:
                words.append(pick(LOOSE))
            else:
                value = pick(self._values.get(option, NUMBERS))
                words += [option, value] if self._random.random() < 0.9 else [f"{option}={value}"]
        return words

    def _made_files(self) -> list[str]:
        game = sarai.Record.play("shah", "random", seed=1, rules={"max_turns": 20})
        mine = sarai.Record.from_steps("shah", [4, 19], agents=["human", "greedy"])
        for ending in ("json", "txt"):
            game.save(f"game.{ending}")
            mine.save(f"mine.{ending}")
        texts = {
            "empty": "",
            "deep.json": "[" * 100_000,
            "deeper.json": '{"a":' * 100_000,
            "long.json": '{"x": ' + HUGE + "}",
            "controls.json": json.dumps(
                {**json.loads(mine.to_json()), "agents": ["human", "\x1b[2J\u202e\ud800"]}
            ),
            "position": str(sarai.make("sho").new_initial_state()),
            "position.json": sarai.make("sho").new_initial_state().to_json(),
        }
        for name, text in texts.items():
            Path(name).write_text(text, encoding="utf-8")
        Path("noise").write_bytes(self._random.randbytes(3000))
        Path("dir.svg").mkdir()
        if hasattr(os, "symlink"):
            os.symlink("loop", "loop")
            os.symlink("nowhere/x", "dangling")
        return sorted(os.listdir())


def _judged(words: list[str], lines: str, encoding: str) -> str:
    """What is wrong with how a call has ended; nothing if nothing is."""
    out, errors = (
        io.TextIOWrapper(io.BytesIO(), encoding=encoding, errors=handler, write_through=True, newline="\n")
        for handler in ("strict", "backslashreplace")
    )
    status = None
    trace = ""
    with contextlib.ExitStack() as stack:
        stack.callback(setattr, sys, "stdin", sys.stdin)
        sys.stdin = io.StringIO(lines)
        stack.enter_context(contextlib.redirect_stdout(out))
        stack.enter_context(contextlib.redirect_stderr(errors))
        try:
            status = main(words)
        except BaseException as error:
            if isinstance(error, KeyboardInterrupt):
                raise
            trace = traceback.format_exc()
    told = errors.buffer.getvalue().decode(encoding)  # type: ignore[attr-defined]
    shown = out.buffer.getvalue().decode(encoding)  # type: ignore[attr-defined]
    if status not in (0, 1, 2):
        return f"status {status} {trace}"
    said = [line for line in told.splitlines() if line.startswith("error: ")]
    if len(said) != (status != 0) or (said and told.splitlines()[-1] != said[0]) or len(told) > 2000:
        return f"status {status}, and on stderr {told!r}"
    if not f"{shown}{told}".replace("\n", "").isprintable():
        return f"control characters in {shown + told!r}"
    return ""


if __name__ == "__main__":
    chosen = int(sys.argv[1]) if len(sys.argv) > 1 else random.SystemRandom().randrange(2**32)
    print(f"seed {chosen}; Ctrl-C ends it", flush=True)  # noqa: T201
    with tempfile.TemporaryDirectory() as place, contextlib.suppress(KeyboardInterrupt):
        os.chdir(place)
        for number, failure in zip(itertools.count(1), Attack(chosen).failures(), strict=False):
            if failure is not None:
                print(failure, flush=True)  # noqa: T201
            elif number % 1000 == 0:
                print(f"{number} cases", flush=True)  # noqa: T201
