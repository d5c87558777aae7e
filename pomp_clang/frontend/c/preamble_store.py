"""Parsed preambles in memory that the processes of one compile server share.

Nothing of it has a name in a file system, so it is gone with the last of these processes.
"""

from __future__ import annotations

import os
from _thread import allocate_lock
from collections.abc import Callable, Iterable, Sequence
from struct import Struct

TYPE_CHECKING = False
if TYPE_CHECKING:
    from contextlib import AbstractContextManager

KEY_BYTES = 16
NOT_WITH = ("-include", "-imacros", "-fmodule", "-fcxx-modules", "-working-directory")
"""Options with which a unit shares no preamble."""
_ROW = Struct(f"{KEY_BYTES}sBB")
_ROWS = 1 << 14
_PROBES = 64
_FILES = 24
_LISTING_BYTES = 1 << 17
"""Bytes for what is known of one parsed preamble beside the parse."""
_MOST_BYTES = 256 << 20
"""Bytes of all parsed preambles together."""

_SEEN_BEFORE = 2
"""Units with a preamble after which it is parsed on its own: that takes half as long as a parse
of one of them."""
_LONG_ENOUGH = 0.75
"""The part of a longer preamble that has to be parsed already to make do with it."""
_FAILURES = 4
"""Preambles that may fail, and as many again for each that is kept, until no more are parsed."""
_FAILED = bytes(KEY_BYTES - 1) + b"f"
"""The key of the row that counts them."""
_NONE, _UNDER_WAY, _UNUSABLE = 0, 254, 255
"""States of a row without a file; others are a file's number, from 1."""

Folder = Callable[[], "AbstractContextManager[str]"]
"""Gives a temporary folder for a block; raises OSError."""


class PreambleStore:
    """A table of the preambles that were seen, and files in memory with the parses of some.

    The table needs no lock: at worst a preamble is not counted, or is parsed twice.
    """

    def __init__(self, folder: Folder) -> None:
        import mmap  # no other process of a compile needs it

        self.folder = folder
        self._writing = allocate_lock()
        self._files = [os.memfd_create("preamble") for _ in range(_FILES)]
        self._table = mmap.mmap(-1, _ROWS * _ROW.size)
        self._listings = mmap.mmap(-1, _FILES * _LISTING_BYTES)

    @property
    def descriptors(self) -> list[int]:
        """The numbers of the open files."""
        return self._files

    def move_above(self, least: int) -> None:
        """Give the open files numbers from `least` on.  Raises OSError."""
        import fcntl

        self._files = [fcntl.fcntl(number, fcntl.F_DUPFD_CLOEXEC, least) for number in self._files]

    def choose(
        self, keys: Sequence[bytes], lengths: Sequence[int] | None = None
    ) -> tuple[int, bool] | None:
        """Choose the preamble of a unit, and count all of its preambles as seen.

        `keys` are those of its preambles, the longest first. Return the chosen one's place among
        them and whether it has to be parsed, or None without a choice. `lengths` are those of the preambles' texts.
        """
        new = parsed = None
        for place, key in enumerate(keys):
            row = self._row(key)
            if row is None:
                continue
            _, seen, state = _ROW.unpack_from(self._table, row)
            _ROW.pack_into(self._table, row, key, min(seen + 1, 255), state)
            if parsed is None and _NONE < state < _UNDER_WAY:
                parsed = place
            elif new is None and state == _NONE and seen >= _SEEN_BEFORE:
                new = place
        if new is not None and self._fails_often():
            new = None
        if parsed is None:
            return None if new is None else (new, True)
        if new is None or parsed < new:
            return parsed, False
        gains = lengths is None or lengths[parsed] < _LONG_ENOUGH * lengths[new]
        return (new, True) if gains else (parsed, False)

    def parsed(self, key: bytes) -> tuple[str, bytes] | None:
        """Return the path of a parsed preamble's file for this process, and its listing."""
        row = self._row(key)
        state = _ROW.unpack_from(self._table, row)[2] if row is not None else _NONE
        if not _NONE < state < _UNDER_WAY:
            return None
        start = (state - 1) * _LISTING_BYTES
        length = int.from_bytes(self._listings[start : start + 4], "little")
        listing = self._listings[start + 4 : start + 4 + length]
        return f"/proc/self/fd/{self._files[state - 1]}", listing

    def begin(self, key: bytes) -> None:
        """Mark a preamble as being parsed."""
        self._set_state(key, _UNDER_WAY)

    def give_up(self, key: bytes) -> None:
        """Mark a preamble as one that cannot be parsed on its own."""
        self._set_state(key, _UNUSABLE)

    def is_given_up(self, key: bytes) -> bool:
        """Return True for a key that `give_up` has marked."""
        row = self._row(key)
        return row is not None and _ROW.unpack_from(self._table, row)[2] == _UNUSABLE

    def fail(self, keys: Iterable[bytes]) -> None:
        """Give up a preamble that could not be parsed, or that did not fit, with its relatives."""
        for key in keys:
            self.give_up(key)
        row = self._row(_FAILED)
        if row is not None:
            _, count, _ = _ROW.unpack_from(self._table, row)
            _ROW.pack_into(self._table, row, _FAILED, min(count + 1, 255), _NONE)

    def _fails_often(self) -> bool:
        row = self._row(_FAILED)
        count = _ROW.unpack_from(self._table, row)[1] if row is not None else 0
        kept = sum(os.fstat(number).st_size > 0 for number in self._files)
        return count >= _FAILURES * (1 + kept)

    def keep(self, key: bytes, path: str, listing: bytes) -> bool:
        """Copy a parsed preamble's file into memory; return False if there is no room.

        Raises OSError.
        """
        with self._writing:  # the files' locks are for other processes
            return self._keep(key, path, listing)

    def _keep(self, key: bytes, path: str, listing: bytes) -> bool:
        size = os.path.getsize(path)
        used = sum(os.fstat(number).st_size for number in self._files)
        if used + size > _MOST_BYTES or len(listing) > _LISTING_BYTES - 4:
            return False
        number = self._claim()
        if number is None:
            return False
        with open(path, "rb") as source:
            left = size
            while left > 0:
                sent = os.sendfile(self._files[number], source.fileno(), None, left)
                if not sent:
                    return False
                left -= sent
        start = number * _LISTING_BYTES
        self._listings[start : start + 4] = len(listing).to_bytes(4, "little")
        self._listings[start + 4 : start + 4 + len(listing)] = listing
        self._set_state(key, number + 1)
        return True

    def _claim(self) -> int | None:
        """Return the number of an empty file that only this process writes, or None.

        The lock lasts as long as this process, and a file that has content is never taken again.
        """
        import fcntl

        for number, file in enumerate(self._files):
            if os.fstat(file).st_size:
                continue
            try:
                fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                continue
            if not os.fstat(file).st_size:
                return number
        return None

    def _row(self, key: bytes) -> int | None:
        """Return the offset of a preamble's row, which may be a new one; None without room."""
        first = int.from_bytes(key[:8], "little")
        for probe in range(_PROBES):
            row = (first + probe) % _ROWS * _ROW.size
            there, seen, _ = _ROW.unpack_from(self._table, row)
            if there == key or not seen:
                return row
        return None

    def _set_state(self, key: bytes, state: int) -> None:
        row = self._row(key)
        if row is not None:
            seen = _ROW.unpack_from(self._table, row)[1]
            _ROW.pack_into(self._table, row, key, max(seen, 1), state)


_stores: list[PreambleStore] = []


def share(store: PreambleStore) -> None:
    """Set the store that this process and its children use."""
    _stores[:] = [store]


def shared_store() -> PreambleStore | None:
    """Return the store of this process, None outside a compile server."""
    return _stores[0] if _stores else None
