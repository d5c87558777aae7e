"""libclang loaded ahead of its first use, with memory in large pages.

A thread loads libclang while the main thread imports the modules that come before the first
parse: both take equally long.

A C++ file takes a hundred megabytes of libclang's memory. The kernel hands it out in pages of
4 kB and interrupts the parse for each, which costs more than a tenth of its time. So the heap is
enlarged beforehand and the kernel is asked for large pages. Both need glibc and a kernel with
large pages; elsewhere the heap stays as it is. Untouched pages cost nothing.
"""

from __future__ import annotations

from _thread import allocate_lock, start_new_thread
from ctypes import CDLL, c_size_t, c_void_p
from functools import cache

HEAP = 256 << 20
PAGE = 2 << 20

_TRIM_THRESHOLD, _MMAP_THRESHOLD, _ARENA_MAX = -1, -3, -8
"""Parameters of mallopt: never shrink the heap, never bypass it, one heap for all threads."""
_SETTINGS = ((_TRIM_THRESHOLD, 1 << 30), (_MMAP_THRESHOLD, 1 << 30), (_ARENA_MAX, 1))
_MADV_HUGEPAGE = 14

_loading = allocate_lock()


def preload(libclang: str) -> None:
    """Start to load a libclang in a thread; "" is the one of the Python package.

    A library that cannot be loaded raises its error at the first use, not here.
    """
    # Extension modules cannot be imported while another library is being loaded.
    import _bisect  # noqa: F401
    import _json  # noqa: F401
    import binascii  # noqa: F401

    from pomp_clang.frontend.c.libclang import LoadError, load

    def run() -> None:
        from contextlib import suppress

        try:
            with suppress(LoadError):
                load(libclang)
        finally:
            _loading.release()

    use_large_pages()
    _loading.acquire()
    start_new_thread(run, ())


def wait_for_preload() -> None:
    """Wait until no library is being loaded: a process must not exit within a load."""
    with _loading:
        pass


@cache
def use_large_pages() -> None:
    """Enlarge the heap and ask for large pages, once, before a thread allocates from it."""
    library = CDLL(None)
    try:
        mallopt, madvise = library.mallopt, library.madvise
    except AttributeError:
        return
    for parameter, value in _SETTINGS:
        mallopt(parameter, value)
    library.malloc.restype = c_void_p
    heap = library.malloc(c_size_t(HEAP))
    if heap:
        first = -heap % PAGE
        madvise(c_void_p(heap + first), c_size_t((HEAP - first) // PAGE * PAGE), _MADV_HUGEPAGE)
        library.free(c_void_p(heap))
