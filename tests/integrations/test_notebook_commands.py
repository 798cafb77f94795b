"""The commands with which docs/notebooks.md opens the notebooks."""

from __future__ import annotations

import glob
import json
import os
import re
import shlex
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
COMMANDS = re.findall(
    r"^ {4}python (-m (?:pip|jupyter\w*) .*?)(?:\s+#.*)?$",
    (ROOT / "docs" / "notebooks.md").read_text(encoding="utf-8"),
    re.MULTILINE,
)


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with what the page's commands need, in which nothing of the user's Jupyter is read or written."""
    for name in ("notebooks", "docs"):
        shutil.copytree(ROOT / name, tmp_path / name)
    monkeypatch.chdir(tmp_path)
    for name in ("CONFIG", "DATA", "RUNTIME"):
        monkeypatch.setenv(f"JUPYTER_{name}_DIR", str(tmp_path / name))
    monkeypatch.setenv("JUPYTERLAB_SETTINGS_DIR", str(tmp_path / "settings"))
    return tmp_path


def words(command: str) -> list[str]:
    """A command as a shell would start it."""
    found = [sys.executable]
    for word in shlex.split(command):
        found += sorted(glob.glob(word)) or [word]
    return found


def test_there_is_one_of_each() -> None:
    assert [command.split()[1] for command in COMMANDS] == ["pip", "jupyter", "jupyterlab"]


@pytest.mark.nightly
def test_the_libraries_can_be_installed() -> None:
    # They are here, so that there is nothing to fetch.
    subprocess.run(words(COMMANDS[0]), check=True, capture_output=True)


@pytest.mark.nightly
def test_the_notebooks_are_trusted(checkout: Path) -> None:
    for again in ("Signing notebook", "Notebook already signed"):
        done = subprocess.run(words(COMMANDS[1]), check=True, capture_output=True, text=True)
        assert done.stdout.count(again) == len(list(checkout.glob("notebooks/*.ipynb"))) > 0


@pytest.mark.nightly
def test_jupyterlab_opens_them_and_what_they_lead_to(checkout: Path) -> None:
    opened = COMMANDS[2].split()[-1]
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    settings = ["--no-browser", "--allow-root", f"--ServerApp.port={port}", "--IdentityProvider.token=t"]
    with subprocess.Popen(
        [*words(COMMANDS[2]), *settings],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env={**os.environ},
    ) as server:
        try:
            host = f"http://127.0.0.1:{port}"
            assert answer(f"{host}/lab/tree/{opened}?token=t", server)
            folder = os.path.dirname(opened)
            listed = json.loads(answer(f"{host}/api/contents/{folder}?token=t", server))
            names = {entry["name"] for entry in listed["content"]}
            assert {path.name for path in checkout.glob("notebooks/*.ipynb")} <= names
            for notebook in checkout.glob("notebooks/*.ipynb"):
                for link in re.findall(r"\]\((?!https:)([^)#]+)", notebook.read_text(encoding="utf-8")):
                    path = os.path.normpath(os.path.join(folder, link))
                    assert answer(f"{host}/files/{path}?token=t", server), link
        finally:
            server.kill()


def answer(address: str, server: subprocess.Popen[bytes]) -> bytes:
    """What the server says, once it is there."""
    while True:
        assert server.poll() is None, "the server has ended"
        try:
            with urllib.request.urlopen(address, timeout=300) as reply:
                said: bytes = reply.read()
                return said
        except urllib.error.HTTPError:
            raise
        except (urllib.error.URLError, ConnectionError):
            time.sleep(0.2)
