"""Install the wheel into a fresh environment of every Python here that it is for, and run tests/smoke.py.

    python scripts/wheel_smoke.py dist
    python scripts/wheel_smoke.py dist --this       # on the Python that runs it alone

Looked through are this interpreter, pyenv's versions and the PATH; one of each minor version is taken. Those
that the wheel is not for, or that cannot make a virtual environment, are named and left out. The exit status
is 1 when an interpreter that was tried failed, or when none was found.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from pythons import Interpreter, clean_environment, interpreters

SMOKE = Path(__file__).resolve().parent.parent / "tests" / "smoke.py"
TIMEOUT = 600


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
    if sys.argv[2:] not in ([], ["--this"]):
        raise SystemExit("usage: wheel_smoke.py FOLDER [--this] (the folder that holds the wheel)")
    wheels = sorted(Path(sys.argv[1]).resolve().glob("sarai-*.whl"))
    if len(wheels) != 1:
        raise SystemExit(
            f"{sys.argv[1]} holds {len(wheels)} wheels of sarai, not one; make it with 'make wheel'"
        )
    found = interpreters(oldest_python(wheels[0]))
    if sys.argv[2:]:
        found = [one for one in found if one.version[:2] == sys.version_info[:2]]
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
