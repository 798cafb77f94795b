"""What a folder of tables says of itself on the Hugging Face Hub, or wherever it is published."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from sarai._base import hub
from sarai._base.arguments import counted
from sarai._core import Game

if TYPE_CHECKING:
    from sarai._exact.manifest import Key, Manifest

_COUNTS = ("positions", "won", "lost", "drawn", "longest_win")


def text(
    game: Game, made: Manifest, summaries: Mapping[Key, Mapping[str, Any]], license_id: str | None
) -> str:
    """The README.md of the folder."""
    title = f"Exact values of {game}"
    positions = sum(summary["positions"] for summary in summaries.values())
    digest = hashlib.sha256(made.text().encode()).hexdigest()
    facts = {
        "game": f"`{game}`",
        "rules that matter": _rules(made.moving),
        "positions": f"{positions:,}, symmetric ones counted separately",
        "files": f"{counted(len(made.files), 'table')}, {made.bytes:,} bytes",
        "SHA-256 of `manifest.json`": f"`{digest}`",
    }
    moving = [_row((), key, summary) for key, summary in summaries.items() if key.layer is None]
    placing = [
        _row((key.layer,), key, summary) for key, summary in summaries.items() if key.layer is not None
    ]
    lines = [
        hub.head(title, game.name, positions, "viewer: false", license_id),
        f"# {title}",
        "",
        "Whether the side to move wins, draws or loses each position, and in how many turns, with perfect play by",
        "both sides. Solved by retrograde analysis with [Sarai](https://pypi.org/project/sarai/). The values ignore",
        "the move limits: a position is drawn if neither side can force a win, however long it takes.",
        "",
        *hub.table(("", ""), list(facts.items())),
        "",
        "## Fetching, loading and verifying",
        "",
        "```sh",
        "pip install sarai",
        f'sarai exact fetch "{game}" --from https://huggingface.co/datasets/USER/NAME/resolve/main --out tables',
        f'sarai solve "{game}" --verify --sample 1000 --out tables',
        "```",
        "",
        "The first command checks every file against the size and SHA-256 in `manifest.json`; if it is stopped, run it",
        "again. The second compares positions with the best of their moves, by the rules of the game.",
        "",
        "```python",
        "import sarai",
        "",
        f'tables = sarai.exact.load("{game}", "tables")',
        f'state = sarai.make("{game}").new_initial_state()',
        "if tables.covers(state):",
        "    print(tables.value(state), tables.moves(state))",
        "```",
        "",
        "## The moving phase",
        "",
        "`own` are the stones of the side to move.",
        "",
        *hub.table(("own", "other", *_HEAD), moving),
        "",
    ]
    if placing:
        lines += [
            "## The turns before the moving phase",
            "",
            f"By the number of turns passed. Their values also depend on other rules: {_rules(made.placing or {})}.",
            "",
            *hub.table(("turns", "own", "other", *_HEAD), placing),
            "",
        ]
    lines += [
        "## Files",
        "",
        *hub.table(
            ("file", "bytes", "SHA-256"),
            [(f"`{file.name}`", f"{file.bytes:,}", f"`{file.sha256}`") for file in made.files],
        ),
        "",
        "## Citing",
        "",
        "Cite Sarai, with the SHA-256 of `manifest.json`:",
        "",
        "```bibtex",
        "@software{sarai,",
        "  author = {{The Sarai developers}},",
        "  title = {Sarai: rules, simulation and reinforcement-learning environments for traditional games},",
        "  url = {https://pypi.org/project/sarai/}",
        "}",
        "```",
        "",
    ]
    return "\n".join(lines)


_HEAD = ("positions", "won", "lost", "drawn", "longest win")


def _row(first: tuple[int | None, ...], key: Key, summary: Mapping[str, Any]) -> list[str]:
    return [f"{number:,}" for number in (*first, key.own, key.other, *(summary[name] for name in _COUNTS))]


def _rules(of: Mapping[str, Any]) -> str:
    return ", ".join(f"`{name}={value}`" for name, value in of["rules"].items())
