"""Temporary folders of our own.

The standard library's tempfile and shutil do the same, but their import takes longer than
the folder is needed.
"""

from __future__ import annotations

import errno
import os
import time

_TRIALS = 5
_PAUSE = 0.02
"""Seconds between two trials to remove a folder."""

_CHANGED = (errno.ENOTEMPTY, errno.ENOENT)

_in_use: set[str] = set()


def make(prefix: str) -> str:
    """Create a new folder that only the user can read.  Raises OSError."""
    failure: OSError = FileNotFoundError("no folder for temporary files")
    bases = [os.environ.get(name, "") for name in ("TMPDIR", "TEMP", "TMP")]
    for base in [*filter(None, bases), "/tmp", "/var/tmp", os.getcwd()]:
        path = os.path.join(os.path.abspath(base), prefix + os.urandom(8).hex())
        _in_use.add(path)  # before it exists: a signal may come within
        try:
            os.mkdir(path, 0o700)
        except OSError as error:
            _in_use.discard(path)
            failure = error
        else:
            return path
    raise failure


def remove(folder: str) -> None:
    """Remove a folder and its content; what cannot be removed stays."""
    for _ in range(_TRIALS):
        try:
            _remove(folder)
        except OSError as error:
            if error.errno in _CHANGED and os.path.isdir(folder):
                time.sleep(_PAUSE)  # a program that was ended writes or removes a last file
                continue
        break  # the system cleans what stays in its temporary folders
    _in_use.discard(folder)  # only now: a signal may have come within


def _remove(folder: str) -> None:
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                _remove(entry.path)
            else:
                os.unlink(entry.path)
    os.rmdir(folder)


def remove_all() -> None:
    """Remove the folders that are in use: this process ends."""
    for folder in tuple(_in_use):
        remove(folder)
