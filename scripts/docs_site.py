"""Lay out the pages, notebooks and rule books as one site, let Sphinx build it, and check every link inside.

    python scripts/docs_site.py site

The pages in docs/ are written for readers on GitHub as well: they link to notebooks and rule books where those lie in
the repository. In the site these lie beside the pages, so the links are changed here, in copies.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

from check_site import check

ROOT = Path(__file__).resolve().parent.parent
WORK = ROOT / "target" / "docs-site"
# What `make wasm` leaves: playground.js, an ES module that fills every element of the class "sarai-playground", and its
# files.
PLAYGROUND = ROOT / "web" / "dist"
# The empty line that doctest needs at the end of an example.
LAST_LINE = re.compile(r"^(```python\n(?:(?!```).*\n)*?)\n(?=```$)", re.MULTILINE)
LINK = re.compile(r"(\]\()([^)#\s]+)((?:#[^)]*)?\))")


def address(name: str) -> str:
    """An address of `[project.urls]` in pyproject.toml, the one place that knows them; empty if there is none."""
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    urls = re.search(r"^\[project\.urls\]\n((?:.+\n)*)", text, re.MULTILINE)
    found = re.search(rf'^{name} = "(.+)"$', urls[1], re.MULTILINE) if urls else None
    return found[1] if found else ""


def place(path: str) -> str | None:
    """Where a file of the repository lies in the site; None if it is no page.

    >>> place("docs/games/sho.md"), place("src/games/sho/rules.md"), place("CHANGELOG.md"), place("Makefile")
    ('games/sho.md', 'rules/sho.md', 'changelog.md', None)
    """
    if path in ("CHANGELOG.md", "CONTRIBUTING.md"):
        return path.lower()
    if path.startswith("docs/"):
        return path.removeprefix("docs/")
    if re.fullmatch(r"notebooks/[^/]+\.ipynb", path):
        return path
    book = re.fullmatch(r"src/games/(\w+)/rules\.md", path)
    return f"rules/{book[1]}.md" if book else None


def moved(text: str, path: str) -> str:
    """The text of a page with its links as they are in the site.

    >>> moved("[a](../../src/games/sho/rules.md#rules) [b](sho.svg) [c](https://d.org)", "docs/games/sho.md")
    '[a](../rules/sho.md#rules) [b](sho.svg) [c](https://d.org)'
    """
    here = place(path)
    assert here is not None

    def link(match: re.Match[str]) -> str:
        if re.match(r"[a-z]+:", match[2]):
            return match[0]
        there = os.path.normpath(os.path.join(os.path.dirname(path), match[2])).replace(os.sep, "/")
        target = place(there)
        if target is None:
            changelog = address("Changelog")
            if not changelog:
                raise SystemExit(f"{path} links to {there}, which the site does not have")
            # Of the same commit as the changelog.
            return f"{match[1]}{changelog.removesuffix('CHANGELOG.md')}{there}{match[3]}"
        return (
            match[1] + os.path.relpath(target, os.path.dirname(here) or ".").replace(os.sep, "/") + match[3]
        )

    return LINK.sub(link, LAST_LINE.sub(r"\1", text))


# Where a line of code in the text may break, apart from its spaces.
BREAK = re.compile(r"((?<=[a-z)]\.)|(?<=[,(/]))(?=[\w\"'(\[{&])")
INLINE = re.compile(r'(?<=<span class="pre">)[^<]+')
PARAMETERS = re.compile(r'<dl>\s*((?:<dd><em class="sig-param">.*?</dd>\s*)+)</dl>', re.DOTALL)


def mended(html: str) -> str:
    """A page without what screen readers stumble over in the pages of Sphinx and its theme, whose calls may break.

    >>> mended('<dl><dd><em class="sig-param">n</em></dd></dl>')
    '<div class="sig-params"><div><em class="sig-param">n</em></div></div>'
    >>> mended('<span class="pre">sarai.make("sho",players=2)</span>')
    '<span class="pre">sarai.<wbr>make(<wbr>"sho",<wbr>players=2)</span>'
    """
    # A list of definitions without terms.
    html = PARAMETERS.sub(
        lambda match: f'<div class="sig-params">{match[1].replace("dd>", "div>")}</div>',
        html,
    )
    # The empty corner of a table, which is no header.
    html = html.replace('<th class="head"><p></p></th>', "<td></td>")
    html = INLINE.sub(lambda match: BREAK.sub("<wbr>", match[0]), html)
    # A button to unfold pages that does not say so.
    html = html.replace(
        '<summary><span class="toctree', '<summary aria-label="Pages below"><span class="toctree'
    )
    # A name that has to begin with what the button shows.
    return re.sub(r'(class="btn search-button-field[^>]*? aria-label="Search)"', r'\1 Ctrl+K"', html)


def book(text: str, game: str) -> str:
    r"""A rule book as a page: with a title, its headings below it, and no line of code that rustdoc would not show.

    >>> book("Sho, a race.\n# Rules\n```\nf()?;\n# Ok::<(), E>(())\n```", "sho")
    '# The rule book of Sho\n\nSho, a race.\n## Rules\n```\nf()?;\n```'
    """
    lead, _, rest = text.partition("\n")
    rest = re.sub(r"^# Ok::.*\n", "", rest, flags=re.MULTILINE)
    name = re.split(r"[,(]", lead)[0].strip()
    return f"# The rule book of {name}\n\n{lead}\n{re.sub(r'^#', '##', rest, flags=re.MULTILINE)}"


def notebook(text: str, path: str) -> str:
    """A notebook whose texts link as in the site, and whose tables have no empty headers."""
    content = json.loads(text)
    for cell in content["cells"]:
        if cell["cell_type"] == "markdown":
            cell["source"] = moved("".join(cell["source"]), path)
        for output in cell.get("outputs", []):
            if "text/html" in output.get("data", {}):
                # pandas has empty headers above the index of a table.
                html = "".join(output["data"]["text/html"])
                output["data"]["text/html"] = html.replace("<th></th>", "<td></td>")
    return json.dumps(content, ensure_ascii=False)


def pages() -> Iterator[Path]:
    """What the site is made of."""
    yield from (
        path for path in sorted((ROOT / "docs").rglob("*")) if path.is_file() and path.suffix != ".pyc"
    )
    yield from sorted((ROOT / "notebooks").glob("*.ipynb"))
    yield from sorted((ROOT / "src" / "games").glob("*/rules.md"))
    yield from (ROOT / name for name in ("CHANGELOG.md", "CONTRIBUTING.md"))


def lay_out(folder: Path) -> None:
    """Copy everything into one folder; files that have not changed keep their times, so that Sphinx reads few again."""
    wanted = set()
    for source in pages():
        path = source.relative_to(ROOT).as_posix()
        name = place(path)
        assert name is not None
        target = folder / name
        wanted.add(target)
        content = source.read_bytes()
        if source.suffix in (".md", ".ipynb"):
            text = content.decode()
            text = notebook(text, path) if source.suffix == ".ipynb" else moved(text, path)
            content = (book(text, source.parent.name) if source.name == "rules.md" else text).encode()
        if not target.exists() or target.read_bytes() != content:
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content)
    for old in [path for path in folder.rglob("*") if path.is_file() and path not in wanted]:
        old.unlink()


def main() -> int:
    """Build the site; the exit status."""
    if len(sys.argv) != 2:
        raise SystemExit("usage: docs_site.py FOLDER (the folder to write, such as site)")
    from sphinx.cmd.build import main as sphinx

    out = Path(sys.argv[1]).resolve()
    source, html = WORK / "source", WORK / "html"
    lay_out(source)
    options = [
        "-W",
        "--keep-going",
        "-q",
        "-j",
        "auto",
        "-c",
        str(ROOT / "docs"),
        "-d",
        str(WORK / "doctrees"),
    ]
    if status := sphinx([*options, "-b", "html", str(source), str(html)]):
        return status
    shutil.rmtree(out, ignore_errors=True)
    shutil.copytree(html, out, ignore=shutil.ignore_patterns(".buildinfo*", "_sources"))
    for page in out.rglob("*.html"):
        page.write_text(mended(page.read_text(encoding="utf-8")), encoding="utf-8")
    shutil.copytree(Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")) / "doc", out / "rust")
    if PLAYGROUND.exists():
        shutil.copytree(PLAYGROUND, out / "playground")
    return check(out)


if __name__ == "__main__":
    sys.exit(main())
