"""Break the sources in many small ways, one at a time, and say which of the breakages the tests catch.

A suite that is made faster must still find what it found. This judges it: a seeded sample of breakages of the package
and of the engine, each run against the tests that reach it, the cheap ones first, until one fails.

    PY=.venv/bin/python                         # where the package and the tools for tests are installed
    pip install tree-sitter tree-sitter-rust    # for Rust, into the Python that runs this; it may be another than PY
    alias breakages="python scripts/breakages.py --interpreter $PY --work /tmp/breakages"
    breakages list --seed 5 --python 196 --games 110 --engine 72     # choose, and print what was chosen
    breakages build                             # one build of the engine, with a switch for each breakage of Rust
    breakages map --jobs 2                      # one run of all tests: how long each takes, and what it reaches
    breakages map --jobs 2 --nightly            # the same for the nightly ones; it may be left out
    breakages run --jobs 2 --quick              # judge the fast tests, or go on; --only p3,r7 takes some alone
    breakages run --jobs 2 --static             # then try the nightly ones on what they have missed
    breakages table                             # what came out, in Markdown

`build`, `map` and `run` take `--against PATH`: the tests of another checkout, such as the suite before a change. There,
`run` tries what nothing has caught here.

- Python: a copy of the repository stands first on the path, and one file of it is changed. The copy that `map` runs
  notes at each place that would be broken which test or fixture reaches it; subprocesses note it, too.
- Rust: each breakage is a branch in the code, taken where SARAI_BREAKAGE is its number. What the compiler refuses is
  replaced by others. What Rust's own tests do not catch is tried with those of the package.
- "fast" catches without the tests marked nightly (in Rust: ignored), "nightly" with them alone, "static" is ruff
  and mypy. Tests that fail with nothing broken, or are skipped, take no part. Too long, or a crash, counts as caught.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import random
import resource
import shlex
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from pathlib import Path
from queue import SimpleQueue
from typing import Any

import breakages_source as source
from breakages_source import Breakage, applied

ROOT = Path(__file__).resolve().parent.parent
MEMORY = 10 << 30
# Where the tests of a folder of the package, or of the engine, stand, if not in the folder of its name.
FOLDERS = {
    "agents": "core",
    "training": "nets",
    "play": "envs results core",
    "draw": "render",
    "base": "core",
}
FOLDERS |= {"rules": "core games", "api": "core"}
CORE = "_core.abi3.so"
# What `run --quick` says of a breakage that no fast test catches; a run without it tries the rest.
BY_DAY = "the nightly tests were not tried"
# So many seconds, in so many files, are tried before the rest.
FIRST_SECONDS, FIRST_FILES = 4.0, 4


def call(
    words: list[Any], cwd: Path, env: dict[str, str], limit: float, until: str = "\0"
) -> tuple[int | None, str, float]:
    """Run a program, until a line of it has `until`.

    The limit is in seconds of the processor, so that a busy machine makes nothing late; what only waits may take ten
    times as long, and ten minutes. Gives the exit status, `None` if it took too long; what it said; how long it took.
    """

    def limits() -> None:
        for which, most in ((resource.RLIMIT_AS, MEMORY), (resource.RLIMIT_CPU, int(limit))):
            resource.setrlimit(which, (most, resource.getrlimit(which)[1]))

    process = subprocess.Popen(
        [*map(str, words)],
        cwd=cwd,
        env=env,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        start_new_session=True,
        preexec_fn=limits,
    )
    late = threading.Event()

    def stop() -> None:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)

    def too_late() -> None:
        late.set()
        stop()

    timer = threading.Timer(10 * limit + 600, too_late)
    timer.start()
    said, found = [], False
    assert process.stdout is not None

    # Read apart, because what a test leaves running would keep the pipe open.
    def read() -> None:
        nonlocal found
        for line in process.stdout or ():
            said.append(line.decode(errors="replace"))
            if until in said[-1]:
                found = True
                stop()
                return

    reader = threading.Thread(target=read, daemon=True)
    reader.start()
    _, ended, used = os.wait4(process.pid, 0)
    process.returncode = status = os.waitstatus_to_exitcode(ended)
    timer.cancel()
    stop()
    reader.join(10)
    too_long = late.is_set() or status == -signal.SIGXCPU
    return None if too_long else 1 if found else status, "".join(said), used.ru_utime + used.ru_stime


def copy_of(checkout: Path, to: Path, part: str = ".") -> None:
    """What git would keep of a checkout, or of a part of it."""
    shutil.rmtree(to, ignore_errors=True)
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", part],
        cwd=checkout,
        capture_output=True,
        check=True,
    )
    for name in listed.stdout.decode().split("\0"):
        if name and (checkout / name).is_file():
            (to / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(checkout / name, to / name)


class Suite:
    """The tests of a checkout, with what is known about them."""

    def __init__(self, given: argparse.Namespace) -> None:
        self.root: Path = given.against.resolve() if given.against else ROOT
        self.name = str(given.against.resolve()).strip("/").replace("/", "-") if given.against else "here"
        self.python = str(given.interpreter.absolute())
        self.work: Path = given.work / self.name
        self.work.mkdir(parents=True, exist_ok=True)
        self.rust_core = self.work / "rust" / CORE
        self.breakages = read_chosen(given.work)
        self.map: dict[str, Any] = {"tests": {}, "seen": {}}
        if (self.work / "map.json").exists():
            self.map = json.loads((self.work / "map.json").read_text())
        self.programs: dict[str, str] = {}
        if (self.work / "rust" / "programs.json").exists():
            self.programs = json.loads((self.work / "rust" / "programs.json").read_text())

    @cached_property
    def core(self) -> Path:
        """The engine that is installed."""
        code = "import sarai._core as c; print(c.__file__)"
        done = subprocess.run(
            [self.python, "-c", code], cwd="/", env=clean_env(), capture_output=True, text=True
        )
        return Path(done.stdout.strip())


def clean_env() -> dict[str, str]:
    kept = {key: value for key, value in os.environ.items() if not key.startswith(("SARAI_", "PYTHONDONT"))}
    return {key: value for key, value in kept.items() if key != "PYTHONPATH"}


class Box:
    """A copy of the repository with a suite's tests and our package, in which one thing at a time is broken."""

    def __init__(self, suite: Suite, name: str, again: bool = False) -> None:
        self.suite, self.place = suite, suite.work / f"box-{name}"
        self.python = suite.python
        self.package = self.place / "python" / "sarai"
        if again or not self.package.exists():
            copy_of(suite.root, self.place)
        # A run that was killed has left something broken.
        shutil.rmtree(self.package, ignore_errors=True)
        ours = self.place.with_suffix(".ours")
        copy_of(ROOT, ours, "python/sarai")
        shutil.move(ours / "python" / "sarai", self.package)
        shutil.rmtree(ours)
        subprocess.run([self.python, "-m", "compileall", "-q", self.package], env=clean_env(), check=False)
        self.plugin = self.place.parent / "plugin"
        self.plugin.mkdir(exist_ok=True)
        shutil.copy2(Path(__file__).with_name("breakages_plugin.py"), self.plugin)
        self.env = clean_env() | {"PYTHONPATH": f"{self.place / 'python'}{os.pathsep}{self.plugin}"}
        self.use(suite.core)
        code = "import sarai, subprocess, sys; print(sarai.__file__); subprocess.run([sys.executable, *sys.argv[1:]])"
        words = [self.python, "-c", f"{code}", "-c", "import sarai; print(sarai.__file__)"]
        said = subprocess.run(words, cwd="/", env=self.env, capture_output=True, text=True).stdout.split()
        if said != [str(self.package / "__init__.py")] * 2:
            raise SystemExit(f"{self.python} imports {said}, not the copy in {self.package}")

    def use(self, core: Path) -> None:
        """Take this engine."""
        link = self.package / CORE
        link.unlink(missing_ok=True)
        link.symlink_to(core)

    def change(self, one: Breakage) -> Callable[[], None]:
        """Break one place; gives what undoes it."""
        path = self.place / one.file
        whole, was = path.read_bytes(), path.stat()
        path.write_bytes(applied(whole, [(one.start, one.end, one.after)]))
        # Python goes by the time to see whether it has compiled a file already.
        os.utime(path, (was.st_mtime + 1000 + one.start, was.st_mtime + 1000 + one.start))

        def undo() -> None:
            path.write_bytes(whole)
            os.utime(path, ns=(was.st_atime_ns, was.st_mtime_ns))

        return undo

    def pytest(
        self, words: list[str], limit: float, chosen: Iterable[str] = (), **env: str
    ) -> tuple[int | None, str]:
        """Run tests; with `chosen`, these alone."""
        if chosen:
            listed = self.place.with_suffix(".chosen")
            listed.write_text("\n".join(chosen))
            env["SARAI_CHOSEN"] = str(listed)
            words = [*words, *dict.fromkeys(name.partition("::")[0] for name in chosen)]
        for left in (".hypothesis", ".pytest_cache"):
            shutil.rmtree(self.place / left, ignore_errors=True)
        fixed: list[Any] = [
            self.python,
            "-m",
            "pytest",
            "-q",
            "-p",
            "breakages_plugin",
            "-p",
            "no:cacheprovider",
        ]
        fixed += ["--basetemp", self.place.with_suffix(".tmp")]
        return call([*fixed, *words], self.place, self.env | env, limit)[:2]

    def catches(self, words: list[str], limit: float, chosen: Iterable[str] = (), **env: str) -> str:
        """Which test fails first; nothing if none does."""
        status, said = self.pytest(["-x", *words], limit, chosen, **env)
        if status in (0, 5):
            return ""
        if status == 4 and "not found" in said:
            raise SystemExit(f"run `map` again, the tests have changed: {said}")
        lines = said.splitlines()
        failed = [line for line in lines if line.startswith(("FAILED ", "ERROR "))]
        return (
            "too long" if status is None else failed[0][:200] if failed else f"status {status}: {lines[-1:]}"
        )


# Choosing


def number_of(name: str) -> int:
    return int(name[1:])


def choose(given: argparse.Namespace) -> None:
    """Choose the breakages, and print them."""
    given.work.mkdir(parents=True, exist_ok=True)
    python = source.sample(
        source.python_places(ROOT), given.python, f"{given.seed} python", source.is_python(ROOT)
    )
    chosen = [{"id": f"p{at}", "layer": "Python", **vars(one)} for at, one in enumerate(python, 1)]
    rng, at = random.Random(given.seed), 0
    counts = {"Rust: games": given.games, "Rust: engine": given.engine}
    if any(counts.values()):
        for (layer, count), found in zip(counts.items(), source.rust_places(ROOT), strict=True):
            # Some will not compile.
            more = source.sample(found, count + count // 3, f"{given.seed} {layer}")
            spare = {id(one) for one in rng.sample(more, max(0, len(more) - count))}
            for one in more:
                at += 1
                chosen.append({"id": f"r{at}", "layer": layer, "spare": id(one) in spare, **vars(one)})
    (given.work / "chosen.json").write_text(json.dumps(chosen, indent=1))
    for row in chosen:
        if not row.get("spare"):
            one = breakage(row)
            print(f"{row['id']}  {one.file}:{one.line}  {one.kind}: {one.text}")


def breakage(row: dict[str, Any]) -> Breakage:
    fields = Breakage.__dataclass_fields__
    return Breakage(**{key: row[key] for key in fields} | {"notes": tuple(map(tuple, row["notes"]))})


def read_chosen(work: Path) -> dict[str, Breakage]:
    if not (work / "chosen.json").exists():
        raise SystemExit(f"no {work / 'chosen.json'}: begin with `list`")
    return {row["id"]: breakage(row) for row in json.loads((work / "chosen.json").read_text())}


def judged(work: Path) -> dict[str, str]:
    """Those that are judged, with their layers: without the spare ones, and those that did not compile."""
    rows = json.loads((work / "chosen.json").read_text())
    return {row["id"]: row["layer"] for row in rows if not row.get("spare") and not row.get("refused")}


# Building


def build(given: argparse.Namespace) -> None:
    """Build the engine with all breakages of Rust in it, and leave out what the compiler refuses."""
    suite = Suite(given)
    tree = suite.work / "rust" / "tree"
    copy_of(suite.root, tree)
    target = given.target or given.work / "target"
    env = clean_env() | {
        "CARGO_TARGET_DIR": str(target),
        "PYO3_PYTHON": suite.python,
        "CARGO_INCREMENTAL": "0",
    }
    there = {one.key: one for part in source.rust_places(suite.root) for one in part}
    rows = json.loads((given.work / "chosen.json").read_text())
    for row in rows:
        if row["id"][0] == "r" and not given.against:
            row["refused"] = False
    wanted = {
        row["id"]: there.get(breakage(row).key)
        for row in rows
        if row["id"][0] == "r" and not row.get("refused")
    }
    on = {name: one for name, one in wanted.items() if one}
    for name in wanted.keys() - on.keys():
        print(f"{name} has no place in {suite.root}")
    library = (tree / "src" / "lib.rs").read_text()
    (tree / "src" / "lib.rs").write_text(library + "pub mod breakages;\n")
    (tree / "src" / "breakages.rs").write_text(source.SWITCH)
    refused: set[str] = set()
    while True:
        places = write_switches(suite.root, tree, on)
        # Only when the compiler has seen all of it, the rest is worth beginning.
        status, artifacts, errors = cargo(given.check_command, tree, env)
        if status == 0:
            status, artifacts, errors = cargo(given.test_command, tree, env)
        if status == 0:
            break
        bad = {
            name
            for name, file, first, last in places
            for f, a, b in spans(errors)
            if f == file and a <= last and b >= first
        }
        print(f"the compiler refuses {len(bad)}: {' '.join(sorted(bad, key=number_of))}", flush=True)
        if not bad:
            raise SystemExit("\n".join(error["rendered"] for error in errors))
        refused |= bad
        on = {name: one for name, one in on.items() if name not in bad}
    programs = {
        one["target"]["name"] if "test" in one["target"]["kind"] else "lib": one["executable"]
        for one in artifacts
        if one.get("executable")
    }
    (suite.work / "rust" / "programs.json").write_text(json.dumps(programs))
    if not given.against:
        refill(rows, refused)
        (given.work / "chosen.json").write_text(json.dumps(rows, indent=1))
    if given.core_command:
        status, artifacts, errors = cargo(given.core_command, tree, env)
        made = [name for one in artifacts if "cdylib" in one["target"]["kind"] for name in one["filenames"]]
        made = [name for name in made if name.endswith((".so", ".dylib"))]
        if status or not made:
            raise SystemExit("\n".join(error["rendered"] for error in errors) or "no library was built")
        shutil.copy2(made[-1], suite.rust_core)
    print(f"built: {len(on)} breakages; programs {sorted(programs)}; {suite.rust_core.exists()=}")


def write_switches(root: Path, tree: Path, on: dict[str, Breakage]) -> list[tuple[str, str, int, int]]:
    """Write the sources with their switches; the first and the last line that each takes up."""
    by_file: dict[str, list[tuple[str, Breakage]]] = {}
    for name, one in on.items():
        by_file.setdefault(one.file, []).append((name, one))
    places = []
    for path in (root / "src").rglob("*.rs"):
        file = path.relative_to(root).as_posix()
        if path.name == "lib.rs":
            continue
        here = sorted(by_file.get(file, []), key=lambda pair: pair[1].start)
        whole, added = path.read_bytes(), 0
        for name, one in here:
            length = one.before.count("\n") + one.after.count("\n")
            places.append((name, file, one.line + added, one.line + added + length))
            added += one.after.count("\n")
        written = applied(whole, [source.switched(number_of(name), one) for name, one in here])
        if written != (tree / file).read_bytes():
            (tree / file).write_bytes(written)
    return places


def cargo(command: str, tree: Path, env: dict[str, str]) -> tuple[int | None, list[Any], list[Any]]:
    """The exit status, what was built, and the compiler's errors."""
    words = [*shlex.split(command), "--message-format=json"]
    done = subprocess.run(words, cwd=tree, env=env, stdout=subprocess.PIPE, text=True)
    told = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    messages = [one["message"] for one in told if one["reason"] == "compiler-message"]
    artifacts = [one for one in told if one["reason"] == "compiler-artifact"]
    return done.returncode, artifacts, [one for one in messages if one["level"] == "error"]


def spans(errors: list[Any]) -> list[tuple[str, int, int]]:
    return [
        (span["file_name"], span["line_start"], span["line_end"]) for one in errors for span in one["spans"]
    ]


def refill(rows: list[Any], refused: set[str]) -> None:
    """Spare breakages take the places of those that were refused."""
    for row in rows:
        if row["id"] in refused:
            row["refused"] = True
            if not row["spare"]:
                spare = [
                    r
                    for r in rows
                    if r.get("spare") and r["layer"] == row["layer"] and r["id"] not in refused
                ]
                row["spare"] = True
                if spare:
                    spare[0]["spare"] = False


# What reaches what


def parse_notes(files: Iterable[Path]) -> dict[str, Any]:
    """What the plugin noted: the tests that are fit, and those that reach each breakage."""
    seconds: dict[str, float] = {}
    uses: dict[str, set[str]] = {}
    reached: dict[str, set[str]] = {}
    outcomes: dict[str, set[str]] = {}
    nightly, now = set(), ""
    for path in files:
        for line in path.read_text(errors="replace").splitlines():
            mark, rest = line[:1], line[1:]
            if mark == "@":
                now = rest
            elif mark == "+":
                uses.setdefault(rest, set()).add(now)
            elif mark == "=":
                outcome, when, name = rest.split(" ", 2)
                outcomes.setdefault(name, set()).add(outcome)
                if when == "nightly":
                    nightly.add(name)
            elif mark == "$":
                took, name = rest.split(" ", 1)
                seconds[name] = seconds.get(name, 0) + float(took)
            else:
                reached.setdefault(line, set()).add(now)
    seen = {}
    for name, contexts in reached.items():
        reaching = set().union(*(uses.get(one, {one}) for one in contexts)) & {*outcomes}
        seen[name] = sorted(reaching)
    tests = {
        name: {
            "seconds": seconds.get(name, 0),
            "nightly": name in nightly,
            "outcome": max(said - {"passed"}, default="passed"),
        }
        for name, said in outcomes.items()
    }
    return {"tests": tests, "seen": seen}


def make_map(given: argparse.Namespace) -> None:
    """Run every test once, to see what each reaches."""
    suite = Suite(given)
    if given.layer in ("both", "rust") and suite.programs:
        map_rust(suite, given)
    if given.layer in ("both", "python"):
        map_python(suite, given)


def map_python(suite: Suite, given: argparse.Namespace) -> None:
    """Run the Python tests with a package that notes what is reached."""
    box = Box(suite, "noted", again=True)
    for file in {one.file for name, one in suite.breakages.items() if name[0] == "p"}:
        here = [(name, one) for name, one in suite.breakages.items() if one.file == file]
        (box.place / file).write_bytes(source.noted((box.place / file).read_bytes(), here))
    (box.package / "_notes.py").write_text(source.NOTES)
    face = box.package / "__init__.py"
    future = "from __future__ import annotations\n"
    face.write_text(face.read_text().replace(future, future + "import sarai._notes\n", 1))
    assert "_notes" in face.read_text()
    core = suite.rust_core if suite.rust_core.exists() else suite.core
    box.use(core)
    notes = suite.work / "notes"
    for left in suite.work.glob("notes*"):
        left.unlink()
    mark = "nightly" if given.nightly else "not nightly"
    words = ["-m", mark, "-n", str(given.jobs if given.jobs > 1 else 0), *shlex.split(given.tests)]
    status, said = box.pytest(words, 24 * 3600, SARAI_NOTES=str(notes))
    print("\n".join(said.splitlines()[-20:]))
    part = parse_notes(sorted(suite.work.glob("notes*")))
    # What notes are in the way of must pass without them.
    failed = [name for name, about in part["tests"].items() if about["outcome"] == "failed"]
    if failed:
        plain = Box(suite, "0", again=True)
        plain.use(core)
        again = suite.work / "notes-again"
        plain.pytest(["-m", mark], 3600, failed, SARAI_NOTES=str(again))
        part["tests"].update(parse_notes([again])["tests"])
        unfit = [name for name in failed if part["tests"][name]["outcome"] == "failed"]
        print(f"{len(failed)} failed, {len(unfit)} of them without notes, too:", *unfit, sep="\n  ")
    old = {name for name, its in suite.map["tests"].items() if its["nightly"] == given.nightly}
    update(
        suite,
        {name for name in old if name[:5] != "rust " and (not given.tests or name in part["tests"])},
        part,
    )
    print(f"{len(part['tests'])} tests, {len(part['seen'])} breakages reached; exit status {status}")


def update(suite: Suite, old: set[str], part: dict[str, Any]) -> None:
    """Replace what is known about some tests."""
    tests = {name: its for name, its in suite.map["tests"].items() if name not in old}
    seen = {name: {*reached} - old for name, reached in suite.map["seen"].items()}
    for name, reached in part["seen"].items():
        seen[name] = seen.get(name, set()) | {*reached}
    suite.map = {
        "tests": tests | part["tests"],
        "seen": {name: sorted(reached) for name, reached in seen.items()},
    }
    (suite.work / "map.json").write_text(json.dumps(suite.map))


def map_rust(suite: Suite, given: argparse.Namespace) -> None:
    """Run each Rust test in a process of its own."""
    tree = suite.work / "rust" / "tree"
    words = ["--ignored"] if given.nightly else []
    jobs: list[tuple[str, str]] = []
    for program, path in suite.programs.items():
        _, said, _ = call([path, "--list", "--format", "terse", *words], tree, clean_env(), 60)
        jobs += [(program, line[: -len(": test")]) for line in said.splitlines() if line.endswith(": test")]
        if not given.nightly:
            _, said, _ = call([path, "--list", "--format", "terse", "--ignored"], tree, clean_env(), 60)
            ignored = {
                (program, line[: -len(": test")]) for line in said.splitlines() if line.endswith(": test")
            }
            jobs = [job for job in jobs if job not in ignored]

    def one(job: tuple[str, str]) -> tuple[str, Any, list[str]]:
        notes = suite.work / f"rust-notes-{threading.get_ident()}"
        notes.unlink(missing_ok=True)
        env = clean_env() | {"SARAI_NOTES": str(notes)}
        status, _, took = call(
            [suite.programs[job[0]], job[1], "--exact", "--test-threads=1", *words], tree, env, 3600
        )
        reached = notes.read_text().split() if notes.exists() else []
        notes.unlink(missing_ok=True)
        about = {"seconds": took, "nightly": given.nightly, "outcome": "failed" if status else "passed"}
        return f"rust {job[0]} {job[1]}", about, reached

    part: dict[str, Any] = {"tests": {}, "seen": {}}
    with ThreadPoolExecutor(given.jobs) as pool:
        for name, about, reached in pool.map(one, jobs):
            part["tests"][name] = about
            for number in {*reached}:
                part["seen"].setdefault(number, []).append(name)
            if about["outcome"] == "failed":
                print(f"fails with nothing broken: {name}", flush=True)
    old = {name for name, its in suite.map["tests"].items() if its["nightly"] == given.nightly}
    update(suite, {name for name in old if name[:5] == "rust "}, part)
    print(f"{len(jobs)} Rust tests")


# Judging


def folders(one: Breakage, box: Box) -> list[str]:
    """The folders of tests for the part of the sources that is broken."""
    parts = one.file.split("/")
    parts = parts[2:] if parts[0] == "python" else parts[1:]
    name = parts[0] if len(parts) > 1 else "core"
    names = [f"games/{parts[1]}"] if name == "games" and len(parts) > 2 else FOLDERS.get(name, name).split()
    found = [f"tests/python/{name}" for name in names if (box.place / "tests" / "python" / name).exists()]
    return (found or ["tests/python"]) + ([one.file] if one.file.startswith("python") else [])


class Judge:
    """Tries one breakage after another in a box of its own."""

    def __init__(self, suite: Suite, box: Box, given: argparse.Namespace) -> None:
        self.suite, self.box, self.given = suite, box, given
        self.fit = {name: about for name, about in suite.map["tests"].items() if about["outcome"] == "passed"}

    def seconds(self, tests: Iterable[str]) -> float:
        return float(sum(self.fit[name]["seconds"] for name in tests))

    def judge(self, name: str) -> dict[str, Any]:
        began = time.monotonic()
        one = self.suite.breakages[name]
        if name[0] == "p":
            self.box.use(self.suite.core)
            undo = self.box.change(one)
            try:
                caught, by = self.with_python(name, one)
            finally:
                undo()
        else:
            caught, by = self.with_both(name, one)
        took = round(time.monotonic() - began, 1)
        if caught == "none" and self.given.quick:
            by = BY_DAY
        return {"suite": self.suite.name, "id": name, "caught": caught, "by": by, "seconds": took}

    def with_both(self, name: str, one: Breakage) -> tuple[str, str]:
        """Rust's tests, then Python's; the nightly ones last."""
        on = {"SARAI_BREAKAGE": str(number_of(name))}
        if by := self.rust(name, on, nightly=False):
            return "fast", by
        if self.suite.rust_core.exists():
            self.box.use(self.suite.rust_core)
            if by := self.fast(name, one, on):
                return "fast", by
        if by := self.rust(name, on, nightly=True):
            return "nightly", by
        if self.suite.rust_core.exists() and (by := self.nightly(name, one, on)):
            return "nightly", by
        return "none", "" if name in self.suite.map["seen"] else "no test reaches it"

    def with_python(self, name: str, one: Breakage) -> tuple[str, str]:
        if by := self.fast(name, one, {}):
            return "fast", by
        if by := self.nightly(name, one, {}):
            return "nightly", by
        if self.given.static and (by := self.static(one)):
            return "static", by
        return "none", "" if name in self.suite.map["seen"] else "no test reaches it"

    def reaching(self, name: str, nightly: bool, rust: bool = False) -> list[str]:
        """The tests that reach it, the cheap ones first."""
        names = [test for test in self.suite.map["seen"].get(name, ()) if test in self.fit]
        names = [
            test
            for test in names
            if self.fit[test]["nightly"] == nightly and test.startswith("rust ") == rust
        ]
        return sorted(names, key=lambda test: float(self.fit[test]["seconds"]))

    def fast(self, name: str, one: Breakage, env: dict[str, str]) -> str:
        """Which of the fast Python tests fails."""
        reaching = self.reaching(name, nightly=False)
        first: list[str] = []
        for test in reaching:
            files = {other.partition("::")[0] for other in [*first, test]}
            if len(files) <= FIRST_FILES and self.seconds([*first, test]) <= FIRST_SECONDS:
                first.append(test)
        tried: set[str] = set()
        fast = [
            test for test, about in self.fit.items() if not about["nightly"] and not test.startswith("rust ")
        ]
        near = tuple(f"{folder}{'' if folder.endswith('.py') else '/'}" for folder in folders(one, self.box))
        same = tuple(f"{test.partition('::')[0]}::" for test in reaching)
        related = [test for test in fast if test.startswith((*near, *same))]
        for step in (first, reaching, related, fast if self.given.everything else []):
            left = self.by_file([test for test in step if test not in tried])
            tried |= {*left}
            if left and (by := self.box.catches([], 3 * self.seconds(left) + 30, left, **env)):
                return by
        if not fast:
            return self.box.catches(folders(one, self.box), 3600, **env)
        return ""

    def by_file(self, tests: list[str]) -> list[str]:
        """The same tests, those of the cheapest file first."""
        files: Counter[str] = Counter()
        for test in tests:
            files[test.partition("::")[0]] += self.fit[test]["seconds"]
        return sorted(tests, key=lambda test: (files[test.partition("::")[0]], test.partition("::")[0]))

    def nightly(self, name: str, one: Breakage, env: dict[str, str]) -> str:
        """Which nightly Python test fails."""
        if self.given.quick:
            return ""
        nightly = [
            test for test, about in self.fit.items() if about["nightly"] and not test.startswith("rust ")
        ]
        if nightly:
            reaching = self.by_file(self.reaching(name, nightly=True))
            limit = 3 * self.seconds(reaching) + 30
            return self.box.catches(["-m", "nightly"], limit, reaching, **env) if reaching else ""
        return self.box.catches(["-m", "nightly", *folders(one, self.box)], 3600, **env)

    def rust(self, name: str, env: dict[str, str], nightly: bool) -> str:
        """Which Rust test fails."""
        reaching = [] if nightly and self.given.quick else self.reaching(name, nightly, rust=True)
        tree = self.suite.work / "rust" / "tree"
        more = ["--ignored"] if nightly else []
        # A program for the tests of about as long, because what many share is made once for each.
        for low, high in ((0, 0.05), (0.05, 0.5), (0.5, 5), (5, 1e9)):
            for program, path in self.suite.programs.items():
                start = f"rust {program} "
                tests = [test for test in reaching if test.startswith(start)]
                tests = [test for test in tests if low <= self.fit[test]["seconds"] < high]
                if not tests:
                    continue
                words = [path, "--exact", "--test-threads=1", *more, *(test[len(start) :] for test in tests)]
                limit = 3 * self.seconds(tests) + 30
                status, said, _ = call(words, tree, clean_env() | env, limit, until=" FAILED")
                if status != 0:
                    failed = [line for line in said.splitlines() if line.endswith("FAILED")]
                    return f"{program}: {failed[0] if failed else 'too long' if status is None else status}"
        return ""

    def static(self, one: Breakage) -> str:
        """Whether ruff or mypy finds it."""
        if call(
            [self.box.python, "-m", "ruff", "check", "--select", "F,B", one.file],
            self.box.place,
            self.box.env,
            60,
        )[0]:
            return "ruff"
        status, said, _ = call([self.box.python, "-m", "mypy"], self.box.place, self.box.env, 600)
        return f"mypy: {said.splitlines()[0][:150]}" if status else ""


def run(given: argparse.Namespace) -> None:
    """Judge what has not been judged yet."""
    suite = Suite(given)
    results = given.work / "results.jsonl"
    layers = judged(given.work)
    before = read_results(given.work)
    done = {at for at, row in before.items() if given.quick or row["by"] != BY_DAY}
    names = [name for name in layers if (suite.name, name) not in done]
    if given.against:
        names = [n for n in names if before.get(("here", n), {}).get("caught") in ("none", "static")]
    if given.only:
        names = [name for name in given.only.split(",") if name in suite.breakages]
    if not suite.programs:
        names = [name for name in names if name[0] == "p"]
    waiting: SimpleQueue[str] = SimpleQueue()
    for name in names[: given.first]:
        waiting.put(name)
    boxes = [Box(suite, str(job)) for job in range(given.jobs)]
    if given.static:
        for box in boxes:
            status, said, _ = call([box.python, "-m", "mypy"], box.place, box.env, 1200)
            if status:
                raise SystemExit(f"mypy complains with nothing broken:\n{said}")
    lock = threading.Lock()

    def work(box: Box) -> None:
        judge = Judge(suite, box, given)
        while not waiting.empty():
            result = judge.judge(waiting.get())
            with lock, results.open("a") as file:
                file.write(json.dumps(result) + "\n")
                one = suite.breakages[result["id"]]
                print(
                    f"{result['id']} {result['caught']} {result['seconds']}s {one.file}:{one.line}",
                    flush=True,
                )
                print(f"    {one.kind}: {one.text}\n    {result['by']}", flush=True)

    with ThreadPoolExecutor(given.jobs) as pool:
        list(pool.map(work, boxes))


def read_results(work: Path) -> dict[tuple[str, str], Any]:
    path = work / "results.jsonl"
    rows = [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []
    return {(row["suite"], row["id"]): row for row in rows}


def table(given: argparse.Namespace) -> None:
    """Print what came out."""
    breakages, results, layers = read_chosen(given.work), read_results(given.work), judged(given.work)
    others = sorted({suite for suite, _ in results} - {"here"})
    for layer in dict.fromkeys(layers.values()):
        names = [name for name, its in layers.items() if its == layer and ("here", name) in results]
        print(f"\n## {layer}\n")
        print("| number | where | breakage | caught by |", *(f" {other} |" for other in others), sep="")
        print("|---|---|---|---|", "---|" * len(others), sep="")
        for name in names:
            one = breakages[name]
            text = f"{one.kind}: `{one.text}`".replace("|", "\\|")
            said = [results.get((suite, name), {"caught": "", "by": ""}) for suite in ["here", *others]]
            cells = [
                f"{row['caught']}{'; ' if row['by'] else ''}{row['by'][:80]}".replace("|", "\\|")
                for row in said
            ]
            print(f"| {name} | {one.file}:{one.line} | {text} | {' | '.join(cells)} |")
        totals = Counter(results["here", name]["caught"] for name in names)
        told = ", ".join(f"{kind} {totals[kind]}" for kind in ("fast", "nightly", "static", "none"))
        print(f"\n{len(names)} of {sum(its == layer for its in layers.values())}: {told}")
        for other in others:
            also = Counter(results[other, name]["caught"] for name in names if (other, name) in results)
            print(f"\nOf those that nothing caught, in {other}: {dict(also)}")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--work", type=Path, required=True, help="a folder outside the repository")
    parser.add_argument(
        "--interpreter", type=Path, default=Path(sys.executable), help="the Python that runs the tests"
    )
    verbs = parser.add_subparsers(required=True)
    for name, does in (("list", choose), ("build", build), ("map", make_map), ("run", run), ("table", table)):
        verb = verbs.add_parser(name, help=does.__doc__)
        verb.set_defaults(does=does)
        if name == "list":
            verb.add_argument("--seed", default="5")
            for layer, count in (("python", 196), ("games", 110), ("engine", 72)):
                verb.add_argument(f"--{layer}", type=int, default=count)
        elif name != "table":
            verb.add_argument("--against", type=Path, help="another checkout, for its tests")
        if name == "build":
            verb.add_argument("--target", type=Path, help="where cargo builds")
            verb.add_argument("--check-command", default="cargo test --no-run --lib")
            verb.add_argument("--test-command", default="cargo test --no-run --lib --test engine")
            verb.add_argument("--core-command", default="cargo build --profile test --package sarai-py")
        if name in ("map", "run"):
            verb.add_argument("--jobs", type=int, default=1)
        if name == "map":
            verb.add_argument("--nightly", action="store_true")
            verb.add_argument("--layer", choices=("both", "python", "rust"), default="both")
            verb.add_argument("--tests", default="", help="these Python tests alone")
        if name == "run":
            verb.add_argument(
                "--only", default="", help="the numbers of some, again even if they were judged"
            )
            verb.add_argument("--first", type=int, help="so many at most")
            verb.add_argument("--static", action="store_true", help="try ruff and mypy, too")
            verb.add_argument("--quick", action="store_true", help="leave out the nightly tests")
            verb.add_argument(
                "--everything", action="store_true", help="try all fast Python tests, not the related alone"
            )
    given = parser.parse_args()
    given.work = given.work.resolve()
    os.nice(max(0, 15 - os.nice(0)))
    given.does(given)


if __name__ == "__main__":
    main()
