"""For all tests: warnings that their modules cause are errors, as the package's are, and nothing has to be quick."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

HERE = Path(__file__).parent
MODULES = sorted(".".join(path.relative_to(HERE).with_suffix("").parts) for path in HERE.glob("**/*.py"))

# A shell starts what it runs in the background with Ctrl-C ignored, and whatever a test starts would inherit that.
signal.signal(signal.SIGINT, signal.default_int_handler)

# Left alone, hypothesis fails an example that takes more than 0.2 seconds, which on a busy machine any may.
settings.register_profile("patient", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("patient")


def pytest_configure(config: pytest.Config) -> None:
    """Add them to the filters of pyproject.toml, of which the last that fits holds."""
    for category in ("DeprecationWarning", "PendingDeprecationWarning", "FutureWarning"):
        config.addinivalue_line("filterwarnings", f"error::{category}:({'|'.join(MODULES)})$")


def pytest_make_parametrize_id(val: object) -> str | None:
    """Name long arguments by their length: a name of some MB stands in every report of its test."""
    return f"{len(val)} characters" if isinstance(val, str | bytes) and len(val) > 200 else None
