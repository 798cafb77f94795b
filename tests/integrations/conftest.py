"""Settings for all of these tests."""

from __future__ import annotations

import os

# Before torch is imported, here or by a process that a test starts: its threads wait for each other, which takes very
# long where other programs keep the processors busy.
os.environ.setdefault("OMP_NUM_THREADS", "1")
