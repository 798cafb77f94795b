"""The page of puzzles and its pictures are what the script makes of the puzzles of the package."""

from __future__ import annotations

from pathlib import Path

from helpers import scripts


def test_the_page_is_as_the_script_writes_it(tmp_path: Path) -> None:
    script = scripts.load("scripts/puzzles_page.py")
    script.write(tmp_path)
    for folder in (".", "puzzles"):
        names = {path.name for path in (tmp_path / folder).iterdir() if path.is_file()}
        assert len(names) == (60 if folder == "puzzles" else 1)
        if folder == "puzzles":
            assert names == {path.name for path in (script.DOCS / folder).iterdir()}
        for name in names:
            new, kept = (
                (root / folder / name).read_text(encoding="utf-8") for root in (tmp_path, script.DOCS)
            )
            assert new == kept, name
