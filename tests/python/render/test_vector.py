"""Drawings as PDF: the same picture as the PNG, as lines and text."""

from __future__ import annotations

import re
import shutil
import subprocess
import zlib
from base64 import a85decode
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

import sarai
from sarai._render import raster, vector
from sarai.render import animate, draw

pytest.importorskip("reportlab")


def contents(file: bytes) -> bytes:
    """What the first page paints."""
    found = re.search(rb"/ASCII85Decode /FlateDecode.*?stream\r?\n(.*?)endstream", file, re.DOTALL)
    assert found
    return zlib.decompress(a85decode(b"<~" + found[1].strip(), adobe=True))


@pytest.mark.parametrize("name", sarai.games())
def test_a_pdf_has_text_and_no_pixels(name: str) -> None:
    state = sarai.Record.play(name, "greedy", seed=1).final_state
    board = draw(state)
    file = vector.pdf(board)
    assert file == vector.pdf(board)
    assert b"/Subtype /Image" not in file
    assert b"/FontFile2" in file
    # As many texts as the drawing has.
    assert contents(file).count(b" Tj") >= board.count("<text")


@pytest.mark.skipif(shutil.which("pdftoppm") is None, reason="poppler is not installed")
@pytest.mark.parametrize("name", sarai.games())
def test_a_pdf_looks_like_the_png(name: str, tmp_path: Path) -> None:
    record = sarai.Record.play(name, "greedy", seed=1)
    state = record.states()[9]
    board = draw(
        state,
        theme="dark" if name == "sho" else "light",
        last=(0, record.names[0]) if name == "shah" else None,
    )
    path = tmp_path / "board.pdf"
    board.save(path, width=480)
    subprocess.run(["pdftoppm", "-r", "192", "-png", "-singlefile", path, tmp_path / "board"], check=True)
    with Image.open(tmp_path / "board.png") as image:
        printed = np.array(image.convert("RGB")).astype(int)
    drawn = raster.rgb(board, width=480).astype(int)
    height = min(len(printed), len(drawn))
    assert abs(len(printed) - len(drawn)) <= 1
    # Edges differ by what each program makes of half a pixel, the text by its font.
    assert np.abs(printed[:height] - drawn[:height]).mean() < 6


def test_of_an_animation_the_first_picture_is_printed() -> None:
    states = sarai.Record.from_steps("shah", [4, 19]).states()
    assert contents(vector.pdf(animate(states))).count(b" Tj") == contents(vector.pdf(draw(states[0]))).count(
        b" Tj"
    )


def test_what_no_drawing_has_is_refused() -> None:
    head = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9" width="9" height="9">'
    for inner, message in (
        ("<image/>", "an element 'image'"),
        ('<rect x="1" y="1" width="2" height="2" fill="url(#a)"/>', "a colour"),
        ('<circle r="1"/>', "has no 'cx'"),
        ('<g transform="skewX(3)"/>', "a transform"),
        ('<path d="m1 1"/>', "path data"),
    ):
        with pytest.raises(ValueError, match=message):
            vector.pdf(f"{head}{inner}</svg>")
    with pytest.raises(ValueError, match="width must be"):
        vector.pdf(f"{head}</svg>", width=1)
