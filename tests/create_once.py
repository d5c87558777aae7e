"""Makes a file or a folder once for all processes of a test run (pytest-xdist's workers)."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Callable
from pathlib import Path

import pytest


def folder_of_run(factory: pytest.TempPathFactory, name: str) -> Path:
    """Return a folder that all processes of this run share."""
    base = factory.getbasetemp()
    folder = (base.parent if os.environ.get("PYTEST_XDIST_WORKER") else base) / name
    folder.mkdir(exist_ok=True)
    return folder


def create_once(path: Path, make: Callable[[], object]) -> Path:
    """Return `path`; if it is missing, call `make`, which writes it. Others wait that long."""
    with open(f"{path}.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not path.exists():
            make()
    return path
