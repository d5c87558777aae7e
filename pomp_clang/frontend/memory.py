"""Memory for libclang, which takes a hundred megabytes for a C++ file and frees them at the end.

The system hands memory out in pages of 4 kB, and for each of them the parse waits: more than a
tenth of its time.  Here the heap is made large beforehand and asked to be of large pages, as far
as the C library (glibc) and the system have such a thing; what is not touched costs nothing.
"""

from __future__ import annotations

from ctypes import CDLL, c_size_t, c_void_p
from functools import cache

HEAP = 256 << 20
PAGE = 2 << 20

_TRIM_THRESHOLD, _MMAP_THRESHOLD, _ARENA_MAX = -1, -3, -8
"""Parameters of mallopt; the heap neither shrinks nor is gone round, and all threads use it."""
_SETTINGS = ((_TRIM_THRESHOLD, 1 << 30), (_MMAP_THRESHOLD, 1 << 30), (_ARENA_MAX, 1))
_MADV_HUGEPAGE = 14


@cache
def in_large_pages() -> None:
    """Make the heap large, of large pages, once; before the threads that are to use it begin."""
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
