"""The command as a process: how it ends, whatever becomes of its streams and wherever Ctrl-C meets it.

What `main` prints and returns is tested by calls of it; here is what only a process has.
"""

from __future__ import annotations

import http.client
import os
import re
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from sarai import _cli as cli

nightly = pytest.mark.nightly
posix = pytest.mark.skipif(os.name == "nt", reason="there are no such files and signals there")
STREAMS = ["stdin", "stdout", "stderr"]


def process(
    *words: str, env: dict[str, str] | None = None, **options: Any
) -> subprocess.CompletedProcess[bytes]:
    options = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **options}
    command = [sys.executable, *words]
    return subprocess.run(command, env={**os.environ, **(env or {})}, timeout=300, check=False, **options)


def sarai(*words: str, **options: Any) -> subprocess.CompletedProcess[bytes]:
    return process("-m", "sarai", *words, **options)


@pytest.mark.parametrize(
    ("words", "status"), [(["games"], 0), pytest.param(["rollout", "sho", "--games", "0"], 2, marks=nightly)]
)
def test_exit_statuses(words: list[str], status: int) -> None:
    done = sarai(*words)
    assert done.returncode == status, done.stderr
    assert (bool(done.stdout), done.stderr.count(b"\n")) == (status == 0, status // 2)


def test_the_help_needs_no_docstrings(capsys: pytest.CaptureFixture[str], monkeypatch: Any) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    every = [[], *([str(command.name)] for command in cli.COMMANDS)]
    for words in every:
        assert cli.main([*words, "--help"]) == 0
    source = f"from sarai import _cli as cli\nfor words in {every}:\n    cli.main([*words, '--help'])"
    assert process("-OO", "-c", source).stdout.decode().splitlines() == capsys.readouterr().out.splitlines()


@posix
@pytest.mark.parametrize(
    "words",
    [["rules", "sho"], *(pytest.param(words, marks=nightly) for words in (["play", "shah"], ["games"]))],
)
def test_a_pipe_that_nobody_reads(words: list[str]) -> None:
    ours, theirs = os.pipe()
    os.close(ours)
    with os.fdopen(theirs, "wb") as pipe:
        done = sarai(*words, stdout=pipe)
    assert (done.returncode, done.stderr) == (1, b"")


@posix
@pytest.mark.parametrize(
    ("words", "status", "closed"),
    [
        (["nonsense"], 2, STREAMS),
        *(
            pytest.param(words, status, closed, marks=nightly)
            for words, status in ((["play", "shah", "--seed", "1"], 0), (["nonsense"], 2))
            for closed in ([], *([stream] for stream in STREAMS), STREAMS)
        ),
    ],
)
def test_without_a_stream(words: list[str], status: int, closed: list[str]) -> None:
    numbers = [STREAMS.index(stream) for stream in closed]
    done = sarai(*words, **dict.fromkeys(closed), preexec_fn=lambda: [os.close(number) for number in numbers])
    assert done.returncode == status
    assert b"Traceback" not in (done.stderr or b"")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
@pytest.mark.parametrize(
    ("line", "status", "where"),
    [
        ("games", 1, ["stdout"]),
        pytest.param("games", 1, ["stdout", "stderr"], marks=nightly),
        pytest.param("nonsense", 2, ["stderr"], marks=nightly),
        pytest.param("rollout shah --games 5", 0, ["stderr"], marks=nightly),
        pytest.param("rollout shah --games 5", 1, ["stdout", "stderr"], marks=nightly),
        pytest.param("serve --no-browser", 1, ["stdout"], marks=nightly),
    ],
)
def test_a_full_disk(line: str, status: int, where: list[str]) -> None:
    with open("/dev/full", "wb") as full:
        done = sarai(*line.split(), **dict.fromkeys(where, full))
    assert done.returncode == status
    if "stderr" not in where:
        assert done.stderr == b"error: cannot print the result: No space left on device\n"


@pytest.mark.parametrize(
    "words",
    [
        ["rollout", "shah", "--games", "2", "--picture", "x.svg"],
        pytest.param(["rollout", "--all", "--games", "2", "--out-dir", "x"], marks=nightly),
    ],
)
def test_a_wrong_backend_is_told_before_anything_is_played(words: list[str], tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    done = sarai(*words, env={"MPLBACKEND": "nonsense"}, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (1, b"")
    assert done.stderr.startswith(
        b"error: matplotlib refuses the MPLBACKEND of the environment, 'nonsense': unset it"
    )
    assert done.stderr.count(b"\n") == 1
    assert list(tmp_path.iterdir()) == []


@nightly
@pytest.mark.parametrize(
    "line", ["rollout shah --games 2 --picture x.svg", "rollout --all --games 2 --out-dir x"]
)
def test_a_backend_that_is_never_asked_for_may_be_missing(line: str, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    done = sarai(*line.split(), env={"MPLBACKEND": "module://nowhere"}, cwd=tmp_path)
    assert done.returncode == 0, done.stderr


# --- Ctrl-C -------------------------------------------------------------------------------------------------


@posix
def test_ctrl_c_ends_with_130_and_one_line(tmp_path: Path) -> None:
    words = ["rollout", "sho", "--games", "10000000", "--threads", "1", "--out", str(tmp_path / "sho.npz")]
    command = [sys.executable, "-m", "sarai", *words]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as running:
        assert running.stderr is not None
        # Ten million games take minutes; the first line says that they are being played.
        progress = running.stderr.readline()
        running.send_signal(signal.SIGINT)
        _, errors = running.communicate(timeout=300)
    assert progress.startswith("sho: ")
    assert running.returncode == 130
    assert "Traceback" not in errors
    assert errors.splitlines()[-1].startswith("error: interrupted")
    assert list(tmp_path.iterdir()) == []


@posix
def test_a_server_prints_where_it_is_and_ends_by_ctrl_c() -> None:
    with subprocess.Popen(
        [sys.executable, "-u", "-m", "sarai", "serve", "--no-browser"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as server:
        assert server.stdout is not None
        assert server.stderr is not None
        line = server.stdout.readline()
        found = re.fullmatch(r"Play at http://127\.0\.0\.1:(\d+)/ \(Ctrl-C ends the server\)\n", line)
        assert found is not None
        connection = http.client.HTTPConnection("127.0.0.1", int(found[1]), timeout=60)
        connection.request("GET", "/")
        assert b"<title>Sarai</title>" in connection.getresponse().read()
        server.send_signal(signal.SIGINT)
        assert server.wait(60) == 0
        assert server.stdout.read() == "\nThe server has ended.\n"
        assert server.stderr.read() == ""
        connection.close()


# Python imports a module of this name first of all. It presses Ctrl-C when the import of another one begins.
PRESSES_CTRL_C = """
import os, sys

class Finder:
    def find_spec(self, name, path=None, target=None):
        if name == os.environ["CTRL_C_AT"]:
            raise KeyboardInterrupt

sys.meta_path.insert(0, Finder())
"""

# What pip writes for the entry point of a package.
SCRIPT = """
import sys
from sarai._cli import main
if __name__ == "__main__":
    sys.exit(main())
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "sitecustomize.py").write_text(PRESSES_CTRL_C)
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "sarai").write_text(SCRIPT)
    return tmp_path


def pressed(folder: Path, module: str, *words: str) -> tuple[int, str, str]:
    path = os.pathsep.join([str(folder), *filter(None, sys.path)])
    done = process(*words, env={"PYTHONPATH": path, "CTRL_C_AT": module}, cwd=folder)
    return done.returncode, done.stdout.decode(), done.stderr.decode()


IMPORTED = ["numpy", "sarai._results.rollout", "click", "rich.console", "sarai._cli.session"]


@pytest.mark.parametrize(
    ("module", "words"),
    [
        ("sarai._core", ["-m", "sarai"]),
        ("sarai._core", ["bin/sarai"]),
        ("sarai.__main__", ["-Bmsarai"]),
        *(
            pytest.param(module, words, marks=nightly)
            for module in IMPORTED
            for words in (["-m", "sarai"], ["bin/sarai"])
        ),
        *(
            pytest.param("sarai.__main__", words, marks=nightly)
            for words in (["-m", "sarai"], ["-Bm", "sarai"])
        ),
    ],
)
def test_ctrl_c_while_it_is_imported_ends_it_quietly(module: str, words: list[str], folder: Path) -> None:
    assert pressed(folder, module, *words, "games") == (130, "", "")


@nightly
def test_ctrl_c_at_what_a_command_imports_later(folder: Path) -> None:
    pytest.importorskip("matplotlib")
    line = "-m sarai rollout shah --games 2 --picture x.svg"
    told = "error: interrupted before the end: start again\n"
    assert pressed(folder, "matplotlib", *line.split()) == (130, "", told)


@pytest.mark.parametrize(
    "words",
    [
        ["program.py", "sarai"],
        *(
            pytest.param(words, marks=nightly)
            for words in (["program.py"], ["-m", "program"], ["-m", "package", "sarai"])
        ),
    ],
)
def test_a_program_that_imports_the_package_has_ctrl_c_as_it_was(words: list[str], folder: Path) -> None:
    (folder / "program.py").write_text(
        "import sys\nbefore = sys.excepthook\nimport sarai\nassert sys.excepthook is before"
    )
    (folder / "package").mkdir()
    (folder / "package" / "__init__.py").write_text("import sarai")
    (folder / "package" / "__main__.py").write_text("")
    assert pressed(folder, "nothing", *words)[0] == 0
    status, _, errors = pressed(folder, "numpy", *words)
    assert status not in (0, 130)
    assert re.search(r"^Traceback .*\nKeyboardInterrupt\n$", errors, re.DOTALL)


@nightly
def test_a_program_may_have_no_words_at_all(folder: Path) -> None:
    # So it is where Python is embedded.
    assert pressed(folder, "nothing", "-c", "import sys; del sys.argv; import sarai")[0] == 0
