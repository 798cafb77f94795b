"""What a notebook shows, read as HTML."""

from __future__ import annotations

import base64
import re
from html.parser import HTMLParser

WRITTEN = {"p", "b", "table", "thead", "tbody", "tr", "th", "td", "img"}


class Page(HTMLParser):
    """The cells and lines of some HTML; it refuses what is not closed, or not safe to show."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.said: list[str] = []
        self.rows: list[list[str]] = []
        self.images: list[str] = []
        self.feed(html)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        assert tag in WRITTEN
        given = dict(attributes)
        assert given.keys() <= {"style", "src", "alt", "width"}
        # Neither colours nor anything else that a theme decides.
        assert re.fullmatch("text-align: (left|right)", given.get("style") or "text-align: left")
        if tag == "img":
            source = given["src"] or ""
            assert source.startswith("data:image/svg+xml;base64,")
            self.images.append(base64.b64decode(source.split(",")[1]).decode())
            return
        self.open.append(tag)
        if tag == "tr":
            self.rows.append([])
        elif tag in ("td", "th"):
            self.rows[-1].append("")
        elif tag == "p":
            self.said.append("")

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open[-1] in ("td", "th"):
            self.rows[-1][-1] += data
        else:
            self.said[-1] += data
