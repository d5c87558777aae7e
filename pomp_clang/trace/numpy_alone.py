"""NumPy without the threads of its linear algebra. No analysis uses these, and each costs processor
time when it starts. Programs that are started later are not affected."""

from __future__ import annotations

import os

_THREADS = "OPENBLAS_NUM_THREADS"

_before = os.environ.get(_THREADS)
os.environ[_THREADS] = "1"
import numpy  # noqa: E402, F401

if _before is None:
    del os.environ[_THREADS]
else:
    os.environ[_THREADS] = _before
