"""Lists of libclang's cursors, each with its extent, as rows of numbers: runtime/tree.

A row is a cursor's structure, and where it begins and ends as clang numbers places. A cursor object
is made only of rows that are asked for more.
"""

from __future__ import annotations

from ctypes import (
    CDLL,
    POINTER,
    Structure,
    byref,
    c_char,
    c_char_p,
    c_uint64,
    c_void_p,
    cast,
)
from functools import cache
from struct import Struct

from pomp_clang.frontend.c.libclang import Cursor, LoadError
from pomp_clang.installed_files import installed_libraries

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Set
    from ctypes import Array
    from typing import Any

LIBRARY = "libpomp-tree.so"

CursorRow = tuple[int, int, int, int, int, int, int]
"""Kind, three numbers of libclang's with one more before them, begin and end."""
KIND, BEGIN, END = 0, 5, 6
"""The places of the members of a row that others read."""

_CURSOR, _ROW = Struct("iiPPP"), Struct("iiPPPII")
_FIRST_ROOM = 8192
"""Rows; a unit with system headers has some thousand declarations."""
_KINDS = 1024


class _CursorList(Structure):
    """`struct pomp_cursor_list`."""

    _fields_ = (
        ("visit_children", c_void_p),
        ("extent_of", c_void_p),
        ("rows", c_void_p),
        ("room", c_uint64),
        ("count", c_uint64),
        ("kinds", c_char_p),
        ("kind_count", c_uint64),
    )


class CursorRows:
    """The lister of one unit's cursors."""

    def __init__(self, clang: CDLL) -> None:
        self._library = _load()
        self._list = _CursorList(
            _address(clang.clang_visitChildren), _address(clang.clang_getCursorExtent)
        )
        self._extent_of = clang.clang_getCursorExtent
        self._take_room(_FIRST_ROOM)

    def _take_room(self, count: int) -> None:
        self._bytes = bytearray(count * _ROW.size)
        self._memory: Array[c_char] = (c_char * len(self._bytes)).from_buffer(self._bytes)
        self._list.rows = cast(self._memory, c_void_p).value
        self._list.room = count

    def children(self, cursor: Cursor) -> list[CursorRow]:
        """Return the children of a cursor without those of the preprocessor.

        A unit with system headers has ten thousand of the latter.
        """
        return self._listed(self._library.pomp_list_children, cursor)

    def within(self, cursor: Cursor, kinds: Set[int]) -> list[CursorRow]:
        """Return the outermost cursors of some kinds at any depth in a cursor."""
        self._list.kinds, self._list.kind_count = _marked(frozenset(kinds)), _KINDS
        return self._listed(self._library.pomp_list_within, cursor)

    def _listed(self, function: Any, cursor: Cursor) -> list[CursorRow]:
        function(byref(self._list), cursor)
        count: int = self._list.count
        if count > self._list.room:
            self._take_room(2 * count)
            function(byref(self._list), cursor)
        return list(_ROW.iter_unpack(memoryview(self._bytes)[: count * _ROW.size]))

    def of(self, cursor: Cursor) -> CursorRow:
        """Return the row of a cursor."""
        extent = self._extent_of(cursor)
        return (*_CURSOR.unpack(bytes(cursor)), extent.begin, extent.end)


def cursor_of(row: CursorRow) -> Cursor:
    """Return the cursor of a row."""
    return Cursor.from_buffer_copy(_ROW.pack(*row))


def _address(function: Any) -> int | None:
    return cast(function, c_void_p).value


@cache
def _marked(kinds: frozenset[int]) -> bytes:
    return bytes(kind in kinds for kind in range(_KINDS))


@cache
def _load() -> CDLL:
    """Load the library.  Raises `LoadError`."""
    for path in installed_libraries(LIBRARY):
        try:
            library = CDLL(path)
        except OSError as error:
            raise LoadError(str(error)) from None
        for function in (library.pomp_list_children, library.pomp_list_within):
            function.restype, function.argtypes = None, (POINTER(_CursorList), Cursor)
        return library
    raise LoadError(f"{LIBRARY} is missing; reinstall pomp-clang")
