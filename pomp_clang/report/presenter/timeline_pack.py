"""Columns of whole numbers as bytes that compress well, and what the page has to know of them."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt


class Pack:
    """Each column is a row of planes: the lowest bytes of all its numbers, then the next ones."""

    def __init__(self) -> None:
        self._parts: list[bytes] = []
        self._size = 0

    def add(self, column: npt.NDArray[Any]) -> list[int]:
        """Of numbers that are not negative, and below 2**53.  Where it is, its length, and how
        many planes it has."""
        values = np.ascontiguousarray(column, "<u8")
        highest = int(values.max(initial=0))
        planes = -(-highest.bit_length() // 8)
        octets = values.view(np.uint8).reshape(-1, 8)
        place = [self._size, len(values), planes]
        for plane in range(planes):
            self._parts.append(np.ascontiguousarray(octets[:, plane]).tobytes())
            self._size += len(values)
        return place

    def add_floats(self, column: npt.NDArray[Any]) -> list[int]:
        """As the bits of single precision."""
        return self.add(column.astype("<f4").view("<u4"))

    def content(self) -> bytes:
        return b"".join(self._parts)
