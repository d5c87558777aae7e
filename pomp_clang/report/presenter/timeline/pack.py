"""Columns of whole numbers as bytes that compress well, and what the page has to know of them."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt


def planes_of(column: npt.NDArray[Any]) -> list[bytes]:
    """Of numbers that are not negative, and below 2**53: the lowest bytes of all of them, then the
    next ones, as far as any is not 0."""
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
        """Where it is, its length, and how many planes it has."""
        planes = planes_of(column)
        place = [self._size, len(column), len(planes)]
        self._parts += planes
        self._size += len(column) * len(planes)
        return place

    def add_floats(self, column: npt.NDArray[Any]) -> list[int]:
        """As the bits of single precision."""
        return self.add(column.astype("<f4").view("<u4"))

    def content(self) -> bytes:
        return b"".join(self._parts)
