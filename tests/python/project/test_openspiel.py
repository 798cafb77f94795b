"""Where the comparison with OpenSpiel runs, and where it may not."""

from __future__ import annotations

import pytest

from helpers.spiel import has_wheel

LINUX, MACOS, WINDOWS = "linux", "darwin", "win32"


@pytest.mark.parametrize(
    ("platform", "machine", "python", "expected"),
    [
        *[
            (LINUX, machine, f"3.{minor}", True)
            for machine in ("x86_64", "aarch64")
            for minor in range(10, 15)
        ],
        *[(MACOS, "arm64", f"3.{minor}", True) for minor in range(10, 15)],
        *[(WINDOWS, "AMD64", f"3.{minor}", True) for minor in range(11, 15)],
        (MACOS, "x86_64", "3.13", True),
        (MACOS, "x86_64", "3.14", False),
        (WINDOWS, "AMD64", "3.10", False),
        (WINDOWS, "ARM64", "3.13", False),
        (LINUX, "riscv64", "3.13", False),
        (LINUX, "x86_64", "3.15", False),
    ],
)
def test_open_spiel_is_installed_wherever_it_has_a_wheel(
    platform: str, machine: str, python: str, expected: bool
) -> None:
    environment = {"sys_platform": platform, "platform_machine": machine, "python_version": python}
    assert has_wheel(environment) is expected
