"""Write a new game: a small race that compiles and passes the general tests, for you to turn into another game.

    python scripts/new_game.py NAME         # `make new-game NAME=...` also formats, builds and accepts it

The files come from scripts/new_game, where they make up a game called gamename. CONTRIBUTING.md, "A new game", says how
to continue.
"""

from __future__ import annotations

import argparse
import keyword
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TEMPLATES = Path(__file__).resolve().parent / "new_game"

# Rust's keywords that are not also Python's.
RUST_WORDS = (
    "abstract become box const crate do dyn enum extern final fn impl let loop macro mod move mut override priv pub "
    "ref self static struct super trait type typeof union unsafe unsized use virtual where"
)


class BadNameError(ValueError):
    """A name that a new game cannot have; the message says why."""


def written_already(root: Path) -> set[str]:
    """The words in the engine's code: a game with one of these names could not be told from it (tests/layers.rs)."""
    words: set[str] = set()
    for path in (root / "src").rglob("*.rs"):
        code = re.sub(r"//.*", "", path.read_text(encoding="utf-8"))
        words.update(part.lower() for part in re.findall(r"[A-Z]?[a-z]+", code))
    return words


def check_name(name: str, root: Path) -> None:
    """Refuse a name that a game cannot have.

    Raises:
        BadNameError: It is not a word, is too long, is taken, or means something else already.
    """
    if not re.fullmatch("[a-z]{2,12}", name):
        raise BadNameError(
            f"a game's name must be one word of 2 to 12 lower-case letters, a to z, not {name!r}"
        )
    if (root / "src" / "games" / name).exists():
        raise BadNameError(f"there is already a game {name!r}, in src/games/{name}")
    if keyword.iskeyword(name) or name in RUST_WORDS.split() or name == "gamename":
        raise BadNameError(
            f"{name!r} is a keyword of Rust or Python, or a word of the templates: choose another name"
        )
    if name in written_already(root):
        raise BadNameError(
            f"the engine already uses the word {name!r} for something else: choose another name"
        )


def insert_after(text: str, pattern: str, line: str) -> str:
    """The text with the line inserted after the last match of the pattern."""
    *_, last = re.finditer(pattern, text, re.MULTILINE)
    return text[: last.end()] + line + text[last.end() :]


def listed(games: str, name: str) -> str:
    """src/games/mod.rs with the game's two lines."""
    modules = re.findall(r"^pub mod (\w+);\n", games, re.MULTILINE)
    block = "".join(f"pub mod {module};\n" for module in modules)
    games = games.replace(block, "".join(f"pub mod {module};\n" for module in sorted([*modules, name])))
    visited = r"^pub fn visit\(.*\n(?:    each\.game::<.*\n)*"
    return insert_after(games, visited, f"    each.game::<{name}::{name.capitalize()}>();\n")


def told(readme: str, name: str) -> str:
    """README.md with the game's row in the table, and its link at the end of the list."""
    rules = f"src/games/{name}/rules.md"
    row = f"| `{name}` | 2 | a race for two on one short track | made up | [{rules}]({rules}) |\n"
    readme = insert_after(readme, r"^\| `[a-z]+` \|.*rules\.md\) \|\n", row)
    return insert_after(
        readme,
        r"^  - \[.+\]\(docs/games/[a-z]+\.md\)\n",
        f"  - [{name.capitalize()}](docs/games/{name}.md)\n",
    )


def judged(agents: str, name: str) -> str:
    """docs/agents.md with the game's bullet under "How positions are evaluated"."""
    bullet = (
        f"- **{name.capitalize()}**: the squares that a player's pieces have come, 13 for a piece borne off. "
        "A lead of x is worth\n  x / (|x| + 26) of a win.\n"
    )
    return insert_after(agents, r"^- \*\*.+\*\*: .+\n(?:  .+\n)*", bullet)


def files(name: str, root: Path) -> dict[str, str]:
    """The contents of each file to write, by its path from the root: new files, and three that exist already."""
    found = {}
    for path in sorted(TEMPLATES.rglob("*.*")):
        if path.suffix not in {".rs", ".md", ".py", ".perft"}:
            continue
        text = path.read_text(encoding="utf-8")
        place = path.relative_to(TEMPLATES).as_posix().replace("gamename", name)
        found[place] = text.replace("gamename", name).replace("Gamename", name.capitalize())
    for place, change in (("src/games/mod.rs", listed), ("README.md", told), ("docs/agents.md", judged)):
        found[place] = change((root / place).read_text(encoding="utf-8"), name)
    return found


def main(arguments: list[str] | None = None, root: Path = ROOT) -> int:
    parser = argparse.ArgumentParser(description="Write the skeleton of a new game.")
    parser.add_argument("name", help="one word of lower-case letters, as users will type it")
    name = parser.parse_args(arguments).name
    try:
        check_name(name, root)
    except BadNameError as error:
        print(f"new_game.py: {error}", file=sys.stderr)
        return 1
    for place, text in files(name, root).items():
        path = root / place
        print(f"{'changed' if path.exists() else 'wrote'} {place}")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
