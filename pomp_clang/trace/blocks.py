"""Blocks of a trace file, checked; the file is mapped into memory and never copied whole."""

from __future__ import annotations

import mmap
import os
import struct
from pathlib import Path

import numpy as np
import numpy.typing as npt

from pomp_clang.experiment import ExperimentError
from pomp_clang.shared_dataclass import dataclass
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
class BlockHead:
    """The head of a block; `base` is ticks, `pid` and `start` are the run's."""

    version: int
    size: int
    location: int
    number: int
    base: int
    pid: int
    start: int
    mark: int


@dataclass(frozen=True, slots=True)
class TraceBlock:
    """A block's words. Words from the first 0 on are unused room."""

    base: int
    words: Words


def damaged(file: Path, problem: str) -> ExperimentError:
    """Return the error for a trace file with wrong content; `problem` names the error."""
    return ExperimentError(f"{file}: {problem}: run the program again for a new trace")


def read_blocks(file: Path, ended: bool = True) -> tuple[BlockHead, list[TraceBlock]] | None:
    """Return the head of the file's first block, and all blocks in the order of their numbers.

    Return None if the program was killed (has not `ended`) before it filled a block. Raises
    ExperimentError if the file cannot be read.
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
        blocks = _newest_first(file, order, data, first)
    else:
        blocks = _in_any_order(file, order, data, first)
        if ended and not any(head.mark == MARK_NEWEST for head, _ in blocks):
            raise damaged(file, "is cut off")
    return first, [_block(file, words, head, offset) for head, offset in blocks]


def _mapped(file: Path) -> Data:
    with open(file, "rb", buffering=0) as opened:
        size = os.fstat(opened.fileno()).st_size
        return mmap.mmap(opened.fileno(), size, prot=mmap.PROT_READ) if size else b""


def _first_head(file: Path, data: Data) -> tuple[str, BlockHead]:
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
    head = _parse_head(order, start)
    is_valid = SMALLEST_BLOCK <= head.size <= LARGEST_BLOCK and not head.size % HEAD_SIZE
    if version < 1 or not is_valid:
        raise damaged(file, "is damaged (head)")
    return order, head


def _parse_head(order: str, data: bytes) -> BlockHead:
    _, _, version, *rest = struct.unpack(order + BLOCK_HEAD, data)
    return BlockHead(version, *rest)


PlacedBlocks = list[tuple[BlockHead, int]]
"""Blocks in their order: the head, and its offset in the file in bytes."""


def _block(file: Path, words: Words, head: BlockHead, offset: int) -> TraceBlock:
    """Return the block at an offset. Its unused room may be cut off if the last word is 0."""
    block = words[offset // 8 : (offset + head.size) // 8]
    if len(block) < head.size // 8 and (len(block) <= HEAD_WORDS or block[-1]):
        raise damaged(file, "is cut off")
    return TraceBlock(head.base, block[HEAD_WORDS:])


def _in_any_order(file: Path, order: str, data: Data, first: BlockHead) -> PlacedBlocks:
    """Find the blocks of a file whose blocks stand in any order. The unused end of the last block
    in the file may be cut off."""
    by_number: dict[int, tuple[BlockHead, int]] = {}
    for offset in range(0, len(data), first.size):
        if _is_unused(data, offset):
            continue
        head = _head_at(order, data, offset)
        if not head or _run(head) != _run(first) or head.number in by_number:
            raise damaged(file, f"is damaged (at {offset})")
        by_number[head.number] = head, offset
    placed = [by_number[number] for number in sorted(by_number)]
    if placed[-1][0].number != len(placed) - 1:
        raise damaged(file, f"is damaged (only {len(placed)} of {placed[-1][0].number + 1} blocks)")
    if any(offset + head.size > len(data) for head, offset in placed[:-1]):
        raise damaged(file, "is cut off")
    return placed


def _is_unused(data: Data, offset: int) -> bool:
    """Return True for room made ahead: neither the magic, which is written last, nor words are
    there."""
    payload = offset + HEAD_SIZE
    return not any(data[offset : offset + len(MAGIC)]) and not any(data[payload : payload + 8])


def _newest_first(file: Path, order: str, data: Data, first: BlockHead) -> PlacedBlocks:
    """Find the blocks of a file whose newest block stands first.

    A program that was killed while it copied that block to the file's end leaves part of the copy,
    or all.
    """
    placed: PlacedBlocks = []
    offsets = range(first.size, len(data), first.size)
    for number, offset in enumerate(offsets[: first.number]):
        head = _head_at(order, data, offset)
        if not head or _run(head) != _run(first) or head.number != number:
            raise damaged(file, f"is damaged (block {number})")
        placed.append((head, offset))
    is_complete = len(data) >= first.size * (first.number + 1) or not first.number
    if not is_complete or len(offsets) > first.number + 1:
        raise damaged(file, f"is damaged ({len(offsets)} of {first.number} blocks before the last)")
    return [*placed, (first, 0)]


def _head_at(order: str, data: Data, offset: int) -> BlockHead | None:
    start = data[offset : offset + HEAD_SIZE]
    return (
        _parse_head(order, start) if len(start) == HEAD_SIZE and start.startswith(MAGIC) else None
    )


def _run(head: BlockHead) -> tuple[int, ...]:
    """Return the fields that are the same in all blocks of a file."""
    return head.version, head.size, head.location, head.pid, head.start
