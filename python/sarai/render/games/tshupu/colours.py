"""The colours that only this board has."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Colours:
    """What only this board has: paper squares, ink lines and the four colours of the players."""

    square: str
    centre: str
    line: str
    crosscut: str
    number: str
    column: tuple[str, str, str, str]
    seat: tuple[str, str, str, str]
    edge: tuple[str, str, str, str]


COLOURS = {
    "light": Colours(
        square="#fbf4e2",
        centre="#efe2c2",
        line="#4b3a26",
        crosscut="#a5865a",
        number="#5c4a2d",
        column=("#f3c9bd", "#f8e3a3", "#c3e2cd", "#d5d0c9"),
        seat=("#c8321f", "#f0b81c", "#16875a", "#2b2826"),
        edge=("#5c130a", "#6b4c00", "#06402a", "#000000"),
    ),
    "dark": Colours(
        square="#3a342b",
        centre="#4a4133",
        line="#a8946c",
        crosscut="#9c8860",
        number="#dccba6",
        column=("#6a332a", "#5a481b", "#2b5541", "#222120"),
        seat=("#e0523d", "#f4c332", "#2aa876", "#0e0d0c"),
        edge=("#2a0703", "#3a2a00", "#02241a", "#d8cdb8"),
    ),
}
