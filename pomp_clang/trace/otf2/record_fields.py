"""Fields of definition records, one after the other, checked; errors in an archive, in one line."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from pathlib import Path

from pomp_clang.experiment import ExperimentError
from pomp_clang.otf2.layout import (
    BIG,
    CHUNK_HEAD_SIZE,
    LITTLE,
    UNDEFINED_BYTE,
    Record,
)


def damaged(file: Path, problem: str) -> ExperimentError:
    """Return the error for a file with wrong content; `problem` names the error."""
    return ExperimentError(f"{file}: {problem}: write the archive again")


def bytes_of(file: Path) -> bytes:
    """Read a file. Raises ExperimentError."""
    try:
        return file.read_bytes()
    except FileNotFoundError:
        raise damaged(file, "is missing from the archive") from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise ExperimentError(f"{file}: cannot be read: {reason}") from None


ORDERS = {LITTLE: "<", BIG: ">"}


class RecordFields:
    """A cursor in the bytes of a file, which refuses to read past their end."""

    def __init__(self, file: Path, data: bytes, order: str, at: int = 0) -> None:
        self.file = file
        self.data = data
        self.order = order
        self.at = at
        self.end = len(data)

    def fail(self) -> Exception:
        return damaged(self.file, f"is damaged or cut off (at byte {self.at})")

    def take(self, size: int) -> bytes:
        if self.at + size > self.end:
            raise self.fail()
        self.at += size
        return self.data[self.at - size : self.at]

    def byte(self) -> int:
        return self.take(1)[0]

    def full(self, layout: str) -> int:
        value = struct.unpack(self.order + layout, self.take(struct.calcsize("=" + layout)))[0]
        assert isinstance(value, int)
        return value

    def real(self) -> float:
        return float(struct.unpack(self.order + "d", self.take(8))[0])

    def integer(self) -> int:
        """Read an integer; -1 means that it is undefined."""
        size = self.byte()
        if size == UNDEFINED_BYTE:
            return -1
        if size > 8:
            raise self.fail()
        return int.from_bytes(self.take(size), "little" if self.order == "<" else "big")

    def signed(self) -> int:
        value = self.integer()
        return value - (1 << 64) if value >= 1 << 63 else value

    def text(self) -> str:
        end = self.data.find(b"\0", self.at, self.end)
        if end < 0:
            raise self.fail()
        raw = self.take(end - self.at)
        self.at += 1
        return raw.decode("utf-8", "replace")

    def skip_length(self) -> int:
        """Read the number of bytes that follow."""
        size = self.byte()
        return self.full("Q") if size == UNDEFINED_BYTE else size


def records(file: Path) -> Iterator[tuple[int, RecordFields]]:
    """Yield the type of each record of a definitions file, and its fields. Raises ExperimentError."""
    data = bytes_of(file)
    if len(data) < CHUNK_HEAD_SIZE or data[0] != Record.CHUNK_HEADER or data[1] not in ORDERS:
        raise damaged(file, "has no head of OTF2's" if data else "is empty")
    order = ORDERS[data[1]]
    at = CHUNK_HEAD_SIZE
    while True:
        cursor = RecordFields(file, data, order, at)
        kind = cursor.byte()
        if kind in (Record.END_OF_FILE, Record.END_OF_BUFFER, Record.END_OF_CHUNK):
            return
        size = cursor.skip_length()
        at = cursor.at + size
        if at > len(data):
            raise cursor.fail()
        cursor.end = at
        yield kind, cursor
