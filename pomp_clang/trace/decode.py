"""Words -> the columns of a `Stream`, checked."""

from __future__ import annotations

import ctypes
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from pomp_clang.trace import kernel
from pomp_clang.trace.blocks import Block, damaged
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


class RefusedError(Exception):
    """What is wrong with some words."""


def known_paths(paths: Iterable[int]) -> npt.NDArray[np.uint8]:
    """By call path, whether an event may name it."""
    is_path = np.zeros(1 << 16, np.uint8)
    is_path[[0, *(number for number in paths if number < len(is_path))]] = 1
    return is_path


@dataclass(frozen=True, slots=True)
class BlockPiece:
    """A block of a file as a piece: its words are checked when they are run through."""

    file: Path
    block: Block
    is_path: npt.NDArray[np.uint8]

    def through(self, run: kernel.Replaying) -> int:
        """Raises ExperimentError."""
        words = self.block.words
        piece = kernel.BlockWords(
            count=len(words), base=self.block.base, swap=not words.dtype.isnative
        )
        kernel.point(piece, "fewest", _FEWEST)
        kernel.point(piece, "is_path", self.is_path)
        kernel.point(piece, "words", words)
        error = kernel.load().pomp_replay_words(ctypes.byref(run), ctypes.byref(piece))
        if what := _REFUSALS.get(error):
            raise damaged(self.file, f"is damaged ({what.format(run.wrong)})")
        return int(error)


def decode(blocks: Sequence[Block], is_path: npt.NDArray[np.uint8]) -> Piece:
    """All of them.  Raises RefusedError."""
    room = sum(len(block.words) for block in blocks)
    time, op, path = np.empty(room, np.int64), np.empty(room, np.uint8), np.empty(room, np.uint16)
    value_row, values = np.empty(room, np.int64), np.empty(room, np.int64)
    to = kernel.Decoding(room=room, value_room=room)
    for name, column in (
        ("fewest", _FEWEST), ("is_path", is_path), ("time", time), ("op", op), ("path", path),
        ("value_row", value_row), ("value", values),
    ):  # fmt: skip
        kernel.point(to, name, column)
    for block in blocks:
        words = block.words
        swap = not words.dtype.isnative
        if error := kernel.load().pomp_decode(
            ctypes.byref(to), words.ctypes.data, len(words), block.base, swap
        ):
            raise RefusedError(_REFUSALS[error].format(to.wrong))
    events, count = to.events, to.values
    return Piece(time[:events], op[:events], path[:events], value_row[:count], values[:count])


def counts(blocks: Sequence[Block]) -> Counts:
    """How often each operation is there."""
    found = np.zeros(kernel.OPERATIONS, np.uint64)
    for block in blocks:
        words = block.words
        swap = not words.dtype.isnative
        kernel.load().pomp_decode_count(words.ctypes.data, len(words), swap, found.ctypes.data)
    return found
