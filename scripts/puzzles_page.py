"""Write docs/puzzles.md and its pictures: every third puzzle of the package.

    python scripts/puzzles_page.py

The pictures go into docs/puzzles/.
"""

from __future__ import annotations

from itertools import groupby
from pathlib import Path

import sarai
from sarai._base.arguments import counted
from sarai.exact import Puzzle

DOCS = Path(__file__).resolve().parents[1] / "docs"
EVERY = 3
"""Of so many puzzles one is on the page."""
ACROSS = 3
SIZE = 240

PAGE = """\
# Puzzles

White (the round stones) is to move in these positions of [Shah](games/shah.md), and **exactly one turn wins**; every
other turn draws or loses. A turn is a slide together with the stone that it takes. The number of turns counts those of
both sides, with the best play of both, and is [exact](exact.md).

The package has {count} puzzles, from easy to hard; here is every third. In the terminal, Black defends as long as
possible, and a wrong turn is refused with what it gives away; `hint` names the stone to move, and `solution` shows how
to win:

    sarai play shah --puzzle 6
    sarai play shah --puzzle random

In Python:

```python
>>> import sarai
>>> puzzles = sarai.exact.puzzles()
>>> len(puzzles), puzzles[5].task
({count}, '{task}')
>>> board = puzzles[5].draw(solution=True)

```

{sections}
## Where they are from

`scripts/puzzles.py` plays games between agents from the empty board, looks their positions up in
[tables](exact.md#making-tables) of up to twelve stones together, and keeps those in which one turn wins. For each
length of the win it takes some of every pair of stone counts, and of long wins those in which weak agents go wrong most
often.
`scripts/puzzles_page.py` writes this page.
"""


def sections(puzzles: list[Puzzle]) -> str:
    """The puzzles, under a heading for each length of the win."""
    text = ""
    for length, several in groupby(puzzles, key=lambda puzzle: heading(puzzle.length)):
        cells = [cell(puzzle) for puzzle in several]
        across = min(ACROSS, len(cells))
        text += f"## {length}\n\n{'| ' * across}|\n{'| --- ' * across}|\n"
        for first in range(0, len(cells), across):
            row = cells[first : first + across]
            text += f"| {' | '.join(row + [''] * (across - len(row)))} |\n"
        text += "\n"
    return text


def heading(length: int) -> str:
    """Which length the puzzles of a section have."""
    for most, name in ((3, "Up to three turns"), (5, "Five turns"), (7, "Seven turns"), (9, "Nine turns")):
        if length <= most:
            return name
    return "Eleven to fifteen turns" if length <= 15 else "More than fifteen turns"


def cell(puzzle: Puzzle) -> str:
    """A puzzle with its solution, which is hidden at first."""
    number = puzzle.number
    return (
        f"![{alt(puzzle)}](puzzles/{number}.svg)<br>**{number}.** {puzzle.task}."
        f"<details><summary>Solution</summary>![The solution of puzzle {number}](puzzles/{number}_key.svg)<br>"
        f"{', '.join(puzzle.line)}.<br>{others(puzzle)}</details>"
    )


def alt(puzzle: Puzzle) -> str:
    """The position in words."""
    points = sarai.render.scene(puzzle.state)["points"]
    names = [point["name"] for point in points]
    board = puzzle.state.to_dict()["board"]
    white, black = (
        " ".join(name for name, stone in zip(names, board, strict=True) if stone == seat) for seat in "01"
    )
    return f"Puzzle {puzzle.number}. White: {white}. Black: {black}."


def others(puzzle: Puzzle) -> str:
    """What comes of the other turns."""
    draws = sum(turn.value == 0 for turn in puzzle.others)
    lost = [turn.turns for turn in puzzle.others if turn.value < 0 and turn.turns is not None]
    said = []
    if draws:
        said.append(f"{draws} draw{'s' * (draws == 1)}")
    if lost:
        least, most = min(lost), max(lost)
        span = counted(least, "turn") if least == most else f"{least} to {most} turns"
        said.append(f"{len(lost)} lose{'s' * (len(lost) == 1)} in {span}")
    if len(said) == 1:
        return f"The other {len(puzzle.others)} {said[0].partition(' ')[2]}."
    return f"Of the other {len(puzzle.others)}, {' and '.join(said)}."


def write(docs: Path) -> None:
    """Write the page and the pictures into a folder."""
    puzzles = sarai.exact.puzzles()
    shown = puzzles[EVERY - 1 :: EVERY]
    folder = docs / "puzzles"
    folder.mkdir(exist_ok=True)
    for puzzle in shown:
        for name, solution in ((f"{puzzle.number}.svg", False), (f"{puzzle.number}_key.svg", True)):
            picture = puzzle.draw(solution, theme="light", size=SIZE)
            (folder / name).write_text(f"{picture}\n", encoding="utf-8")
    text = PAGE.format(count=len(puzzles), task=puzzles[5].task, sections=sections(shown))
    (docs / "puzzles.md").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    write(DOCS)
