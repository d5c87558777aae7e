"""The compiled part of reading traces: runtime/replay, called with NumPy's memory."""

from __future__ import annotations

import ctypes
import functools
from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from pomp_clang.experiment import ExperimentError
from pomp_clang.experiment.layout import COLUMNS
from pomp_clang.installed_files import installed_libraries

LIBRARY = "libpomp-replay.so"

FINE, OP, PATH, NO_EVENT, NO_VALUE, NO_VISIT, ROOM = range(7)
"""The results of the functions: enum pomp_replay_error."""

OPERATIONS = 256


def members(*names: str) -> list[tuple[str, type[ctypes.c_uint64 | ctypes.c_void_p]]]:
    """Return members of a structure: names in capitals are numbers, the others addresses of
    columns."""
    return [
        (name.lower(), ctypes.c_uint64 if name.isupper() else ctypes.c_void_p) for name in names
    ]


class Decoding(ctypes.Structure):
    """`struct pomp_decoding` of runtime/replay: a location's words, and the columns decoded from
    them."""

    _fields_ = members(
        "fewest", "is_path", "ROOM", "EVENTS", "time", "op", "path",
        "VALUE_ROOM", "VALUES", "value_row", "value", "WRONG",
    )  # fmt: skip


class BlockWords(ctypes.Structure):
    _fields_ = members("fewest", "is_path", "words", "COUNT", "BASE", "SWAP")


class Replaying(ctypes.Structure):
    """`struct pomp_replaying`: columns of events, and the tables filled from them."""

    _fields_ = members(
        "machine", "BEFORE", "EVENTS", "time", "op", "path", "VALUE_COUNT", "value_row", "value",
        "critical", "PATHS", "sums", "END", "WRONG",
        "INTERVALS_ROOM", "INTERVALS",
        "intervals_begin", "intervals_path", "intervals_phase", "intervals_visit",
        "VISITS_ROOM", "VISITS",
        "visits_begin", "visits_end", "visits_path", "visits_kind", "visits_how", "visits_outer",
        "visits_team", "visits_ordinal",
        "EARLIER_ROOM", "EARLIER",
        "earlier_visit", "earlier_ordinal", "earlier_begin", "earlier_until",
        "LOCKS_ROOM", "LOCKS",
        "locks_path", "locks_lock", "locks_requested", "locks_acquired", "locks_released", "locks_visit",
        "NUMBERED_ROOM", "NUMBERED", "numbered_visit", "numbered_number",
        "DEPARTURES_ROOM", "DEPARTURES",
        "departures_visit", "departures_team", "departures_since", "departures_waits",
        "departures_ends", "departures_tasks",
        "JOINED_ROOM", "JOINED", "joined_team", "joined_time",
        "ASSEMBLED_ROOM", "ASSEMBLED", "assembled_team", "assembled_time",
        "VALUES_ROOM", "VALUES",
        "values_path", "values_time", "values_visit", "values_type", "values_value",
        "telling", "intervals_doing",
        "MARKS_ROOM", "MARKS", "marks_interval", "marks_visit", "marks_phase",
    )  # fmt: skip


class Telling(ctypes.Structure):
    """`struct pomp_telling`: the codes of activities, and sums by code."""

    _fields_ = members(
        "path_class", "table", "NONE", "CODES",
        "is_marked", "is_kept", "ticks", "serial", "gone",
    )  # fmt: skip


@functools.cache
def load(file: str = "") -> ctypes.CDLL:
    """Load the library; tests name the `file` of another one. Raises ExperimentError."""
    path = file or next(installed_libraries(LIBRARY), "")
    if not path:
        raise ExperimentError(f"what reads traces is missing ({LIBRARY}): reinstall pomp-clang")
    library = ctypes.CDLL(path)
    sizes = np.zeros(5, np.uint64)
    library.pomp_replay_sizes(ctypes.c_void_p(sizes.ctypes.data))
    structures = (Decoding, BlockWords, Replaying, Telling)
    if sizes.tolist() != [*map(ctypes.sizeof, structures), COLUMNS]:
        raise ExperimentError(f"{path}: is of another pomp-clang: reinstall pomp-clang")
    library.pomp_decode.argtypes = [
        ctypes.c_void_p, ctypes.c_void_p, ctypes.c_uint64, ctypes.c_uint64, ctypes.c_int,
    ]  # fmt: skip
    library.pomp_decode_count.argtypes = [
        ctypes.c_void_p, ctypes.c_uint64, ctypes.c_int, ctypes.c_void_p,
    ]  # fmt: skip
    library.pomp_replay.argtypes = library.pomp_replay_end.argtypes = [ctypes.c_void_p]
    library.pomp_replay_words.argtypes = [ctypes.c_void_p, ctypes.c_void_p]
    library.pomp_replay_count.argtypes = [
        ctypes.c_uint64, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p,
    ]  # fmt: skip
    return library


def keep_memory(expected: int) -> None:
    """Keep freed memory in this process, as an analysis frees and allocates large columns again and
    again; `expected` is the number of bytes."""
    function = load().pomp_keep_memory
    function.argtypes = [ctypes.c_uint64]
    function(expected)


def point(structure: ctypes.Structure, name: str, column: npt.NDArray[np.generic]) -> None:
    """Set a member to a column's address; the caller keeps the column alive."""
    setattr(structure, name, column.ctypes.data)


def addresses(columns: Iterable[npt.NDArray[np.generic]]) -> npt.NDArray[np.uint64]:
    """Return the addresses of several columns; the caller keeps the columns alive."""
    return np.array([column.ctypes.data for column in columns], np.uint64)
