"""OpenSpiel's module `pyspiel`, for the tests of this folder.

It is missing only where the package index has no wheel of it, which the markers in pyproject.toml say: there the
tests are skipped. Missing anywhere else it is an error, so that no machine stops comparing in silence.
"""

from __future__ import annotations

import re
from importlib.util import find_spec

import pytest
from packaging.requirements import Requirement

from helpers.places import ROOT

PYPROJECT = ROOT / "pyproject.toml"


def has_wheel() -> bool:
    """Whether pyproject.toml asks for OpenSpiel here."""
    text = PYPROJECT.read_text(encoding="utf-8").replace("\\\n", " ")
    text = text[text.index("\npeers = [") :].split("\n]")[0]
    wanted = [Requirement(line.strip()) for line in re.findall(r'"\s*(open_spiel\b[^"]*)"', text)]
    return any(one.marker is None or one.marker.evaluate() for one in wanted)


if find_spec("pyspiel") is None and not has_wheel():
    pytest.skip("open_spiel has no wheel for this Python and machine", allow_module_level=True)

import pyspiel  # noqa: E402

__all__ = ["pyspiel"]
