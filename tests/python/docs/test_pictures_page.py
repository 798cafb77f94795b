"""The pictures of the page about pictures are what its examples draw."""

from __future__ import annotations

from pathlib import Path

from helpers import scripts


def test_the_examples_give_the_pictures(tmp_path: Path) -> None:
    script = scripts.load("scripts/pictures_page.py")
    script.write(tmp_path)
    new, kept = (
        {path.name: path.read_text(encoding="utf-8") for path in folder.iterdir()}
        for folder in (tmp_path, script.FOLDER)
    )
    assert len(kept) == 5
    assert new == kept
