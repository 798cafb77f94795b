"""Check a built site: every link inside leads to a page and a place on it, and nothing is fetched from elsewhere.

python scripts/check_site.py site
"""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass, field
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

# What a browser fetches by itself, by tag and attribute.
FETCHED = {
    ("script", "src"),
    ("link", "href"),
    ("img", "src"),
    ("iframe", "src"),
    ("source", "src"),
    ("object", "data"),
}
# `link`s that are only told, not fetched.
TOLD = {"canonical", "next", "prev", "index", "search", "genindex", "copyright", "author", "help"}
IN_STYLE = re.compile(r"url\(\s*['\"]?([^'\")]+)|@import\s+['\"]([^'\"]+)")


@dataclass
class Page(HTMLParser):
    """The links and the named places of a page."""

    links: list[tuple[str, bool]] = field(default_factory=list)
    names: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        super().__init__()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Called for each tag."""
        has = {key: value or "" for key, value in attrs}
        self.names |= {has[key] for key in ("id", "name") if key in has}
        for key in ("href", "src", "data"):
            if key in has:
                fetched = (tag, key) in FETCHED and not (tag == "link" and has.get("rel", "") in TOLD)
                self.links.append((has[key], fetched))
        self.links += [(link, True) for link in styled(has.get("style", ""))]


def styled(text: str) -> list[str]:
    """What a style sheet fetches.

    >>> styled("a { background: url('b.png') } @import 'https://c.org/d.css';")
    ['b.png', 'https://c.org/d.css']
    """
    return [one or other for one, other in IN_STYLE.findall(text)]


@cache
def read(path: Path) -> Page:
    """A page of the site."""
    page = Page()
    page.feed(path.read_text(encoding="utf-8"))
    return page


def wrong(path: Path, link: str, fetched: bool) -> str:
    """What is wrong with a link of a page; empty if nothing is."""
    parts = urlsplit(link)
    if parts.scheme == "data" or (parts.scheme == "javascript" and not fetched):
        return ""
    if parts.scheme or parts.netloc:
        return "is fetched from elsewhere" if fetched else ""
    target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
    if target.is_dir():
        target /= "index.html"
    if not target.exists():
        return "leads nowhere"
    if parts.fragment and target.suffix == ".html" and unquote(parts.fragment) not in read(target).names:
        return "leads to no place on that page"
    return ""


def check(site: Path) -> int:
    """Print what is wrong; the exit status. The pages of rustdoc are rustdoc's, which checks its own links."""
    found, links = [], 0
    files = [path for path in sorted(site.rglob("*")) if path.relative_to(site).parts[0] != "rust"]
    # A template that the theme leaves among its files.
    files = [path for path in files if path.name != "webpack-macros.html"]
    for path in files:
        of_page: list[tuple[str, bool]] = []
        if path.suffix == ".html":
            of_page = read(path).links
        elif path.suffix == ".css":
            of_page = [(link, True) for link in styled(path.read_text(encoding="utf-8"))]
        links += len(of_page)
        for link, fetched in dict.fromkeys(of_page):
            if reason := wrong(path, link, fetched):
                found.append(f"{path.relative_to(site)}: {link} {reason}")
    for line in found:
        print(line, file=sys.stderr)
    print(f"{sum(path.suffix == '.html' for path in files)} pages, {links} links, {len(found)} of them wrong")
    return 1 if found else 0


if __name__ == "__main__":
    if len(sys.argv) != 2:
        raise SystemExit("usage: check_site.py FOLDER (the folder that holds the site)")
    sys.exit(check(Path(sys.argv[1]).resolve()))
