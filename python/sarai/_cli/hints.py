"""What messages advise: the word that was probably meant, and names of files as a shell takes them."""

from __future__ import annotations

import os
import shlex
import subprocess
from collections.abc import Callable

import click

from sarai._base.arguments import suggestion
from sarai._cli.screen import printable

_ON_WINDOWS = os.name == "nt"


def one_of(*known: str) -> Callable[[click.Context, click.Parameter, str], str]:
    """For `callback=`: a value that must be one of a few words."""

    def check(context: click.Context, parameter: click.Parameter, value: str) -> str:
        if value not in known:
            allowed = " or ".join(map(repr, known))
            raise click.BadParameter(
                f"it takes {allowed}, not {value!r}{suggestion(value, known)}", context, parameter
            )
        return value

    return check


def quoted(file: str) -> str:
    """The name of a file as it is typed after a command in a shell of this system."""
    file = printable(file)
    if file.startswith("-"):
        # Not an option.
        file = f"./{file}"
    if not _ON_WINDOWS:
        return shlex.quote(file)
    written = subprocess.list2cmdline([file])
    # It thinks of blanks. The shells take these letters for their own too.
    return f'"{written}"' if written == file and set(file) & set("&()[]{}^=;!'+,`~@$#") else written
