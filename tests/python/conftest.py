"""For all tests: warnings that their modules cause are errors, as the package's are, and nothing has to be quick.

Hypothesis tries the same examples every time. With `-m nightly` every test with hypothesis runs again, on more examples
and new ones.
"""

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
settings.register_profile("fast", deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)
settings.register_profile(
    "nightly", settings.get_profile("fast"), derandomize=False, max_examples=2000, print_blob=True
)
settings.load_profile("fast")


def pytest_configure(config: pytest.Config) -> None:
    """Choose the profile, and add to the filters of pyproject.toml, of which the last that fits holds."""
    if config.option.markexpr == "nightly":
        settings.load_profile("nightly")
    for category in ("DeprecationWarning", "PendingDeprecationWarning", "FutureWarning"):
        config.addinivalue_line("filterwarnings", f"error::{category}:({'|'.join(MODULES)})$")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Under the profile "nightly", select every test with hypothesis."""
    if config.option.markexpr == "nightly":
        for item in items:
            # `hypothesis.is_hypothesis_test` looks at the same mark, and the oldest version that is supported lacks it.
            if getattr(getattr(item, "obj", None), "is_hypothesis_test", False):
                item.add_marker("nightly")


def pytest_make_parametrize_id(val: object) -> str | None:
    """Name long arguments by their length: a name of some MB stands in every report of its test."""
    return f"{len(val)} characters" if isinstance(val, str | bytes) and len(val) > 200 else None
