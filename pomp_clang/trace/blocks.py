"""A trace file -> its blocks, checked; mapped, and never copied whole."""

from __future__ import annotations

import mmap
import os
import struct
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from pomp_clang.experiment.errors import ExperimentError
from pomp_clang.trace.layout import (
    BLOCK_HEAD,
    BYTE_ORDER,
    HEAD_WORDS,
    LARGEST_BLOCK,
    MAGIC,
    MARK_NEWEST,
    NEWEST_FIRST,
    SMALLEST_BLOCK,
    VERSION,
)

Words = npt.NDArray[np.uint64]
Data = mmap.mmap | bytes

HEAD_SIZE = struct.calcsize("=" + BLOCK_HEAD)
assert HEAD_SIZE == HEAD_WORDS * 8


@dataclass(frozen=True, slots=True)
class Head:
    """Of a block; `base` is ticks, `pid` and `start` are those of the run."""

    version: int
    size: int
    location: int
    number: int
    base: int
    pid: int
    start: int
    mark: int


@dataclass(frozen=True, slots=True)
class Block:
    """The words of one, and what else is there behind the first that is 0."""

    base: int
    words: Words


def damaged(file: Path, what: str) -> ExperimentError:
    """What is said of a file of a trace that cannot be believed."""
    return ExperimentError(f"{file}: {what}: run the program again for a new trace")


def read_blocks(file: Path, ended: bool = True) -> tuple[Head, list[Block]] | None:
    """The head of the block at the file's beginning, and the blocks in their order; None where
    the program was killed (it has not ended) before there was one.

    Raises ExperimentError for whatever cannot be read.
    """
    try:
        data = _mapped(file)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise ExperimentError(f"{file}: cannot be read: {reason}") from None
    if not ended and _is_unused(data, 0) and not np.frombuffer(data, np.uint8)[HEAD_SIZE:].any():
        return None
    order, first = _first_head(file, data)
    words = np.frombuffer(data, f"{order}u8", len(data) // 8)
    if first.version <= NEWEST_FIRST:
        found = _newest_first(file, order, data, first)
    else:
        found = _in_any_order(file, order, data, first)
        if ended and not any(head.mark == MARK_NEWEST for head, _ in found):
            raise damaged(file, "is cut off")
    return first, [_block(file, words, head, offset) for head, offset in found]


def _mapped(file: Path) -> Data:
    with open(file, "rb", buffering=0) as opened:
        size = os.fstat(opened.fileno()).st_size
        return mmap.mmap(opened.fileno(), size, prot=mmap.PROT_READ) if size else b""


def _first_head(file: Path, data: Data) -> tuple[str, Head]:
    start = data[:HEAD_SIZE]
    if not start:
        raise damaged(file, "is empty")
    if not any(start):
        raise damaged(file, "is without a header: the program was killed before its first event")
    if start[: len(MAGIC)] != MAGIC[: len(start)]:
        raise ExperimentError(f"{file}: is no trace of pomp-clang: name another experiment")
    if len(start) < HEAD_SIZE:
        raise damaged(file, "is cut off in its head")
    order = next((o for o in "<>" if struct.unpack_from(o + "I", start, 8)[0] == BYTE_ORDER), "")
    if not order:
        raise damaged(file, "is damaged (byte order mark)")
    version = struct.unpack_from(order + "I", start, 12)[0]
    if version > VERSION:
        raise ExperimentError(
            f"{file}: has trace version {version}, this pomp-clang reads up to {VERSION}: "
            "read it with a newer pomp-clang"
        )
    head = _head(order, start)
    fits = SMALLEST_BLOCK <= head.size <= LARGEST_BLOCK and not head.size % HEAD_SIZE
    if version < 1 or not fits:
        raise damaged(file, "is damaged (head)")
    return order, head


def _head(order: str, data: bytes) -> Head:
    _, _, version, *rest = struct.unpack(order + BLOCK_HEAD, data)
    return Head(version, *rest)


Found = list[tuple[Head, int]]
"""Blocks in their order: the head and where it is in the file, in bytes."""


def _block(file: Path, words: Words, head: Head, offset: int) -> Block:
    """Where what is not filled is cut off, a 0 is left behind the last word."""
    here = words[offset // 8 : (offset + head.size) // 8]
    if len(here) < head.size // 8 and (len(here) <= HEAD_WORDS or here[-1]):
        raise damaged(file, "is cut off")
    return Block(head.base, here[HEAD_WORDS:])


def _in_any_order(file: Path, order: str, data: Data, first: Head) -> Found:
    """What is not filled of the last block in the file may be cut off."""
    by_number: dict[int, tuple[Head, int]] = {}
    for offset in range(0, len(data), first.size):
        if _is_unused(data, offset):
            continue
        head = _head_at(order, data, offset)
        if not head or _run(head) != _run(first) or head.number in by_number:
            raise damaged(file, f"is damaged (at {offset})")
        by_number[head.number] = head, offset
    found = [by_number[number] for number in sorted(by_number)]
    if found[-1][0].number != len(found) - 1:
        raise damaged(file, f"is damaged (only {len(found)} of {found[-1][0].number + 1} blocks)")
    if any(offset + head.size > len(data) for head, offset in found[:-1]):
        raise damaged(file, "is cut off")
    return found


def _is_unused(data: Data, offset: int) -> bool:
    """Room that was made ahead: its magic is the last of a block's head, and before the words."""
    words = offset + HEAD_SIZE
    return not any(data[offset : offset + len(MAGIC)]) and not any(data[words : words + 8])


def _newest_first(file: Path, order: str, data: Data, first: Head) -> Found:
    """Who was killed while that was copied to the end left part of the copy, or all of it."""
    found: Found = []
    offsets = range(first.size, len(data), first.size)
    for number, offset in enumerate(offsets[: first.number]):
        head = _head_at(order, data, offset)
        if not head or _run(head) != _run(first) or head.number != number:
            raise damaged(file, f"is damaged (block {number})")
        found.append((head, offset))
    whole = len(data) >= first.size * (first.number + 1) or not first.number
    if not whole or len(offsets) > first.number + 1:
        raise damaged(file, f"is damaged ({len(offsets)} of {first.number} blocks before the last)")
    return [*found, (first, 0)]


def _head_at(order: str, data: Data, offset: int) -> Head | None:
    start = data[offset : offset + HEAD_SIZE]
    return _head(order, start) if len(start) == HEAD_SIZE and start.startswith(MAGIC) else None


def _run(head: Head) -> tuple[int, ...]:
    """What is the same in all blocks of a file."""
    return head.version, head.size, head.location, head.pid, head.start
