"""Words -> the columns of a `Stream`, checked."""

from __future__ import annotations

import ctypes
from collections.abc import Iterable, Iterator, Sequence

import numpy as np
import numpy.typing as npt

from pomp_clang.trace import kernel
from pomp_clang.trace.blocks import Block
from pomp_clang.trace.layout import VALUES, known
from pomp_clang.trace.parts import Counts, Piece

_FEWEST = np.zeros(kernel.OPERATIONS, np.uint8)
_FEWEST[known()] = 1
_FEWEST[list(VALUES)] = [1 + count for count in VALUES.values()]

_REFUSALS = {
    kernel.OP: "event {}",
    kernel.PATH: "call path {}",
    kernel.NO_EVENT: "a value comes first",
    kernel.NO_VALUE: "event {} has no value",
}


_EVENTS = 8192
"""That are decoded together: what a processor's cache has room for."""


class RefusedError(Exception):
    """What is wrong with some words."""


def known_paths(paths: Iterable[int]) -> npt.NDArray[np.uint8]:
    """By call path, whether an event may name it."""
    is_path = np.zeros(1 << 16, np.uint8)
    is_path[[0, *(number for number in paths if number < len(is_path))]] = 1
    return is_path


class _Decoder:
    """Has room for some events, and for the values that so many words may have."""

    def __init__(self, events: int, words: int, is_path: npt.NDArray[np.uint8]) -> None:
        time, op = np.empty(events, np.int64), np.empty(events, np.uint8)
        path = np.empty(events, np.uint16)
        value_row, values = np.empty(words, np.int64), np.empty(words, np.int64)
        self._room = Piece(time, op, path, value_row, values)
        self._is_path = is_path
        self._to = kernel.Decoding(room=events, value_room=words)
        for name, column in (
            ("fewest", _FEWEST), ("is_path", is_path), ("time", time), ("op", op), ("path", path),
            ("value_row", value_row), ("value", values),
        ):  # fmt: skip
            kernel.point(self._to, name, column)

    def add(self, block: Block, at: int = 0) -> int:
        """From a word on; returns up to which.  Raises RefusedError."""
        words = block.words[at:]
        swap = not words.dtype.isnative
        error = kernel.load().pomp_decode(
            ctypes.byref(self._to), words.ctypes.data, len(words), block.base, swap
        )
        if error:
            raise RefusedError(_REFUSALS[error].format(self._to.wrong))
        return at + int(self._to.taken)

    def piece(self) -> Piece:
        room, events, count = self._room, self._to.events, self._to.values
        return Piece(
            room.time[:events], room.op[:events], room.path[:events],
            room.value_row[:count], room.values[:count],
        )  # fmt: skip

    def clear(self) -> None:
        self._to.events = self._to.values = 0


def decode(blocks: Sequence[Block], is_path: npt.NDArray[np.uint8]) -> Piece:
    """All of them.  Raises RefusedError."""
    room = sum(len(block.words) for block in blocks)
    decoder = _Decoder(room, room, is_path)
    for block in blocks:
        decoder.add(block)
    return decoder.piece()


def pieces(blocks: Sequence[Block], is_path: npt.NDArray[np.uint8]) -> Iterator[Piece]:
    """Some thousand events at a time, in the same memory.  Raises RefusedError."""
    decoder = _Decoder(_EVENTS, max(len(block.words) for block in blocks), is_path)
    for block in blocks:
        at = 0
        while at < len(block.words):
            decoder.clear()
            at = decoder.add(block, at)
            yield decoder.piece()


def counts(blocks: Sequence[Block]) -> Counts:
    """How often each operation is there."""
    found = np.zeros(kernel.OPERATIONS, np.uint64)
    for block in blocks:
        words = block.words
        swap = not words.dtype.isnative
        kernel.load().pomp_decode_count(words.ctypes.data, len(words), swap, found.ctypes.data)
    return found
