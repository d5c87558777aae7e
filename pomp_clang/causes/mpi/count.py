"""What calls of MPI count for."""

from __future__ import annotations

from enum import IntEnum


class Count(IntEnum):
    SENT = 0
    RECEIVED = 1
    COLLECTIVES = 2
    SYNCHRONIZATIONS = 3
    BYTES_SENT = 4
    BYTES_RECEIVED = 5
    BYTES_OUT = 6
    """of collective operations, like the next"""
    BYTES_IN = 7
    BYTES_ACCESSED = 8
