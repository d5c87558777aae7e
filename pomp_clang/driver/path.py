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
