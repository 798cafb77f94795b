"""Write docs/openings.md, its pictures and the values of its board from tables of the first turns of Shah.

    python scripts/openings_page.py TABLES

TABLES is a folder of `sarai solve shah --placing`, with at least the turns 0 to 6. Everything on the page but the text
around it comes from the tables.
"""

from __future__ import annotations

import argparse
import base64
import json
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import sarai
from sarai._render import captions
from sarai.exact import Exploration, Tables
from sarai.render import picture

ROOT = Path(__file__).resolve().parent.parent
TURNS = 6
"""How many turns the first table has."""

PLAYERS = ("first", "second")
ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth")

PAGE = """\
# The openings of Shah

{lede}

Placements that a mirror, a rotation or the exchange of the inner and the outer square makes the same, stones included,
share a row here. "+7" on a picture, or "wins in 7", is a win in 7 turns of the player who places, this turn included;
"=" is a draw.

On the documentation site, this page begins with a board: choose points to place stones, and see the value of every
placement up to the {last}. The best are ringed.

## What to know

{lessons}

| placement | by | positions | up to symmetry | won | drawn | lost | keep the value | only one does |
| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
{turns}

Won, drawn and lost are from the view of the player who places. The last two columns leave out lost positions, where
there is nothing to keep: the share of placements that keep the value, and of the positions in which a single placement
is right, symmetric ones counted once.

## The first placement

![What each first placement is worth](openings_first.svg)

| placement | the same | value | best replies |
| --- | --- | --- | --- |
{first}

## The second and the third placement

![What each reply to a first placement is worth](openings_second.svg)

{hardest}

{replies}

After the best reply to each first placement, the first of each table:

![What each third placement is worth after the best replies](openings_third.svg)

## Further

`sarai explore` follows any line in the terminal, with the value of every move. In Python, `tables.explore(state)`
returns the same as a table, and `tables.draw(state)` draws it; see [exact play](exact.md).
`scripts/openings_page.py` writes this page from the tables.
"""


class Turn(NamedTuple):
    """What is counted over all positions before one placement."""

    positions: int
    classes: int
    """Positions up to symmetry."""
    worth: tuple[int, int, int]
    """Positions that the player who places wins, draws and loses."""
    kept: int
    """Placements that keep the value, in positions that are not lost."""
    placements: int
    """All placements there."""
    single: int
    """Positions there in which one placement keeps the value, up to symmetry."""

    @property
    def open(self) -> int:
        """Positions that are not lost."""
        return self.worth[0] + self.worth[1]


def orbit(state: sarai.State) -> set[bytes]:
    """The position under every symmetry, as bytes."""
    symmetries = state.get_game().symmetries
    return {cells.tobytes() for cells in state.observation_tensor(0)[symmetries.observation]}


def layers(tables: Tables, turns: int) -> Iterator[list[tuple[int, sarai.State]]]:
    """For each turn, a position of each class and how many positions it stands for."""
    layer = [(1, tables.game.new_initial_state())]
    for _ in range(turns):
        yield layer
        seen = set[bytes]()
        following = []
        for _, state in layer:
            for action in state.legal_actions():
                after = state.child(action)
                if after.observation_tensor(0).tobytes() not in seen:
                    images = orbit(after)
                    seen |= images
                    following.append((len(images), after))
        layer = following


def counted(tables: Tables, layer: list[tuple[int, sarai.State]]) -> Turn:
    """The counts of one turn."""
    worth, kept, placements, single = [0, 0, 0], 0, 0, 0
    for count, state in layer:
        moves = tables.moves(state)
        value = moves[0].value
        worth[1 - value] += count
        if value >= 0:
            right = [move for move in moves if move.value == value]
            kept += count * len(right)
            placements += count * len(moves)
            if len(right) <= 8:  # no more are the same by symmetry
                rows = tables.explore(state)
                single += count * (sum(row.value == value for row in rows) == 1)
    positions = sum(count for count, _ in layer)
    return Turn(positions, len(layer), (worth[0], worth[1], worth[2]), kept, placements, single)


def percent(part: int, whole: int) -> str:
    """A part in percent; what is not all of it is never rounded to that."""
    if not whole:
        return "-"
    share = part / whole
    return f"{share:.0%}" if share in (0, 1) else f"{min(max(share, 0.001), 0.999):.1%}"


def turn_row(number: int, turn: Turn) -> str:
    """A row of the first table."""
    worth = (percent(count, turn.positions) for count in turn.worth)
    cells = (
        ORDINALS[number],
        PLAYERS[number % 2],
        f"{turn.positions:,}",
        f"{turn.classes:,}",
        *worth,
        percent(turn.kept, turn.placements),
        percent(turn.single, turn.open),
    )
    return f"| {' | '.join(cells)} |"


def lesson(number: int, turn: Turn) -> str:
    """What the counts of one turn say."""
    who, which = PLAYERS[number % 2], ORDINALS[number]
    won, drawn, lost = turn.worth
    before = "" if number == 0 else f"in all {turn.positions:,} positions before it "
    if lost == turn.positions:
        end = "can only choose how long the game takes"
        return f"**No {which} placement helps**: {before}the {who} player is lost, and {end}."
    keep = "the win" if not drawn else "the value"
    if turn.kept == turn.placements:
        return f"**No {which} placement is wrong**: every one keeps {keep}."
    share = f"{percent(turn.kept, turn.placements)} of the placements keep {keep}"
    if won == turn.positions:
        return f"**The {which} placement can be wrong**: {before}the {who} player wins, and {share}."
    if lost == 0:
        return f"**The {which} placement can be wrong**: {share}."
    return (
        f"**The {which} placement**: the {who} player wins {percent(won, turn.positions)} of the positions before it "
        f"and draws {percent(drawn, turn.positions)}; in these, {share}."
    )


def bullet(text: str) -> str:
    """An item of a list, wrapped."""
    return textwrap.fill(text, 118, initial_indent="- ", subsequent_indent="  ", break_on_hyphens=False)


def names(of: tuple[str, ...], most: int = 8) -> str:
    """Names in a cell."""
    return " ".join(of[:most]) + " …" * (len(of) > most)


def value(worth: int, turns: int | None) -> str:
    """A value in a cell."""
    return f"{('draws', 'wins', 'loses')[worth]}{'' if turns is None else f' in {turns}'}"


def first_rows(rows: Exploration) -> str:
    """The table of the first placements."""
    return "\n".join(
        f"| {row.name} | {names(row.images)} | {value(row.value, row.turns)} | {names(row.replies)} |"
        for row in rows
    )


def reply_table(tables: Tables, state: sarai.State, name: str) -> str:
    """The table of the replies to a first placement, with what follows them."""
    who = PLAYERS[1]
    lines = [
        f"### After {name}",
        "",
        f"| reply | the same | the {who} player | third placements that keep it | the best |",
        "| --- | --- | --- | ---: | --- |",
    ]
    for row in tables.explore(state):
        after = state.child(row.action)
        moves = tables.moves(after)
        kept = sum(move.value == moves[0].value for move in moves)
        cells = (
            row.name,
            names(row.images),
            value(row.value, row.turns),
            f"{kept} of {len(moves)}",
            names(row.replies),
        )
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def hardest(tables: Tables, after: dict[str, sarai.State]) -> str:
    """What the tables of the replies have, and after which reply the fewest placements are right."""
    said = (
        "After each reply: how many of the third placements keep the value for the first player, and the best of them, "
        "one of those that are the same."
    )
    found = []
    for name, state in after.items():
        for row in tables.explore(state):
            moves = tables.moves(state.child(row.action))
            kept = sum(move.value == moves[0].value for move in moves)
            if moves[0].value >= 0:
                found.append((kept, len(moves), f"{name} {row.name}"))
    if not found or min(found)[0] == min(found)[1]:
        return said
    fewest, placements, _ = min(found)
    lines = [line for kept, _, line in found if kept == fewest]
    which = lines[0] if len(lines) == 1 else f"{', '.join(lines[:-1])} and {lines[-1]}"
    return f"{said} The fewest are right after {which}: {fewest} of {placements}."


def board(
    tables: Tables, state: sarai.State, caption: str, theme: str | None = None
) -> sarai._render.svg.Picture:
    """The board with the value of each placement, and a line under it."""
    values = {state.action_to_string(move.action): (move.value, move.turns) for move in tables.moves(state)}
    shown = picture(state, theme=theme, values=values, board_only=True)
    return captions.captioned(shown, [caption], theme)


def lede(tables: Tables, empty: sarai.State) -> str:
    """Who wins."""
    found = tables.value(empty)
    if not found.value:
        return "With perfect play, Shah is a draw."
    winner = PLAYERS[0 if found.value > 0 else 1]
    turns = "" if found.turns is None else f" in {found.turns} turns"
    return (
        f"From the empty board the {winner} player wins Shah{turns}: [Shah, solved](solved.md) says how we know. This "
        "page shows which of the first placements keep the win, and which lose it."
    )


def board_values(tables: Tables, layers: list[list[tuple[int, sarai.State]]]) -> str:
    """The values that docs/_static/openings.js reads: a byte a position, in the order of its keys."""
    points = tables.game.symmetries.action[:, :24]
    palette: dict[tuple[int, int | None], int] = {}
    turns = []
    for layer in layers:
        found = []
        for _, state in layer:
            # Seat 0 has a stone on a 0, seat 1 on a 1, as the text has it.
            stones = str(state).partition(" board=")[2][:24].translate(str.maketrans(".01", "012"))
            key = min(
                sum(int(stones[point]) * 3**at for at, point in enumerate(of)) for of in points.tolist()
            )
            found.append((key, palette.setdefault(tuple(tables.value(state)), len(palette))))
        turns.append(base64.b64encode(bytes(number for _, number in sorted(found))).decode())
    return json.dumps({"palette": list(palette), "turns": turns}, separators=(",", ":"))


def main() -> None:
    """Write the page and the pictures."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("tables", type=Path)
    parser.add_argument("--game", default="shah", help="The rule book of the tables.")
    parser.add_argument("--out", type=Path, default=ROOT / "docs", help="The folder of the page.")
    given = parser.parse_args()
    game = sarai.make(given.game)
    tables = sarai.exact.load(game, given.tables, check=False)
    empty = game.new_initial_state()
    every = list(layers(tables, min(TURNS, 2 * game.rules["pieces"])))
    turns = [counted(tables, layer) for layer in every]
    rows = tables.explore(empty)
    after = {row.name: empty.child(row.action) for row in rows}
    replies, thirds = [], []
    for name, state in after.items():
        reply = tables.explore(state)[0]
        replies.append(board(tables, state, f"After {name}: the second player places"))
        thirds.append(
            board(tables, state.child(reply.action), f"After {name} {reply.name}: the first player places")
        )
    pictures = {
        "first": board(tables, empty, "The first player places"),
        "second": captions.side_by_side(replies, 2, 720, "The second placement"),
        "third": captions.side_by_side(thirds, 2, 720, "The third placement"),
    }
    page = PAGE.format(
        lede=textwrap.fill(lede(tables, empty), 118),
        lessons="\n".join(bullet(lesson(number, turn)) for number, turn in enumerate(turns[:4])),
        turns="\n".join(turn_row(number, turn) for number, turn in enumerate(turns)),
        first=first_rows(rows),
        last=ORDINALS[len(turns) - 2],
        hardest=textwrap.fill(hardest(tables, after), 118),
        replies="\n\n".join(reply_table(tables, state, name) for name, state in after.items()),
    )
    (given.out / "openings.md").write_text(page, encoding="utf-8")
    (given.out / "_static").mkdir(exist_ok=True)
    (given.out / "_static" / "openings.json").write_text(board_values(tables, every), encoding="utf-8")
    for name, drawn in pictures.items():
        (given.out / f"openings_{name}.svg").write_text(drawn.written(), encoding="utf-8")
    print(f"{given.out / 'openings.md'}: {sum(turn.classes for turn in turns):,} positions up to symmetry")


if __name__ == "__main__":
    main()
