"""Write the parts of docs/games/<game>.md that the package knows best: tables, pictures and figures.

    python scripts/game_pages.py            # rewrite them; with names of games, theirs only
    python scripts/game_pages.py --check    # compare only; exit status 1 when a page is not up to date

A page is written by hand but for what is between two comments, the first of which names the part and, for the
picture, the position as a JSON object:

    <!-- generated: options -->
    ...
    <!-- end -->

The diagrams of "How to play" are a JSON list over several lines: each has a title, a text, a position, and may have a
preset, `last` (the move to mark: a player and a name) and `legal` (whether to mark the legal moves).

The same seed gives the same games everywhere, so every part is the same on every machine.
"""

from __future__ import annotations

import argparse
import difflib
import json
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

import bibliography
import sarai
from sarai import _core
from sarai.render import draw

ROOT = Path(__file__).resolve().parent.parent
PAGES = ROOT / "docs" / "games"
BOOKS = ROOT / "src" / "games"
PERFT = ROOT / "tests" / "perft"

# What every page has, in this order.
HEADINGS = (
    "How to play in two minutes",
    "Board",
    "Rules",
    "Options and presets",
    "History and sources",
    "Actions",
    "Observation layout",
    "Returns",
    "Notation",
    "Worked positions",
    "Known figures",
)

OPENING = re.compile(r"^<!-- generated: ([a-z]+)(?:\s([{[].*[\]}]))?\s-->$", re.DOTALL)
CLOSING = "<!-- end -->"

GAMES = 10_000
SEED = 0
# Counts of paths above this are left to the tests of the engine.
LARGEST_COUNT = 300_000


class PageError(Exception):
    """A page that cannot be written; the sentence says where and why."""


@dataclass(frozen=True)
class Subject:
    """A game, and what its parts are made from."""

    name: str

    @cached_property
    def described(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(_core.describe_json(self.name))
        return found

    @cached_property
    def presets(self) -> dict[str, dict[str, Any]]:
        return sarai.presets(self.name)

    @property
    def default(self) -> str:
        return next(iter(self.presets))

    def made(self, preset: str) -> str:
        """The Python that makes the game with a preset."""
        given = "" if preset == self.default else f', preset="{preset}"'
        return f'sarai.make("{self.name}"{given})'


def table(header: Iterable[str], rows: Iterable[Iterable[object]]) -> str:
    """A table in Markdown."""
    lines = [list(header)]
    lines += [["---"] * len(lines[0])]
    lines += [[str(cell).replace("|", "\\|") for cell in row] for row in rows]
    return "\n".join("| " + " | ".join(cells) + " |" for cells in lines)


def fenced(language: str, text: str) -> str:
    return f"```{language}\n{text}\n```"


def code(value: object) -> str:
    """An option's value as JSON and the command line have it."""
    return f"`{json.dumps(value)}`"


def howto(subject: Subject) -> str:
    """The rules in short, which the page to play on shows too."""
    return (BOOKS / subject.name / "how_to_play.md").read_text(encoding="utf-8").strip()


def sources(subject: Subject) -> str:
    """The sources of the game in full."""
    return bibliography.listed(subject.name) or "The game has no source."


def rules(subject: Subject) -> str:
    """The rules of the rule book without their sources, and what is said below them."""
    book = (BOOKS / subject.name / "rules.md").read_text(encoding="utf-8")
    section = book.split("\n# Rules\n")[1].split("\n# ")[0]
    rows = re.findall(r"^\| (R\d+) \| (.+) \| .+ \|$", section, re.MULTILINE)
    below = section[section.rindex("|\n") + 2 :].strip()
    return "\n\n".join([*(f"**{number}.** {text}" for number, text in rows), below])


def options(subject: Subject) -> str:
    rows = (
        (f"`{option['name']}`", option["takes"], code(option["default"]), option["meaning"])
        for option in subject.described["options"]
    )
    return table(("option", "takes", "default", "meaning"), rows)


def presets(subject: Subject) -> str:
    basis = subject.presets[subject.default]
    rows = []
    for preset in subject.described["presets"]:
        rules = subject.presets[preset["name"]]
        changed = [f"`{key}={json.dumps(rules[key])}`" for key in rules if rules[key] != basis[key]]
        rows.append((f"`{preset['name']}`", preset["meaning"], ", ".join(changed) or "nothing"))
    return table(("preset", "meaning", "differs from the defaults in"), rows)


def sizes(subject: Subject) -> str:
    rows = []
    for preset in subject.presets:
        game = sarai.make(subject.name, preset=preset)
        low, high = game.returns_range
        sides = " ".join(map(str, game.sides))
        rows.append(
            (
                f"`{preset}`",
                game.num_players,
                sides,
                game.num_actions,
                game.observation_shape[0],
                game.max_chance_outcomes,
                f"{low:g} to {high:g}",
            )
        )
    header = ("preset", "seats", "side of each seat", "actions", "observation", "chance outcomes", "returns")
    return table(header, rows)


def observation(subject: Subject) -> str:
    game = sarai.make(subject.name)
    rows = []
    for part in game.observation_spec:
        first, last = part["start"], part["stop"] - 1
        cells = str(first) if first == last else f"{first} to {last}"
        rows.append((f"`{part['name']}`", cells, f"{part['low']} to {part['high']}", part["meaning"]))
    shown = table(("part", "cells", "range", "meaning"), rows)
    told = f"{game.observation_shape[0]} cells, each an int8.\n\n{shown}"
    features = sarai.nets.features(game)
    if not features:
        return told
    # The enemy's have the same meanings.
    own = [(f"`{name}`", meaning) for name, meaning in features.items() if not name.startswith("enemy_")]
    return (
        f"{told}\n\n[Networks](../networks.md) can have these features too: the viewer's, and then, as `enemy_...`, "
        "the enemy's.\n\n"
        f"{table(('feature', 'meaning'), own)}"
    )


def statistics(subject: Subject) -> str:
    rows = ((f"`{entry['name']}`", entry["meaning"]) for entry in subject.described["statistics"])
    return table(("statistic", "counts"), rows)


def picture(subject: Subject, title: str, position: str) -> str:
    return (
        f"![The board of {title} in the middle of a game]({subject.name}.svg)\n\n"
        "`sarai.render.draw(state.view())` draws this picture from the following position, written as explained under\n"
        "*Notation*:\n\n" + fenced("text", position)
    )


def diagrams(subject: Subject, title: str, shown: list[dict[str, str]]) -> str:
    """A row of pictures, each with its text below it."""
    cells = [
        f"![{one['title']}, on a board of {title}]({subject.name}_{number}.svg)<br>{one['text']}"
        for number, one in enumerate(shown, 1)
    ]
    return table([one["title"] for one in shown], [cells])


def command(subject: Subject, preset: str, agents: str | None = None) -> str:
    words = ["sarai rollout", subject.name]
    if preset != subject.default:
        words.append(f"--preset {preset}")
    if agents is not None:
        words.append(f"--agents {agents}")
    return " ".join([*words, f"--games {GAMES}", f"--seed {SEED}"])


def rollouts(subject: Subject) -> str:
    """What many games come to: the summary of the default rule book, then a line a preset."""
    plain = sarai.rollout(subject.name, num_games=GAMES, seed=SEED)
    # The last lines tell the speed of the machine.
    summary = str(plain.summary()).rstrip().splitlines()[:-1]
    rows = [_rollout_row(subject, preset, "random") for preset in subject.presets]
    num_players = sarai.make(subject.name).num_players
    seats = ",".join(["greedy"] + ["random"] * (num_players - 1))
    rows.append(_rollout_row(subject, subject.default, seats))
    header = ("preset", "agents", "wins of the seats", "draws", "turns", "shortest", "longest", "decisions")
    commands = [command(subject, preset) for preset in subject.presets]
    commands.append(command(subject, subject.default, seats))
    return "\n\n".join(
        [
            f"The first of the commands below plays {GAMES:,} games between random players. It prints this\n"
            "summary, and the speed:",
            fenced("text", "\n".join(summary).rstrip()),
            'The same figures for every preset, and with the agent "greedy" in seat 0. Turns and decisions are\n'
            "means per game; shortest and longest are numbers of turns.",
            table(header, rows),
            fenced("sh", "\n".join(commands)),
        ]
    )


def _rollout_row(subject: Subject, preset: str, agents: str) -> tuple[object, ...]:
    players = agents.split(",") if "," in agents else agents
    result = sarai.rollout(
        sarai.make(subject.name, preset=preset), num_games=GAMES, agents=players, seed=SEED
    )
    summary = result.summary()
    wins = ", ".join(f"{100 * seat.win_share.value:.1f}%" for seat in summary.seats)
    return (
        f"`{preset}`",
        agents,
        wins,
        f"{100 * summary.draw_share.value:.1f}%",
        f"{summary.turns.value:.1f}",
        int(np.min(result.turns)),
        int(np.max(result.turns)),
        f"{summary.decisions.value:.1f}",
    )


@dataclass(frozen=True)
class Count:
    """One block of a file in tests/perft, counted with a preset's rules."""

    preset: str
    position: str
    depth: int
    count: int
    source: str


def known_counts(subject: Subject) -> Iterator[Count]:
    """The counts in the game's file whose rules are those of a preset, smaller ones only."""
    text = (PERFT / f"{subject.name}.perft").read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    for block in re.split(r"\n{2,}", "\n".join(lines).strip()):
        fields = dict(line.split(": ", 1) for line in block.splitlines())
        rules = sarai.make(subject.name, rules=json.loads(fields["rules"])).rules
        preset = next((name for name, options in subject.presets.items() if options == rules), None)
        if preset is not None and int(fields["count"]) <= LARGEST_COUNT:
            yield Count(
                preset, fields["position"], int(fields["depth"]), int(fields["count"]), fields["source"]
            )


def paths(subject: Subject) -> str:
    """Counts of paths from the start, and from the first other position, each counted anew."""
    counts = list(known_counts(subject))
    from_start = [count for count in counts if count.position == "start"]
    elsewhere = [count for count in counts if count.position != "start"]
    for count in counts:
        game = sarai.make(subject.name, preset=count.preset)
        state = game.new_initial_state() if count.position == "start" else game.parse(count.position)
        counted = state.perft(count.depth)
        if counted != count.count:
            raise PageError(
                f"tests/perft/{subject.name}.perft has {count.count} paths of depth {count.depth} from "
                f"{count.position!r} with preset {count.preset}, but {counted} are counted: one of both is wrong"
            )
    # The largest count that takes no time, so that the example says something.
    shown = [count for count in from_start if count.preset == subject.default and count.count < 20_000]
    first = max(shown, key=lambda count: count.count)
    example = [
        ">>> import sarai",
        f">>> {subject.made(first.preset)}.new_initial_state().perft({first.depth})",
        str(first.count),
    ]
    header = ("preset", "depth", "paths", "also counted by")
    rows = [(f"`{count.preset}`", count.depth, f"{count.count:,}", count.source) for count in from_start]
    parts = [
        "The number of ways to play a given number of steps from the start, where a step is an action or a chance\n"
        "outcome:",
        table(header, rows),
        fenced("python", "\n".join(example) + "\n"),
    ]
    if elsewhere:
        order = list(subject.presets)
        there = min(elsewhere, key=lambda count: order.index(count.preset))
        rows = [
            (f"`{count.preset}`", count.depth, f"{count.count:,}", count.source)
            for count in elsewhere
            if (count.preset, count.position) == (there.preset, there.position)
        ]
        example = [
            ">>> line = (",
            *_split(there.position),
            "... )",
            f">>> {subject.made(there.preset)}.parse(line).perft({there.depth})",
            str(there.count),
        ]
        parts += [
            "The same from a position in the middle of a game:",
            table(header, rows),
            fenced("python", "\n".join(example) + "\n"),
        ]
    parts.append(f"All counts are in `tests/perft/{subject.name}.perft`.")
    return "\n\n".join(parts)


def _split(line: str, width: int = 100) -> Iterator[str]:
    """A long line of text as string literals that Python joins."""
    piece = ""
    for word in re.findall(r"\S+ ?", line):
        if piece and len(piece) + len(word) > width:
            yield f'...     "{piece}"'
            piece = ""
        piece += word
    yield f'...     "{piece}"'


PARTS: dict[str, Callable[[Subject], str]] = {
    "howto": howto,
    "rules": rules,
    "options": options,
    "presets": presets,
    "sizes": sizes,
    "sources": sources,
    "observation": observation,
    "statistics": statistics,
    "rollouts": rollouts,
    "paths": paths,
}


def generate(name: str, page: str) -> dict[Path, str]:
    """A game's page with its generated parts as they should be, and its picture.

    Args:
        name: The game.
        page: The page as it is.

    Returns:
        The text of each file by its place.

    Raises:
        PageError: The page has no title, a marker is not closed, names no part, or a part is missing or there
            twice.
    """
    subject = Subject(name)
    heading = re.match(r"# (.+)\n", page)
    if heading is None:
        raise PageError(f"{name}.md: the first line is `# ` and the game's name as readers know it")
    done: list[str] = []
    files: dict[Path, str] = {}
    out: list[str] = []
    inside = False
    for number, line in _lines(page):
        opening = OPENING.match(line)
        if line.startswith("<!--") and not opening and line != CLOSING:
            raise PageError(
                f"{name}.md, line {number}: a comment is `{CLOSING}` or `<!-- generated: PART -->`"
            )
        if (opening is not None and inside) or (line == CLOSING and not inside):
            raise PageError(f"{name}.md, line {number}: parts do not nest; each opens once and closes once")
        if not inside or line == CLOSING:
            out.append(line)
        if line == CLOSING:
            inside = False
        if opening is not None:
            inside = True
            kind, argument = opening.groups()
            done.append(kind)
            if kind == "picture":
                position, drawing = _drawn(name, _json(name, argument, number), number)
                files[PAGES / f"{name}.svg"] = drawing
                out.append(picture(subject, heading[1], position))
            elif kind == "diagrams":
                shown = _json(name, argument, number)
                for place, one in enumerate(shown, 1):
                    files[PAGES / f"{name}_{place}.svg"] = _drawn(name, one, number)[1]
                out.append(diagrams(subject, heading[1], shown))
            elif kind in PARTS and argument is None:
                out.append(PARTS[kind](subject))
            else:
                raise PageError(
                    f"{name}.md, line {number}: {line} is no part; there are {', '.join(PARTS)}, all without an "
                    "argument, and picture and diagrams with one"
                )
    wanted = sorted([*PARTS, "picture", "diagrams"])
    if inside or sorted(done) != wanted:
        raise PageError(
            f"{name}.md: each of {', '.join(wanted)} is wanted once and closed, not {', '.join(done)}"
        )
    return {PAGES / f"{name}.md": "\n".join(out) + "\n", **files}


def _lines(page: str) -> Iterator[tuple[int, str]]:
    """The lines of a page with their numbers; an opening comment over several lines counts as one."""
    lines = enumerate(page.splitlines(), 1)
    for number, line in lines:
        if re.fullmatch(r"<!-- generated: [a-z]+", line):
            line = "\n".join([line, *_until(lines)])
        yield number, line


def _until(lines: Iterator[tuple[int, str]]) -> Iterator[str]:
    """The lines up to the end of a comment."""
    for _, line in lines:
        yield line
        if line.endswith("-->"):
            return


def _json(name: str, argument: str | None, number: int) -> Any:
    """What the marker of a part gives."""
    try:
        return json.loads(argument or "")
    except ValueError as error:
        raise PageError(f"{name}.md, line {number}: this is no JSON: {error}") from error


def _drawn(name: str, given: dict[str, Any], number: int) -> tuple[str, str]:
    """The position that a marker gives, as a line of text and as SVG."""
    try:
        state = sarai.make(name, preset=given.get("preset")).parse(given["position"])
        last = tuple(given["last"]) if "last" in given else None
        legal = [state.action_to_string(action) for action in state.legal_actions()]
        return str(state), draw(state.view(), last=last, legal=legal if given.get("legal") else []) + "\n"
    except (ValueError, KeyError) as error:
        raise PageError(
            f'{name}.md, line {number}: a picture takes {{"preset": ..., "position": a line of text}}: {error}'
        ) from error


def read(path: Path) -> str:
    if not path.exists():
        return ""
    return path.read_text(encoding="utf-8")


def difference(path: Path, wanted: str) -> str:
    """How a file differs from what is wanted, as a unified diff; empty where it does not."""
    shown = path.relative_to(ROOT).as_posix()
    lines = difflib.unified_diff(
        read(path).splitlines(), wanted.splitlines(), shown, f"{shown} (generated)", lineterm="", n=1
    )
    return "\n".join(lines)


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Write the generated parts of docs/games.")
    parser.add_argument("--check", action="store_true", help="compare only, and exit with 1 on a difference")
    parser.add_argument("games", nargs="*", help="the games whose pages are meant, in place of all")
    given = parser.parse_args(arguments)
    check = given.check
    differing = 0
    try:
        for name in given.games or sarai.games():
            for path, wanted in generate(name, read(PAGES / f"{name}.md")).items():
                found = difference(path, wanted)
                if not found:
                    continue
                differing += 1
                if check:
                    print(found)
                else:
                    path.write_text(wanted, encoding="utf-8", newline="\n")
                    print(f"wrote {path.relative_to(ROOT).as_posix()}")
    except PageError as error:
        print(f"game_pages.py: {error}", file=sys.stderr)
        return 1
    if check and differing:
        print(
            f"game_pages.py: {differing} files are not up to date: run `python scripts/game_pages.py`",
            file=sys.stderr,
        )
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
