"""What is ours: warnings that the modules of these tests cause are errors, as those of the package are."""

from __future__ import annotations

from pathlib import Path

import pytest

MODULES = sorted(path.stem for path in Path(__file__).parent.glob("**/*.py"))


def pytest_configure(config: pytest.Config) -> None:
    """Add them to the filters of pyproject.toml, of which the last that fits holds."""
    for category in ("DeprecationWarning", "PendingDeprecationWarning", "FutureWarning"):
        config.addinivalue_line("filterwarnings", f"error::{category}:({'|'.join(MODULES)})$")
