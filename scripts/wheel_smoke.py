"""Install the wheel into a fresh environment of every Python here that it is for, and run tests/smoke.py.

    python scripts/wheel_smoke.py dist

Looked through are this interpreter, pyenv's versions and the PATH; one of each minor version is taken. Those
that the wheel is not for, or that cannot make a virtual environment, are named and left out. The exit status
is 1 when an interpreter that was tried failed, or when none was found.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

SMOKE = Path(__file__).resolve().parent.parent / "tests" / "smoke.py"
TIMEOUT = 600

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
            timeout=30,
            env=clean_environment(),
            check=True,
        )
        said = json.loads(answer.stdout)
    except (OSError, subprocess.SubprocessError, ValueError):
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


def oldest_python(wheel: Path) -> tuple[int, int]:
    """The oldest Python of a stable-ABI wheel, from its name: ...-cp310-abi3-... gives (3, 10)."""
    match = re.search(r"-cp(\d)(\d+)-abi3-", wheel.name)
    if match is None:
        raise SystemExit(f"{wheel.name} is no stable-ABI wheel: its name should hold cp310-abi3 or the like")
    return int(match[1]), int(match[2])


def run(*command: str | Path, cwd: str) -> None:
    """Run a command; its output is part of the exception when it fails."""
    try:
        subprocess.run(
            command,
            cwd=cwd,
            env=clean_environment(),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            timeout=TIMEOUT,
            check=True,
        )
    except subprocess.CalledProcessError as error:
        line = " ".join(map(str, command))
        raise RuntimeError(f"{line} ended with status {error.returncode}:\n{error.output}") from None


def smoke(interpreter: Interpreter, wheel: Path) -> str:
    """Install and play; the empty string, or what went wrong."""
    started = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="sarai-smoke-", ignore_cleanup_errors=True) as folder:
        python = Path(folder, "venv", *(("Scripts", "python.exe") if os.name == "nt" else ("bin", "python")))
        try:
            run(interpreter.path, "-m", "venv", "venv", cwd=folder)
            # No building from source: a compiler is not what is tested here.
            run(python, "-m", "pip", "install", "--quiet", "--only-binary", ":all:", wheel, cwd=folder)
            run(python, "-I", SMOKE, cwd=folder)
        except (RuntimeError, subprocess.TimeoutExpired) as error:
            print(f"{interpreter.label}: FAILED", flush=True)
            return f"{interpreter.label}: {error}"
    print(f"{interpreter.label}: passed in {time.monotonic() - started:.0f} s", flush=True)
    return ""


def main() -> int:
    """Run the whole; the exit status."""
    if len(sys.argv) != 2:
        raise SystemExit("usage: wheel_smoke.py FOLDER (the folder that holds the wheel)")
    wheels = sorted(Path(sys.argv[1]).resolve().glob("sarai-*.whl"))
    if len(wheels) != 1:
        raise SystemExit(
            f"{sys.argv[1]} holds {len(wheels)} wheels of sarai, not one; make it with 'make wheel'"
        )
    found = interpreters(oldest_python(wheels[0]))
    for interpreter in found:
        if interpreter.unfit:
            print(f"{interpreter.label}: left out, {interpreter.unfit}", flush=True)
    tried = [interpreter for interpreter in found if not interpreter.unfit]
    if not tried:
        raise SystemExit("no Python that the wheel is for was found, not even this one")
    with ThreadPoolExecutor(max_workers=2) as pool:
        failures = [failure for failure in pool.map(lambda one: smoke(one, wheels[0]), tried) if failure]
    for failure in failures:
        print(f"\n{failure}", file=sys.stderr)
    print(f"{wheels[0].name}: {len(tried) - len(failures)} of {len(tried)} interpreters passed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
