"""Programs on the PATH, and the end of this process in one of them.

On the path of every compiler call: imports next to nothing.
"""

from __future__ import annotations

import os
import sys

from pomp_clang.driver import DriverError


def which(name: str) -> str:
    """Return the path at which the shell finds a program, or ""."""
    folders = os.environ.get("PATH", os.defpath).split(os.pathsep) if "/" not in name else [""]
    for folder in folders:
        path = os.path.join(folder, name)
        if os.path.isfile(path) and os.access(path, os.X_OK):
            return path
    return ""


def is_link_to(name: str, program: str) -> bool:
    """Return True if a program of this name is a link to one of another."""
    path = which(name)
    return os.path.islink(path) and os.path.basename(os.path.realpath(path)) == program


def become(command: list[str]) -> int:
    """Replace this process by a command.

    Raises DriverError, with a shell's exit status, if the command cannot be run.
    """
    sys.stdout.flush()
    sys.stderr.flush()
    name = command[0]
    # Not os.execvp, which imports the warnings module to look along the path.
    folders = os.environ.get("PATH", os.defpath).split(os.pathsep) if "/" not in name else [""]
    failure: OSError | None = None
    for folder in folders:
        try:
            os.execv(f"{folder or '.'}/{name}" if "/" not in name else name, command)
        except (FileNotFoundError, NotADirectoryError):
            continue
        except OSError as error:
            failure = failure or error
    if failure is None:
        raise DriverError(f"{name}: not found", 127)
    raise DriverError(f"{name}: {failure.strerror}", 126)
