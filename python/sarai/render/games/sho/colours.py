"""The colours that only this board has."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Colours:
    """What only this board has: ivory shells, a leather pad, a cloth for the track."""

    track: str
    shell: str
    shell_edge: str
    shell_slit: str
    pad: str
    pad_edge: str
    stitch: str
    on_pad: str
    on_pad_muted: str


COLOURS = {
    "light": Colours(
        track="#eee5d3",
        shell="#fffaf0",
        shell_edge="#a08f73",
        shell_slit="#8d7a5c",
        pad="#6b4528",
        pad_edge="#4a2e19",
        stitch="#d9b68a",
        on_pad="#fff8ec",
        on_pad_muted="#e7cfae",
    ),
    "dark": Colours(
        track="#24272d",
        shell="#d9d1c0",
        shell_edge="#8f866f",
        shell_slit="#6f6650",
        pad="#4a301d",
        pad_edge="#2b1b10",
        stitch="#a8855c",
        on_pad="#fff3e0",
        on_pad_muted="#d9bd97",
    ),
}
