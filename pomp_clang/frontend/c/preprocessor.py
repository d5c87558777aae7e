"""Runs of the user's preprocessor on texts of ours, and the folders of these texts."""

from __future__ import annotations

import _thread
import os
import signal
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress

_DEPENDENCY_VARIABLES = ("DEPENDENCIES_OUTPUT", "SUNPRO_DEPENDENCIES")
"""Variables that let gcc and clang write a dependency file in any run."""

_running: set[int] = set()
_folders: set[str] = set()
_making = _thread.RLock()
"""Held while a folder is made, and for ever once another thread ends this process."""

_PATIENCE = 0.5
"""Seconds to wait for a thread that makes a folder."""


def end_others() -> None:
    """End the runs of `output_of`, and remove the private folders: this process ends."""
    _making.acquire(timeout=_PATIENCE)
    for child in tuple(_running):
        with suppress(ProcessLookupError):
            os.kill(child, signal.SIGTERM)
    for folder in tuple(_folders):
        _remove(folder)


@contextmanager
def private_folder(prefix: str) -> Iterator[str]:
    """Create a folder for the block, which `end_others` removes, too.  Raises OSError."""
    import tempfile

    with _making:
        folder = tempfile.mkdtemp(prefix=prefix)
        _folders.add(folder)
    try:
        yield folder
    finally:
        _remove(folder)


def _remove(folder: str) -> None:
    import shutil

    for _ in range(3):  # another thread may write a file meanwhile
        shutil.rmtree(folder, ignore_errors=True)
        if not os.path.exists(folder):
            break
    _folders.discard(folder)  # only now: another thread may end this process meanwhile


def output_of(command: Sequence[str], stdin: bytes = b"") -> bytes | None:
    """Return what a preprocessor writes, or None if it fails.  Raises OSError."""
    import subprocess

    pipe = subprocess.PIPE
    with subprocess.Popen(
        command, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, env=environment()
    ) as child:
        _running.add(child.pid)
        try:
            output, _ = child.communicate(stdin)
        finally:
            _running.discard(child.pid)
    return output if child.returncode == 0 else None


def environment() -> dict[str, str]:
    """Return the environment of a preprocessor, which writes no dependency file."""
    return {k: v for k, v in os.environ.items() if k not in _DEPENDENCY_VARIABLES}
