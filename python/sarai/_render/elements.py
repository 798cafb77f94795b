"""Elements of SVG, and SVG as elements."""

from __future__ import annotations

import re
from typing import NamedTuple
from xml.parsers import expat

# XML 1.0 has no way at all to write these characters, not even escaped.
_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def escape(text: str) -> str:
    """Text made safe inside an element or an attribute.

    The five special characters become entities; a character that XML cannot carry becomes U+FFFD.

    Example:
        >>> escape('a < b & "c"')
        'a &lt; b &amp; &quot;c&quot;'
    """
    text = _NOT_XML.sub("\ufffd", text)
    for character, entity in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ('"', "&quot;"), ("'", "&#39;")):
        text = text.replace(character, entity)
    return text


class Element(NamedTuple):
    """An element of SVG: its name, its attributes as they are written, and what is in it, elements or text."""

    name: str
    """The name of the tag."""
    attributes: dict[str, str]
    """Names and values, as they are written."""
    children: tuple[Element | str, ...] = ()
    """What is in it, in order."""

    def start(self) -> str:
        """What its start tag holds."""
        return self.name + "".join(f' {name}="{escape(value)}"' for name, value in self.attributes.items())

    def written(self) -> str:
        """The element as text.

        Example:
            >>> Element("text", {"x": "1"}, ("a < b",)).written()
            '<text x="1">a &lt; b</text>'
        """
        if not self.children:
            return f"<{self.start()}/>"
        inner = (child.written() if isinstance(child, Element) else escape(child) for child in self.children)
        return f"<{self.start()}>{''.join(inner)}</{self.name}>"


def parsed(text: str) -> Element:
    """A document as elements."""
    unfinished: list[tuple[str, dict[str, str], list[Element | str]]] = [("", {}, [])]

    def end(_: str) -> None:
        name, attributes, children = unfinished.pop()
        unfinished[-1][2].append(Element(name, attributes, tuple(children)))

    parser = expat.ParserCreate(encoding="utf-8")
    parser.buffer_text = True
    parser.StartElementHandler = lambda name, attributes: unfinished.append((name, attributes, []))
    parser.EndElementHandler = end
    parser.CharacterDataHandler = lambda data: unfinished[-1][2].append(data)
    parser.Parse(text.encode(), True)
    (root,) = (child for child in unfinished[0][2] if isinstance(child, Element))
    return root
