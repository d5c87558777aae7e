"""Real paths of many files in few folders."""

from __future__ import annotations

import os


class RealPaths:
    """The real paths of files; each folder is resolved once."""

    def __init__(self) -> None:
        self._folders: dict[str, str] = {}

    def of(self, path: str) -> str:
        """Return the real path, as `os.path.realpath` does."""
        folder, name = os.path.split(path)
        if name in ("", ".", "..") or os.path.islink(path):
            return os.path.realpath(path)
        if folder not in self._folders:
            self._folders[folder] = os.path.realpath(folder)
        return os.path.join(self._folders[folder], name)
