"""Write LICENSE-THIRD-PARTY: the licences of the crates that are compiled into the extension module.

    python scripts/third_party.py    # after a change of Cargo.lock

Where a crate offers several licences, the first of CHOICE that it offers is the one it is used under.
"""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
PATH = ROOT / "LICENSE-THIRD-PARTY"
CHOICE = ("MIT", "Apache-2.0", "BSD-2-Clause", "Zlib", "Unicode-3.0")
"""What may be compiled in, the licence that is preferred first."""
PLATFORMS = (
    "x86_64-unknown-linux-gnu",
    "aarch64-unknown-linux-gnu",
    "x86_64-unknown-linux-musl",
    "aarch64-apple-darwin",
    "x86_64-pc-windows-msvc",
)
BEGIN = """\
The extension module of Sarai contains the crates below. Each is used under the
licence that is named, and the texts follow. Sarai's own licence is in LICENSE.
"""


def crates() -> list[dict[str, Any]]:
    """What the extension module is made of, the needs of build scripts and tests left out."""
    run = ["cargo", "metadata", "--format-version", "1", "--locked"]
    run += ["--manifest-path", "bindings/python/Cargo.toml"]
    for platform in PLATFORMS:
        run += ["--filter-platform", platform]
    done = subprocess.run(run, cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(done.stderr)
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
    packages = (package for package in said["packages"] if package["id"] in found)
    return sorted(packages, key=lambda package: (package["name"], package["version"]))


def chosen(licence: str) -> list[str]:
    """The licences that an SPDX expression without nested brackets is met by; "/" is how old crates write OR.

    Raises:
        ValueError: None of CHOICE meets it.

    >>> chosen("MIT/Apache-2.0"), chosen("(Apache-2.0 OR MIT) AND Unicode-3.0")
    (['MIT'], ['MIT', 'Unicode-3.0'])
    >>> chosen("MIT AND GPL-3.0-only")
    Traceback (most recent call last):
    ...
    ValueError: 'GPL-3.0-only' in 'MIT AND GPL-3.0-only' offers none of MIT, Apache-2.0, BSD-2-Clause, Zlib, Unicode-3.0
    """
    all_needed = []
    for part in licence.replace("(", "").replace(")", "").replace("/", " OR ").split(" AND "):
        offered = [name for name in CHOICE if name in part.split(" OR ")]
        if not offered:
            raise ValueError(f"{part!r} in {licence!r} offers none of {', '.join(CHOICE)}")
        all_needed.append(offered[0])
    return all_needed


def texts(crate: dict[str, Any], licences: list[str]) -> list[str]:
    """The texts of some licences, and the notices, in a crate's folder."""
    folder = Path(crate["manifest_path"]).parent
    files = sorted(
        path for path in folder.iterdir() if path.name.upper().startswith(("LICEN", "COPYRIGHT", "NOTICE"))
    )
    words = [licence.split("-")[0].upper() for licence in licences]
    named = [path for path in files if any(word in path.name.upper() for word in (*words, "NOTICE"))]
    picked = named or [path for path in files if "-" not in path.name]
    if not picked:
        raise SystemExit(f"{crate['name']} has no text of {' and '.join(licences)} in {folder}")
    return [path.read_text(encoding="utf-8").replace("\r\n", "\n").strip() for path in picked]


def document() -> str:
    """The whole file; crates with the same text share it."""
    holders: dict[str, list[str]] = {}
    lines = []
    for crate in crates():
        if crate["source"] is None:  # ours
            continue
        licences = chosen(crate["license"] or "")
        name = f"{crate['name']} {crate['version']}"
        lines.append(f"  {name}: {' and '.join(licences)}")
        for text in texts(crate, licences):
            holders.setdefault(text, []).append(name)
    parts = [BEGIN, "\n".join(lines) + "\n"]
    for text, names in holders.items():
        parts.append(f"{'-' * 80}\n{', '.join(names)}\n{'-' * 80}\n\n{text}\n")
    return "\n".join(parts)


if __name__ == "__main__":
    PATH.write_text(document(), encoding="utf-8")
