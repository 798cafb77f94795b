"""The Pythons of this machine: this one, pyenv's versions and those on the PATH, one of each minor version and build.

    python scripts/pythons.py --oldest

prints the path of the oldest one that pyproject.toml allows and that can make a virtual environment.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

# Of a guard: one that hangs is an error, since left out in silence it would seem to have passed.
TIMEOUT = 300

PROBE = """
import json, sys, sysconfig
lacks = []
for name in ("venv", "ensurepip", "ssl"):
    try:
        __import__(name)
    except ImportError:
        lacks.append(name)
print(json.dumps({
    "version": list(sys.version_info[:3]),
    "final": sys.version_info[3] == "final",
    "implementation": sys.implementation.name,
    "gil": not sysconfig.get_config_var("Py_GIL_DISABLED"),
    "lacks": lacks,
}))
"""


@dataclass(frozen=True)
class Interpreter:
    """A Python that runs, and what it says of itself."""

    path: str
    version: tuple[int, int, int]
    final: bool
    implementation: str
    gil: bool
    lacks: tuple[str, ...]

    @property
    def label(self) -> str:
        """How the report calls it."""
        return f"Python {'.'.join(map(str, self.version))} ({self.path})"

    @property
    def unfit(self) -> str:
        """Why the wheel is not tried on it; empty when it is."""
        if self.implementation != "cpython":
            return f"the wheel is for CPython, this is {self.implementation}"
        if not self.gil:
            return "the free-threaded build needs a wheel of its own"
        if not self.final:
            return "it is a pre-release"
        if self.lacks:
            return f"it was built without {', '.join(self.lacks)}"
        return ""


def clean_environment() -> dict[str, str]:
    """This process's environment without what would lead a child back into this one's virtual environment."""
    hidden = {"VIRTUAL_ENV", "PYTHONPATH", "PYTHONHOME"}
    return {key: value for key, value in os.environ.items() if key not in hidden}


def candidates() -> Iterator[str]:
    """Paths at which a Python may be, best first."""
    yield sys.executable
    names = re.compile(r"python(3(\.\d+)?)?(\.exe)?")
    root = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv")
    folders = [Path(folder) for folder in os.environ.get("PATH", "").split(os.pathsep) if folder]
    for folder in [*sorted(root.glob("versions/*/bin")), *folders]:
        try:
            found = sorted(entry.name for entry in folder.iterdir())
        except OSError:
            continue  # A folder on the PATH need not exist.
        yield from (str(folder / name) for name in found if names.fullmatch(name))


def probe(path: str) -> Interpreter | None:
    """Ask an interpreter for its version; None when it does not run, like the shim of an absent one."""
    try:
        answer = subprocess.run(
            [path, "-I", "-c", PROBE],
            capture_output=True,
            text=True,
            timeout=TIMEOUT,
            env=clean_environment(),
            check=True,
        )
        said = json.loads(answer.stdout)
    except (OSError, subprocess.CalledProcessError, ValueError):
        return None
    said["version"] = tuple(said["version"])
    said["lacks"] = tuple(said["lacks"])
    return Interpreter(path=path, **said)


def interpreters(oldest: tuple[int, int]) -> list[Interpreter]:
    """One interpreter of each version and build, `oldest` or newer; those that can be tried come first."""
    found: dict[tuple[object, ...], Interpreter] = {}
    seen: set[str] = set()
    for path in candidates():
        real = os.path.realpath(path)
        if real in seen:
            continue
        seen.add(real)
        interpreter = probe(path)
        if interpreter is None or interpreter.version[:2] < oldest:
            continue
        key = (interpreter.implementation, interpreter.version[:2], interpreter.gil)
        if key not in found or (found[key].unfit and not interpreter.unfit):
            found[key] = interpreter
    return sorted(found.values(), key=lambda interpreter: (bool(interpreter.unfit), interpreter.version))


def oldest_allowed() -> tuple[int, int]:
    """The oldest Python that pyproject.toml allows (Python 3.10 has no reader of TOML)."""
    text = (Path(__file__).resolve().parent.parent / "pyproject.toml").read_text(encoding="utf-8")
    match = re.search(r'^requires-python = ">=(\d+)\.(\d+)"$', text, re.MULTILINE)
    if match is None:
        raise SystemExit('pyproject.toml should have a line requires-python = ">=3.10" or the like')
    return int(match[1]), int(match[2])


def main() -> None:
    """Print the oldest."""
    if sys.argv[1:] != ["--oldest"]:
        raise SystemExit("usage: pythons.py --oldest")
    oldest = oldest_allowed()
    fit = [interpreter for interpreter in interpreters(oldest) if not interpreter.unfit]
    if not fit:
        raise SystemExit(f"no CPython from {oldest[0]}.{oldest[1]} on with venv was found, not even this one")
    print(min(fit, key=lambda interpreter: interpreter.version).path)


if __name__ == "__main__":
    main()
