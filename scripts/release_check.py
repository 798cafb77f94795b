"""Whether what lies in dist/ could be released: the wheel, the source distribution, and a wheel built from that.

    make release-check

builds them and runs this, which prints a report. Each line of it is a check that passed, a figure, or a failure; the
exit status is 1 if anything failed. Figures are for people: nothing fails because a machine is slow.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import third_party
from pythons import Interpreter, clean_environment, interpreters
from wheel_smoke import oldest_python, run, smoke

ROOT = Path(__file__).resolve().parent.parent
README = ROOT / "README.md"
LICENCES = ("LICENSE", "LICENSE-MIT", "LICENSE-APACHE", "LICENSE-THIRD-PARTY")
# The index takes files of up to 100 MB; what people download again and again should be far from that.
LARGEST = 20_000_000
ROUNDS = 15
IMPORTS = """
import time
clocks = time.perf_counter, time.process_time
begun = [clock() for clock in clocks]
import numpy
between = [clock() for clock in clocks]
import sarai
ended = [clock() for clock in clocks]
print(*(b - a for a, b in zip(begun + between, between + ended)))
"""
DOCTEST = """
import doctest, sys
failed, tried = doctest.testfile(sys.argv[1], module_relative=False)
sys.exit(1 if failed or tried < 5 else 0)
"""


@dataclass
class Report:
    """What was found; printed as it comes."""

    failures: list[str] = field(default_factory=list)

    def check(self, what: str, work: Callable[[], str]) -> None:
        """Do one check, which says what it has seen, or raises."""
        try:
            seen = work()
        except (
            AssertionError,
            OSError,
            RuntimeError,
            SystemExit,
            ValueError,
            subprocess.SubprocessError,
        ) as error:
            self.failures.append(what)
            print(f"FAILED  {what}: {error}", flush=True)
        else:
            print(f"ok      {what}{': ' if seen else ''}{seen}", flush=True)


def size(count: int) -> str:
    """A number of bytes, for people.

    >>> size(4_321_000), size(32_100)
    ('4.3 MB', '32 kB')
    """
    return f"{count / 1e6:.1f} MB" if count >= 1_000_000 else f"{count / 1e3:.0f} kB"


def version() -> str:
    """The version of Cargo.toml, of which all others are copies.

    Raises:
        AssertionError: Another file has another one.
    """
    found = re.search(r'^version = "(.+)"$', (ROOT / "Cargo.toml").read_text(encoding="utf-8"), re.MULTILINE)
    assert found, "Cargo.toml has no version"
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert f"\nversion: {found[1]}\n" in citation, "CITATION.cff differs"
    log = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    released = re.search(rf"^## \[{re.escape(found[1])}\] - (\S+)$", log, re.MULTILINE)
    assert released is None or f"\ndate-released: {released[1]}\n" in citation, (
        "CITATION.cff has another date"
    )
    told = f"\n## [{found[1]}] - " in log or f"\nTo be released as {found[1]}.\n" in log
    assert told, f"CHANGELOG.md says nothing about {found[1]}"
    recipe = (ROOT / "packaging" / "conda" / "recipe.yaml").read_text(encoding="utf-8")
    assert f'\n  version: "{found[1]}"\n' in recipe, "packaging/conda/recipe.yaml differs"
    return found[1]


def names(archive: Path) -> list[str]:
    """The files in a wheel or a source distribution."""
    if archive.suffix == ".whl":
        with zipfile.ZipFile(archive) as wheel:
            return sorted(wheel.namelist())
    with tarfile.open(archive) as sources:
        return sorted(member.name for member in sources.getmembers() if member.isfile())


def contents(wheel: Path) -> str:
    """The package is in the wheel: all of it, and nothing else."""
    inside = [
        name for name in names(wheel) if ".dist-info/" not in name and not name.startswith("sarai.libs/")
    ]
    package = ROOT / "python" / "sarai"
    ours = [path for path in package.rglob("*") if path.is_file() and "__pycache__" not in path.parts]
    wanted = {
        path.relative_to(package.parent).as_posix() for path in ours if not path.name.startswith("_core.abi3")
    }
    compiled = [name for name in inside if re.fullmatch(r"sarai/_core\.(abi3\.so|pyd)", name)]
    assert len(compiled) == 1, f"{len(compiled)} compiled modules"
    different = wanted ^ ({*inside} - {*compiled})
    assert not different, f"in one and not in the other: {', '.join(sorted(different)[:5])}"
    return f"{len(inside)} files"


def sources_of(archive: Path) -> str:
    """The source distribution has nothing that git does not know."""
    inside = [name.partition("/")[2] for name in names(archive)]
    done = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True)
    strange = {*inside} - {*done.stdout.splitlines()} - {"PKG-INFO"}
    assert not strange, f"git does not know {', '.join(sorted(strange)[:5])}"
    return f"{len(inside)} files"


def licences(archive: Path) -> str:
    """Every licence is in an archive."""
    inside = {Path(name).name for name in names(archive)}
    assert {*LICENCES} <= inside, f"without {', '.join({*LICENCES} - inside)}"
    return ", ".join(LICENCES)


def compiled_in() -> str:
    """The crates of the extension module by licence."""
    text = third_party.document()
    assert third_party.PATH.read_text(encoding="utf-8") == text, "run python scripts/third_party.py"
    kinds = Counter(re.findall(r"^  \S+ \S+: (.+)$", text, re.MULTILINE))
    return f"{kinds.total()} crates: " + ", ".join(f"{count} {kind}" for kind, count in kinds.most_common())


def tool(*arguments: str | Path) -> str:
    """Run one of the locked tools, and give its last line."""
    done = subprocess.run(
        [sys.executable, "-m", *arguments], capture_output=True, text=True, errors="replace", check=False
    )
    said = (done.stdout + done.stderr).strip()
    assert done.returncode == 0, said
    return re.sub(r"\x1b\[[\d;]*m", "", said).splitlines()[-1].strip() if said else ""


def smoked(interpreter: Interpreter, wheel: Path) -> str:
    """Installed into a fresh environment, it plays."""
    failure = smoke(interpreter, wheel)
    assert not failure, failure
    return ""


def installed(interpreter: Interpreter, wheel: Path, folder: str) -> Path:
    """The Python of a fresh environment with the wheel."""
    run(interpreter.path, "-m", "venv", "venv", cwd=folder)
    python = Path(folder, "venv", *(("Scripts", "python.exe") if os.name == "nt" else ("bin", "python")))
    run(python, "-m", "pip", "install", "--quiet", "--only-binary", ":all:", wheel, cwd=folder)
    return python


def readme(python: Path, folder: str) -> str:
    """What the README shows comes out: its examples, and its commands of `sarai`."""
    run(python, "-I", "-c", DOCTEST, README, cwd=folder)
    commands = re.findall(
        r"^(?: {4})?(sarai .*?)(?:\s+#.*)?$", README.read_text(encoding="utf-8"), re.MULTILINE
    )
    for command in commands:
        words = command.split()
        # What waits for people is only asked how it is used.
        run(
            python,
            "-I",
            "-m",
            *([*words[:2], "--help"] if words[1] in ("play", "serve") else words),
            cwd=folder,
        )
    return f"the examples and {len(commands)} commands"


def imported(python: Path, folder: str) -> str:
    """How long `import sarai` takes beyond numpy: the least of several runs."""
    command = [python, "-I", "-c", IMPORTS]
    runs = [
        [*map(float, subprocess.run(command, cwd=folder, capture_output=True, check=True).stdout.split())]
        for _ in range(ROUNDS)
    ]
    numpy, numpy_work, ours, work = (min(times) * 1000 for times in zip(*runs, strict=True))
    return (
        f"numpy {numpy:.0f} ms ({numpy_work:.0f} ms of processor time), sarai {ours:.0f} ms more ({work:.0f} ms); "
        f"the least of {ROUNDS} runs; aim: under 150 ms more"
    )


def one(folder: Path, pattern: str) -> Path:
    """The only file of a kind."""
    found = sorted(folder.glob(pattern))
    if len(found) != 1:
        raise SystemExit(
            f"{folder} holds {len(found)} files like {pattern}, not one; run `make release-check`"
        )
    return found[0].resolve()


def main() -> int:
    """Check everything; the exit status."""
    if len(sys.argv) != 2:
        raise SystemExit("usage: release_check.py FOLDER (the folder that holds the distributions)")
    dist = Path(sys.argv[1])
    wheel, sources, rebuilt = (
        one(dist, "sarai-*.whl"),
        one(dist, "sarai-*.tar.gz"),
        one(dist / "from-sdist", "sarai-*.whl"),
    )
    report = Report()
    report.check("one version everywhere", version)
    for archive in (wheel, sources):
        report.check(
            f"twine, {archive.name}", lambda archive=archive: tool("twine", "check", "--strict", archive)
        )
        report.check(f"licences, {archive.name}", lambda archive=archive: licences(archive))

        def weigh(archive: Path = archive) -> str:
            weight = archive.stat().st_size
            assert weight < LARGEST, f"{size(weight)}, at most {size(LARGEST)}"
            return size(weight)

        report.check(f"size, {archive.name}", weigh)
    report.check("licences of what is compiled in", compiled_in)
    report.check("contents of the sources", lambda: sources_of(sources))
    report.check("contents of the wheel", lambda: contents(wheel))
    report.check("contents of the wheel from the sources", lambda: contents(rebuilt))
    report.check("abi3audit", lambda: tool("abi3audit", "--strict", "--summary", wheel))

    found = interpreters(oldest_python(wheel))
    for interpreter in found:
        if interpreter.unfit:
            print(f"left out {interpreter.label}: {interpreter.unfit}")
    tried = [interpreter for interpreter in found if not interpreter.unfit]
    for interpreter in tried:
        report.check(f"the wheel on {interpreter.label}", lambda it=interpreter: smoked(it, wheel))
        report.check(f"the sources on {interpreter.label}", lambda it=interpreter: smoked(it, rebuilt))
    for interpreter in tried[:1] + tried[1:][-1:]:
        with tempfile.TemporaryDirectory(prefix="sarai-release-", ignore_cleanup_errors=True) as folder:
            python = installed(interpreter, wheel, folder)
            report.check(
                f"README on {interpreter.label}", lambda python=python, folder=folder: readme(python, folder)
            )
            report.check(
                f"import time on {interpreter.label}",
                lambda python=python, folder=folder: imported(python, folder),
            )
    if not tried:
        report.failures.append("no Python that the wheel is for was found")
    if report.failures:
        print(f"\n{len(report.failures)} failed: {'; '.join(report.failures)}", file=sys.stderr)
        return 1
    print(f"\n{wheel.name} and {sources.name} could be released ({len(tried)} Pythons)")
    return 0


if __name__ == "__main__":
    # Pythons are found again without what this one's environment hides.
    os.environ.update(clean_environment())
    sys.exit(main())
