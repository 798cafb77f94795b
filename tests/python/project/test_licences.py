"""What is compiled into a wheel: crates of the index, under licences that allow it."""

from __future__ import annotations

import json
import shutil
import subprocess
from typing import Any

import pytest

from helpers.places import ROOT

# One of these is enough where a crate offers several ("MIT OR ..."), all of them where it asks for several.
ALLOWED = {"MIT", "Apache-2.0", "BSD-2-Clause", "Zlib", "Unicode-3.0"}


def crates() -> list[dict[str, Any]]:
    """What the extension module is made of, the build scripts' and tests' own needs left out."""
    run = ["cargo", "metadata", "--format-version", "1", "--locked", "--features", "python"]
    done = subprocess.run(run, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    said = json.loads(done.stdout)
    nodes = {node["id"]: node for node in said["resolve"]["nodes"]}
    found: set[str] = set()
    left = [said["resolve"]["root"]]
    while left:
        name = left.pop()
        if name not in found:
            found.add(name)
            left += [
                one["pkg"]
                for one in nodes[name]["deps"]
                if any(kind["kind"] is None for kind in one["dep_kinds"])
            ]
    return [package for package in said["packages"] if package["id"] in found]


def allowed(licence: str) -> bool:
    """Whether an SPDX expression without nested brackets is met; "/" is how old crates write OR."""
    parts = licence.replace("(", "").replace(")", "").replace("/", " OR ").split(" AND ")
    return all(ALLOWED & set(part.split(" OR ")) for part in parts)


def test_expressions() -> None:
    assert allowed("MIT/Apache-2.0")
    assert allowed("(MIT OR GPL-3.0-only) AND Unicode-3.0")
    assert not allowed("GPL-3.0-only")
    assert not allowed("MIT AND GPL-3.0-only")


def test_every_crate_may_be_shipped() -> None:
    if shutil.which("cargo") is None:
        pytest.skip("there is no cargo here")
    found = crates()
    assert {"sarai", "pyo3", "rand"} <= {crate["name"] for crate in found}
    for crate in found:
        assert allowed(crate["license"] or "none"), f"{crate['name']}: {crate['license']}"
        if crate["name"] != "sarai":
            assert crate["source"] == "registry+https://github.com/rust-lang/crates.io-index", crate["name"]
