"""Programs on the PATH."""

from __future__ import annotations

import os


def which(name: str) -> str:
    """Where the shell would find a program, or ""."""
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
