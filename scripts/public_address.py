"""Write the address of the public repository into what a package index shows.

    python scripts/public_address.py https://github.com/OWNER/REPOSITORY COMMIT

An index shows `[project.urls]`, and the README without the repository around it, so that relative links lead nowhere
there and pictures do not show. The workflow that publishes knows the address at which it runs, and calls this before it
builds. It changes pyproject.toml, Cargo.toml, CITATION.cff and README.md, or nothing at all.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
# What leads out of the repository, or stays on the page.
ELSEWHERE = r"(?!https?:|mailto:|#)"


def project(text: str, address: str, ref: str) -> str:
    """pyproject.toml with the table that the index shows beside the README."""
    urls = {
        "Repository": address,
        "Documentation": f"{address}/blob/{ref}/docs/index.md",
        "Changelog": f"{address}/blob/{ref}/CHANGELOG.md",
        "Issues": f"{address}/issues",
    }
    table = "".join(f'{name} = "{url}"\n' for name, url in urls.items())
    return before(text, "[project.optional-dependencies]\n", f"[project.urls]\n{table}\n")


def crate(text: str, address: str, ref: str) -> str:
    """Cargo.toml with the address."""
    return before(text, 'readme = "README.md"\n', f'repository = "{address}"\n')


def citation(text: str, address: str, ref: str) -> str:
    """CITATION.cff with the address."""
    return before(text, "license:\n", f"repository-code: {address}\n")


def readme(text: str, address: str, ref: str) -> str:
    """README.md with whole addresses.

    >>> readme('[how](docs/a.md) <img src="b.svg"> [it](https://c.org)', "https://github.com/o/r", "v1")
    '[how](https://github.com/o/r/blob/v1/docs/a.md) <img src="https://github.com/o/r/raw/v1/b.svg"> [it](https://c.org)'
    """
    text = re.sub(rf"!\[([^]]*)\]\({ELSEWHERE}", rf"![\1]({address}/raw/{ref}/", text)
    text = re.sub(rf'src="{ELSEWHERE}', f'src="{address}/raw/{ref}/', text)
    return re.sub(rf"(?<!!)(\[[^]]*\])\({ELSEWHERE}", rf"\1({address}/blob/{ref}/", text)


def before(text: str, line: str, new: str) -> str:
    """The text with something new before a line that it has once.

    Raises:
        SystemExit: It has it more or less often, or has the new already.
    """
    key = re.split(r"[=:\n]", new, maxsplit=1)[0].strip()
    if re.search(rf"^{re.escape(key)}", text, re.MULTILINE):
        raise SystemExit(f"there is an address already: {key}")
    if text.count(f"\n{line}") != 1:
        raise SystemExit(f"there is no single line {line.strip()!r} to put {key} before")
    return text.replace(f"\n{line}", f"\n{new}{line}")


FILES: dict[str, Callable[[str, str, str], str]] = {
    "pyproject.toml": project,
    "Cargo.toml": crate,
    "CITATION.cff": citation,
    "README.md": readme,
}


def main(root: Path, address: str, ref: str) -> None:
    """Rewrite the files of a checkout.

    Raises:
        SystemExit: This is no address or no commit, or one of the files has an address already. Nothing has changed.
    """
    if not re.fullmatch(r"https://[\w.-]+(/[\w.-]+)+", address):
        raise SystemExit(f"{address!r} is no address like https://github.com/OWNER/REPOSITORY")
    if not re.fullmatch(r"[\w.-]+", ref):
        raise SystemExit(f"{ref!r} is no commit and no tag")
    texts = {
        name: rewrite((root / name).read_text(encoding="utf-8"), address, ref)
        for name, rewrite in FILES.items()
    }
    for name, text in texts.items():
        (root / name).write_text(text, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        raise SystemExit("usage: public_address.py ADDRESS COMMIT")
    main(ROOT, *sys.argv[1:])
