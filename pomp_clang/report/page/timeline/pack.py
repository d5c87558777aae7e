"""Columns of integers as bytes that compress well, with their index."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt


def planes_of(column: npt.NDArray[Any]) -> list[bytes]:
    """Split numbers from 0 to 2**53 into byte planes: the lowest bytes of all, then the next, up
    to the highest that is not 0."""
    values = np.ascontiguousarray(column, "<u8")
    highest = int(values.max(initial=0))
    octets = values.view(np.uint8).reshape(-1, 8)
    return [octets[:, plane].tobytes() for plane in range(-(-highest.bit_length() // 8))]


class Pack:
    """Each column is a row of planes."""

    def __init__(self) -> None:
        self._parts: list[bytes] = []
        self._size = 0

    def add(self, column: npt.NDArray[Any]) -> list[int]:
        """Append a column; return its offset, its length, and its number of planes."""
        planes = planes_of(column)
        place = [self._size, len(column), len(planes)]
        self._parts += planes
        self._size += len(column) * len(planes)
        return place

    def add_floats(self, column: npt.NDArray[Any]) -> list[int]:
        """Append a column as the bits of single precision."""
        return self.add(column.astype("<f4").view("<u4"))

    def content(self) -> bytes:
        return b"".join(self._parts)
