"""Words -> the columns of a `Stream`, checked."""

from __future__ import annotations

import ctypes
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from pomp_clang.trace import kernel
from pomp_clang.trace.blocks import Block
from pomp_clang.trace.layout import VALUES, known
from pomp_clang.trace.model import Ints, Ops, Paths

_FEWEST = np.zeros(kernel.OPERATIONS, np.uint8)
_FEWEST[known()] = 1
_FEWEST[list(VALUES)] = [1 + count for count in VALUES.values()]

_REFUSALS = {
    kernel.OP: "event {}",
    kernel.PATH: "call path {}",
    kernel.NO_EVENT: "a value comes first",
    kernel.NO_VALUE: "event {} has no value",
}


@dataclass(frozen=True, slots=True)
class Columns:
    time: Ints
    op: Ops
    path: Paths
    value_row: Ints
    values: Ints


def decode(blocks: Sequence[Block], paths: Iterable[int]) -> Columns | str:
    """Or what is wrong with them."""
    room = sum(len(block.words) for block in blocks)
    is_path = np.zeros(1 << 16, np.uint8)
    is_path[[0, *(number for number in paths if number < len(is_path))]] = 1
    time, value_row, values = (np.empty(room, np.int64) for _ in range(3))
    op, path = np.empty(room, np.uint8), np.empty(room, np.uint16)
    to = kernel.Decoding(room=room, value_room=room)
    for name, column in (
        ("fewest", _FEWEST), ("is_path", is_path), ("time", time), ("op", op), ("path", path),
        ("value_row", value_row), ("value", values),
    ):  # fmt: skip
        kernel.point(to, name, column)
    library = kernel.load()
    for block in blocks:
        words = block.words
        swap = not words.dtype.isnative
        error = library.pomp_decode(
            ctypes.byref(to), words.ctypes.data, len(words), block.base, swap
        )
        if error:
            return _REFUSALS[error].format(to.wrong)
    events, count = to.events, to.values
    return Columns(time[:events], op[:events], path[:events], value_row[:count], values[:count])
