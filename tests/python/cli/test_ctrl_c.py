"""Ctrl-C while the command line is still being imported; what it does later is tested with each command."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

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
from sarai.cli import main
if __name__ == "__main__":
    sys.exit(main())
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "sitecustomize.py").write_text(PRESSES_CTRL_C)
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "sarai").write_text(SCRIPT)
    return tmp_path


def run(folder: Path, module: str, *words: str) -> subprocess.CompletedProcess[str]:
    path = os.pathsep.join([str(folder), *filter(None, sys.path)])
    env = {**os.environ, "PYTHONPATH": path, "CTRL_C_AT": module}
    return subprocess.run(
        [sys.executable, *words],
        env=env,
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )


IMPORTED = [
    "sarai._core",
    "numpy",
    "sarai.results.rollout",
    "click",
    "rich.console",
    "sarai.cli.session",
]


@pytest.mark.parametrize("module", IMPORTED)
def test_it_ends_quietly_with_130(module: str, folder: Path) -> None:
    for words in (["-m", "sarai"], [str(folder / "bin" / "sarai")]):
        done = run(folder, module, *words, "games")
        assert (done.returncode, done.stdout, done.stderr) == (130, "", ""), words


def test_before_the_module_is_found(folder: Path) -> None:
    for words in (["-m", "sarai"], ["-Bm", "sarai"], ["-Bmsarai"]):
        done = run(folder, "sarai.__main__", *words, "games")
        assert (done.returncode, done.stdout, done.stderr) == (130, "", ""), words


def test_what_a_command_imports_later(folder: Path) -> None:
    pytest.importorskip("matplotlib")
    done = run(folder, "matplotlib", "-m", "sarai", "rollout", "shah", "--games", "2", "--picture", "x.svg")
    assert (done.returncode, done.stdout) == (130, "")
    assert done.stderr == "error: interrupted before the end: start again\n"


def test_a_program_that_imports_the_package_has_ctrl_c_as_it_was(folder: Path) -> None:
    (folder / "program.py").write_text(
        "import sys\nbefore = sys.excepthook\nimport sarai\nassert sys.excepthook is before"
    )
    (folder / "package").mkdir()
    (folder / "package" / "__init__.py").write_text("import sarai")
    (folder / "package" / "__main__.py").write_text("")
    for words in (["program.py"], ["program.py", "sarai"], ["-m", "program"], ["-m", "package", "sarai"]):
        assert run(folder, "nothing", *words).returncode == 0
        done = run(folder, "numpy", *words)
        assert done.returncode not in (0, 130)
        assert re.search(r"^Traceback .*\nKeyboardInterrupt\n$", done.stderr, re.DOTALL), words
    # Where a program was embedded there may be no words at all.
    assert run(folder, "nothing", "-c", "import sys; del sys.argv; import sarai").returncode == 0
