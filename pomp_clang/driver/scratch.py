"""Folders of our own for a while.

As in the standard library's tempfile and shutil, whose import takes longer than what
they are needed for here.
"""

from __future__ import annotations

import os


def make(prefix: str) -> str:
    """A new folder that is the user's alone.  Raises OSError."""
    failure: OSError = FileNotFoundError("no folder for temporary files")
    named = [os.environ.get(name, "") for name in ("TMPDIR", "TEMP", "TMP")]
    for base in [*filter(None, named), "/tmp", "/var/tmp", os.getcwd()]:
        path = os.path.join(os.path.abspath(base), prefix + os.urandom(8).hex())
        try:
            os.mkdir(path, 0o700)
        except OSError as error:
            failure = error
        else:
            return path
    raise failure


def remove(folder: str) -> None:
    """Remove a folder with all that is in it, as far as that can be done."""
    try:
        with os.scandir(folder) as entries:
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    remove(entry.path)
                else:
                    os.unlink(entry.path)
        os.rmdir(folder)
    except OSError:
        pass  # it is the system's to clean up
