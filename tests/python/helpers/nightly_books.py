"""Rule books of which one of each game is tested always, and the others nightly."""

from __future__ import annotations

import pytest

from helpers.positions import BOOKS

FIRST = {name: (name, preset) for name, preset in reversed(BOOKS)}
some_books = pytest.mark.parametrize(
    "book",
    [
        pytest.param(book, id="-".join(book), marks=() if FIRST[book[0]] == book else pytest.mark.nightly)
        for book in BOOKS
    ],
)
