"""Temporary folders of our own.

The standard library's tempfile and shutil do the same, but their import takes longer than
the folder is needed.
"""

from __future__ import annotations

import os


def make(prefix: str) -> str:
    """Create a new folder that only the user can read.  Raises OSError."""
    failure: OSError = FileNotFoundError("no folder for temporary files")
    bases = [os.environ.get(name, "") for name in ("TMPDIR", "TEMP", "TMP")]
    for base in [*filter(None, bases), "/tmp", "/var/tmp", os.getcwd()]:
        path = os.path.join(os.path.abspath(base), prefix + os.urandom(8).hex())
        try:
            os.mkdir(path, 0o700)
        except OSError as error:
            failure = error
        else:
            return path
    raise failure


def remove(folder: str) -> None:
    """Remove a folder and its content; what cannot be removed stays."""
    try:
        with os.scandir(folder) as entries:
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    remove(entry.path)
                else:
                    os.unlink(entry.path)
        os.rmdir(folder)
    except OSError:
        pass  # the system cleans its temporary folders itself
