"""What the children of a server have loaded, which the server then loads for all later ones.

A server has at first what one compile needed. Another language, a warning, or the first construct
of a build asks for more, which each child would have to load again.
"""

from __future__ import annotations

import fcntl
import gc
import os
import sys
from contextlib import suppress
from importlib import import_module

_LOADER = "pomp_clang.frontend.c.libclang"
_LIBCLANG = "libclang"


class LoadReports:
    """A pipe from the children of a server to the server, with names of our modules."""

    def __init__(self) -> None:
        self.reading, self.writing = os.pipe2(os.O_CLOEXEC | os.O_NONBLOCK)
        self._known = _loaded()

    def move_above(self, least: int) -> None:
        """Give the child's end a number from `least` on.  Raises OSError."""
        self.writing = fcntl.fcntl(self.writing, fcntl.F_DUPFD_CLOEXEC, least)

    def send(self) -> None:
        """Report what this child has loaded; drop what the pipe has no room for."""
        with suppress(OSError):
            for name in _loaded() - self._known:
                os.write(self.writing, f"{name}\n".encode())  # whole, as it is short

    def load(self, libclang: str) -> None:
        """Load what children have reported."""
        names = set(os.read(self.reading, 1 << 16).decode().split("\n")) - {*self._known, ""}
        for name in names - {_LIBCLANG}:
            with suppress(ImportError):
                import_module(name)
        if _LIBCLANG in names:
            _load_libclang(libclang)
        self._known = _loaded()
        gc.freeze()  # stays shared with the children


def _loaded() -> set[str]:
    """Return the names of our modules that are loaded, and that of libclang if it is."""
    names = {name for name in sys.modules if name.startswith("pomp_clang.")}
    if _LOADER in names and sys.modules[_LOADER].load.cache_info().currsize:
        names.add(_LIBCLANG)
    return names


def _load_libclang(path: str) -> None:
    from pomp_clang.frontend.c.libclang import LoadError, load
    from pomp_clang.frontend.preload import use_large_pages

    use_large_pages()
    with suppress(LoadError):
        load(path)
