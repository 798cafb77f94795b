"""One writer of a folder at a time."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO

LOCK = ".lock"

# What a file system says that knows no locks.
_NO_LOCKS = (errno.ENOLCK, errno.ENOSYS, errno.ENOTSUP)


@contextmanager
def locked(folder: str) -> Iterator[None]:
    """Hold the folder against other runs; the system lets it go when this process ends, however it ends.

    Where the file system knows no locks, two runs may do the same work twice, and write the same bytes. Where nothing
    may be written, what is finished needs no lock, and whatever is missing says what is wrong.

    Raises:
        OSError: The lock cannot be made.
        ValueError: Another run has it.
    """
    try:
        file = open(os.path.join(folder, LOCK), "ab")
    except OSError as error:
        if error.errno not in (errno.EACCES, errno.EROFS):
            raise
        yield
        return
    with file:
        try:
            _lock(file)
        except (BlockingIOError, PermissionError):
            raise ValueError(
                f"another run is writing into {folder!r}: wait for its end; what it has made by then is kept"
            ) from None
        except OSError as error:
            if error.errno not in _NO_LOCKS:
                raise
        yield


if sys.platform == "win32":

    def _lock(file: IO[bytes]) -> None:
        import msvcrt

        file.seek(0)
        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)

else:

    def _lock(file: IO[bytes]) -> None:
        import fcntl

        fcntl.flock(file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
