"""Libraries that only some calls need."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def needed(what: str, extra: str, *packages: str) -> Iterator[None]:
    """A block that imports libraries which may not be installed.

    Args:
        what: What needs them.
        extra: The extra of this package that installs them.
        packages: Their names, where the imports might fail for other reasons as well.

    Raises:
        ImportError: One is missing; the message says what to install.

    >>> with needed("a figure", "plot"):
    ...     import mattplotlib
    Traceback (most recent call last):
    ...
    ModuleNotFoundError: a figure needs mattplotlib: pip install "sarai[plot]"
    """
    try:
        yield
    except ImportError as error:
        missing = (error.name or "a library").split(".")[0]
        if packages and missing not in packages:
            raise
        raise type(error)(f'{what} needs {missing}: pip install "sarai[{extra}]"', name=error.name) from error
