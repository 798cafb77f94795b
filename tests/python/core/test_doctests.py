"""The examples in the compiled module's docstrings run like all others."""

from __future__ import annotations

import doctest

import pytest

import sarai


@pytest.mark.parametrize("documented", [sarai.Game, sarai.State, sarai.choose])
def test_examples(documented: object) -> None:
    (example,) = doctest.DocTestFinder(recurse=False).find(documented, globs={})
    assert len(example.examples) > 2
    result = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(example)
    assert result.failed == 0
