"""Pictures of views, and what every picture is."""

from __future__ import annotations

import copy
import json
import xml.etree.ElementTree as ET
from typing import Any

from sarai.render import draw

NS = "{http://www.w3.org/2000/svg}"
ALLOWED = {"svg", "title", "desc", "g", "circle", "rect", "path", "text"}


def check_pure_and_self_contained(shown: dict[str, Any], theme: str) -> None:
    """Hold that the same view gives the same SVG, is left alone, and that the SVG can stand on any page."""
    before = copy.deepcopy(shown)
    picture = draw(shown, theme=theme)
    assert picture == draw(json.loads(json.dumps(shown)), theme=theme)
    assert shown == before
    root = ET.fromstring(picture)
    assert root.tag == f"{NS}svg"
    assert root.get("role") == "img"
    assert len(root.findtext(f"{NS}title") or "") > 10
    assert len(root.findtext(f"{NS}desc") or "") > 60
    assert {element.tag.removeprefix(NS) for element in root.iter()} <= ALLOWED
    # No ids (two pictures on a page would share them), no links, no handlers, no styles.
    attributes = {name for element in root.iter() for name in element.attrib}
    assert not [a for a in attributes if a in ("id", "class", "style") or "href" in a or a.startswith("on")]
    assert "url(" not in picture
    assert picture.count("http") == 1
