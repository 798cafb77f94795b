"""The examples in the compiled module's docstrings run like all others."""

from __future__ import annotations

import doctest

import pytest

import sarai


@pytest.mark.parametrize("documented", [sarai.Game, sarai.State])
def test_examples(documented: type) -> None:
    (example,) = doctest.DocTestFinder(recurse=False).find(documented)
    assert len(example.examples) > 4
    result = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(example)
    assert result.failed == 0
