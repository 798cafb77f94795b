"""Settings for all of these tests."""

from __future__ import annotations

import os
import signal

# Before torch is imported, here or by a process that a test starts: its threads wait for each other, which takes very
# long where other programs keep the processors busy.
os.environ.setdefault("OMP_NUM_THREADS", "1")

# As in tests/python/conftest.py: what runs in the background of a shell ignores Ctrl-C, and so would what it starts.
signal.signal(signal.SIGINT, signal.default_int_handler)
