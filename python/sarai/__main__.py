"""`python -m sarai` is the `sarai` command."""

from __future__ import annotations

import sys

from sarai._cli import main

if __name__ == "__main__":
    sys.exit(main())
