"""libclang begins to load as soon as a look at the source tells that it will be asked.

That takes as long as the import of all that comes before the first question to it.
"""

from __future__ import annotations

import os
from _thread import allocate_lock, start_new_thread

from pomp_clang.driver.cache import hint
from pomp_clang.driver.glance import Glance
from pomp_clang.driver.options import INPUT
from pomp_clang.driver.path import which

PRAGMA = b"#pragma omp "

_loading = allocate_lock()


def load_early(view: Glance) -> None:
    """Begin, if a source has an OpenMP directive and the compiler's libclang is known."""
    if not any(_has_directive(value) for _, _, _, value, role in view.options if role == INPUT):
        return
    program = which(view.words[-1])
    libclang = hint(os.path.realpath(program)) if program else None
    if libclang is None:
        return
    # What is a library itself cannot be imported while another is loaded.
    import _bisect  # noqa: F401
    import _json  # noqa: F401
    import binascii  # noqa: F401

    from pomp_clang.frontend.libclang import LoadError, load
    from pomp_clang.frontend.memory import in_large_pages

    def run() -> None:
        from contextlib import suppress

        try:
            with suppress(LoadError):  # who asks it is told
                load(libclang)
        finally:
            _loading.release()

    in_large_pages()
    _loading.acquire()
    start_new_thread(run, ())


def wait() -> None:
    """Nothing is being loaded behind this: a process may not end in the midst of that."""
    with _loading:
        pass


def _has_directive(path: str) -> bool:
    try:
        with open(path, "rb") as file:
            return PRAGMA in file.read()
    except (OSError, ValueError):
        return False
