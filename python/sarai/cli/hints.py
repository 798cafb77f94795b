"""What messages advise: the word that was probably meant, and names of files as a shell takes them."""

from __future__ import annotations

import difflib
import os
import shlex
import subprocess
from collections.abc import Callable, Iterable

import click

from sarai.cli.screen import printable

_ON_WINDOWS = os.name == "nt"


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """The end of a message about a word that is not known, as the engine writes it; empty where none looks like it.

    >>> did_you_mean("Rolout", ["play", "rollout"])
    " (did you mean 'rollout'?)"
    >>> did_you_mean("x", ["play", "rollout"])
    ''
    """
    close = difflib.get_close_matches(word.lower(), known, n=1, cutoff=0.7)
    return f" (did you mean {close[0]!r}?)" if close else ""


def one_of(*known: str) -> Callable[[click.Context, click.Parameter, str], str]:
    """For `callback=`: a value that must be one of a few words."""

    def check(context: click.Context, parameter: click.Parameter, value: str) -> str:
        if value not in known:
            allowed = " or ".join(map(repr, known))
            raise click.BadParameter(
                f"it takes {allowed}, not {value!r}{did_you_mean(value, known)}", context, parameter
            )
        return value

    return check


def quoted(file: str) -> str:
    """The name of a file as it is typed after a command in a shell of this system."""
    file = printable(file)
    if not _ON_WINDOWS:
        return shlex.quote(file)
    written = subprocess.list2cmdline([file])
    # It thinks of blanks. The shells take these letters for their own too.
    return f'"{written}"' if written == file and set(file) & set("&()[]{}^=;!'+,`~@$") else written
