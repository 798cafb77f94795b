"""Write docs/bibliography.md from docs/references.bib, the one place that has the sources in full.

    python scripts/bibliography.py

scripts/game_pages.py uses `listed` for the lists of sources on the pages of the games.
"""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
REFERENCES = ROOT / "docs" / "references.bib"
PAGE = ROOT / "docs" / "bibliography.md"

Entry = dict[str, str]

METHODS = "methods"


def sections() -> dict[str, str]:
    """The headings of the sections by the keyword of their entries: the games, and what is about none of them."""
    pages = sorted((ROOT / "docs" / "games").glob("*.md"))
    titles = {
        page.stem: page.read_text(encoding="utf-8").splitlines()[0].removeprefix("# ") for page in pages
    }
    return {**titles, METHODS: "Methods"}


LEAD = """\
# Bibliography

The sources of the rules, game by game, and the literature on the methods. The pages of the [games](games.md) say which
rule follows which source. All entries are in [references.bib](references.bib), for BibTeX and reference managers;
`scripts/bibliography.py` writes this page from that file. To cite Sarai itself, use the file `CITATION.cff` in the
repository.
"""


def entries() -> dict[str, Entry]:
    """The entries of references.bib by their keys, in the order of the file.

    Raises:
        ValueError: An entry has no section, or something in the file is no entry.
    """
    return parsed(REFERENCES.read_text(encoding="utf-8"))


def parsed(text: str) -> dict[str, Entry]:
    r"""The entries of a file of references, each with a line a field.

    >>> parsed("@book{a-1,\n  title = {A {B}},\n  keywords = {sho}\n}\n")
    {'a-1': {'type': 'book', 'title': 'A {B}', 'keywords': 'sho'}}
    """
    text = re.sub(r"^%.*\n", "", text, flags=re.MULTILINE)
    found: dict[str, Entry] = {}
    for block in filter(None, map(str.strip, re.split(r"^(?=@)", text, flags=re.MULTILINE))):
        head, *lines = block.splitlines()
        start = re.fullmatch(r"@(\w+)\{([\w-]+),", head)
        fields = [re.fullmatch(r"  (\w+) *= \{(.*)\},?", line) for line in lines[:-1]]
        if start is None or lines[-1] != "}" or not all(fields) or start[2] in found:
            raise ValueError(f"references.bib: this is no entry, or its key is taken:\n{block}")
        entry = {"type": start[1], **{field[1]: field[2] for field in fields if field}}
        if entry.get("keywords") not in sections():
            raise ValueError(
                f"references.bib: the keywords of {start[2]} must be one of {', '.join(sections())}"
            )
        found[start[2]] = entry
    return found


def written(entry: Entry) -> str:
    """An entry in Markdown: author, year, title, where it appeared, and a link.

    >>> written({"type": "book", "author": "Bell, R. C.", "year": "1979", "title": "Games", "volume": "1",
    ...          "pages": "42", "address": "New York", "publisher": "Dover"})
    'Bell, R. C. 1979. *Games*, vol. 1, p. 42. New York: Dover.'
    """
    whole = entry["type"] in ("book", "phdthesis")
    title = f"*{entry['title']}*" if whole else f'"{entry["title"]}"'
    pages = entry.get("pages", "")
    if whole:
        volume = f", vol. {entry['volume']}" if "volume" in entry else ""
        place = f", {'pp.' if '-' in pages else 'p.'} {pages}" if pages else ""
        press = entry.get("publisher") or f"{entry['school']} (PhD thesis)"
        parts = [f"{title}{volume}{place}", f"{entry['address']}: {press}"]
    else:
        parts = [title]
        if "journal" in entry:
            issue = f" {entry['volume']}" if "volume" in entry else ""
            issue += f"({entry['number']})" if "number" in entry else ""
            parts.append(f"*{entry['journal']}*{issue}: {pages}")
        elif "booktitle" in entry:
            parts.append(f"*{entry['booktitle']}*{f': {pages}' if pages else ''}")
        elif "howpublished" in entry:
            parts.append(entry["howpublished"])
    parts = [authors(entry["author"]), entry["year"], *parts]
    parts += [entry["note"]] if "note" in entry else []
    text = "".join(part + (" " if part.endswith(".") else ". ") for part in parts)
    return text + f"<{entry['url']}>" if "url" in entry else text.strip()


def authors(names: str) -> str:
    """The authors, the first one by the last name.

    >>> authors("Ng, Andrew Y. and Harada, Daishi"), authors("Botermans, Jack and others"), authors("{Wikipedia}")
    ('Ng, Andrew Y., and Daishi Harada', 'Botermans, Jack, et al.', 'Wikipedia')
    """
    first, *others = names.strip("{}").split(" and ")
    if not others:
        return first
    if others == ["others"]:
        return f"{first}, et al."
    turned = [" ".join(reversed(name.split(", "))) for name in others]
    return ", ".join([first, *turned[:-1], f"and {turned[-1]}"])


def listed(keyword: str) -> str:
    """The entries with a keyword, as a list in Markdown."""
    return "\n".join(f"- {written(entry)}" for entry in entries().values() if entry["keywords"] == keyword)


def page() -> str:
    """docs/bibliography.md."""
    return "\n".join(
        [LEAD, *(f"## {heading}\n\n{listed(keyword)}\n" for keyword, heading in sections().items())]
    )


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8", newline="\n")
