"""Writing a file as a whole or not at all."""

from __future__ import annotations

import errno
import os
import secrets
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO

from sarai._base import arguments


def replace(path: arguments.StrPath, fill: Callable[[BinaryIO], object]) -> None:
    """Write a file that is either there as a whole or not at all.

    `fill` writes to a temporary file in the same folder, which takes the place of `path` at the end; on an exception,
    Ctrl-C at any moment included, it is removed and whatever stood at `path` stays. A device or a pipe is written to
    directly.

    Raises:
        OSError: The file cannot be written; `filename` is the path that was given.
        TypeError: The path is neither a str nor a path object.
        Exception: Whatever `fill` raises comes through unchanged.
    """
    path = arguments.path(path)
    target = Path(os.path.realpath(path))
    if target.exists() and not target.is_file():
        with open(target, "wb") as file:
            fill(file)
        return
    if target.exists() and not os.access(target, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), path)
    temporary = str(target.with_name(f".{secrets.token_hex(16)}.tmp"))
    # A plain function, and not a context manager: between its lines there is no other's code for Ctrl-C to come into.
    try:
        with open(temporary, "xb") as file:
            fill(file)
            file.flush()
            os.fsync(file.fileno())
        if target.exists():
            # Who may read the old file may read the new one, and nobody else.
            shutil.copymode(target, temporary)
        os.replace(temporary, target)
    except BaseException as error:
        # One call into the system: in suppress(), which is Python, a second Ctrl-C could come before it.
        try:  # noqa: SIM105
            os.unlink(temporary)
        except OSError:
            pass  # it has taken its place, or could not be made; what is read-only says so of names that are not there
        # A full disk is known to the file alone, which does not say its name.
        if isinstance(error, OSError) and error.errno is not None and error.filename in (None, temporary):
            error.filename = path
        raise


def check_writable(file: Path, new_folder: bool) -> None:
    """Find out before a long call, not after, that its result could not be kept.

    The folder may be missing only if it is to be made.

    Raises:
        OSError: That in which writing would end.
    """
    place = file
    while not place.exists() and (place == file or new_folder):
        place = place.parent
    if not place.exists():
        problem = errno.ENOENT
    elif place == file and place.is_dir():
        problem = errno.EISDIR
    elif place != file and not place.is_dir():
        problem = errno.ENOTDIR
    elif not os.access(place, os.W_OK):
        problem = errno.EACCES
    else:
        return
    raise OSError(problem, os.strerror(problem), os.fspath(file))
