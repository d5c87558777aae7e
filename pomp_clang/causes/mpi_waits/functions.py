"""The purpose of each MPI function, and how processes depend on each other in it."""

from __future__ import annotations

from collections.abc import Iterator
from enum import IntEnum

import numpy as np
import numpy.typing as npt

from pomp_clang.causes.timeline.activity import Activity
from pomp_clang.mpi.function import BEGIN_AND_END, MpiFunction
from pomp_clang.mpi.functions import (
    collective,
    communicators,
    datatypes,
    environment,
    files,
    messages,
    one_sided,
)
from pomp_clang.mpi.variants import NAMES, variants


class Needs(IntEnum):
    """The processes that a participant of a collective operation has to wait for."""

    NOTHING = 0
    ALL = 1
    """N to N: data of all others"""
    MEETING = 2
    """a barrier: the arrival of all others"""
    ROOT = 3
    """1 to N: data of the root"""
    ROOT_NEEDS_ALL = 4
    """N to 1: the root needs data of all others"""
    LOWER = 5
    """a prefix: data of all processes with a lower rank"""


class Epoch(IntEnum):
    """The effect of a call on the epochs in which a window may be accessed."""

    NONE = 0
    FENCE = 1
    POST = 2
    START = 3
    COMPLETE = 4
    WAIT = 5
    LOCK = 6
    UNLOCK = 7
    ACCESS = 8


_CHAPTERS = (
    (messages.FUNCTIONS, Activity.POINT_TO_POINT),
    (datatypes.FUNCTIONS, Activity.MPI),
    (collective.FUNCTIONS, Activity.COLLECTIVE),
    (communicators.FUNCTIONS, Activity.COMMUNICATORS),
    (environment.FUNCTIONS, Activity.MPI),
    (one_sided.FUNCTIONS, Activity.ONE_SIDED),
    (files.FUNCTIONS, Activity.FILE_INDIVIDUAL),
)

_FOR: dict[Activity, tuple[str, ...]] = {
    Activity.MPI_BARRIER: ("Barrier",),
    Activity.INIT_EXIT: BEGIN_AND_END,
    Activity.WINDOWS: (
        "Win_create", "Win_allocate", "Win_allocate_shared", "Win_shared_query",
        "Win_create_dynamic", "Win_attach", "Win_detach", "Win_free", "Win_get_group",
        "Win_set_info", "Win_get_info", "Win_call_errhandler", "Win_create_errhandler",
        "Win_create_keyval", "Win_delete_attr", "Win_free_keyval", "Win_get_attr",
        "Win_get_errhandler", "Win_get_name", "Win_set_attr", "Win_set_errhandler",
        "Win_set_name",
    ),
    Activity.FILE_COLLECTIVE: (
        "File_open", "File_close", "File_set_view", "File_set_size", "File_preallocate",
        "File_sync", "File_set_atomicity", "File_set_info", "File_seek_shared",
    ),
}  # fmt: skip
"""Functions with another activity than most of their chapter."""

_TOGETHER = ("_all", "_ordered")
"""Parts of the names of collective file functions."""

_NEEDS: dict[Needs, tuple[str, ...]] = {
    Needs.ALL: (
        "Allgather", "Allgatherv", "Alltoall", "Alltoallv", "Alltoallw", "Allreduce",
        "Reduce_scatter", "Reduce_scatter_block",
    ),
    Needs.MEETING: ("Barrier",),
    Needs.ROOT: ("Bcast", "Scatter", "Scatterv"),
    Needs.ROOT_NEEDS_ALL: ("Reduce", "Gather", "Gatherv"),
    Needs.LOWER: ("Scan", "Exscan"),
}  # fmt: skip

_EPOCHS: dict[Epoch, tuple[str, ...]] = {
    Epoch.FENCE: ("Win_fence",),
    Epoch.POST: ("Win_post",),
    Epoch.START: ("Win_start",),
    Epoch.COMPLETE: ("Win_complete",),
    Epoch.WAIT: ("Win_wait", "Win_test"),
    Epoch.LOCK: ("Win_lock", "Win_lock_all"),
    Epoch.UNLOCK: ("Win_unlock", "Win_unlock_all"),
    Epoch.ACCESS: (
        "Put", "Get", "Accumulate", "Get_accumulate", "Fetch_and_op", "Compare_and_swap",
        "Rput", "Rget", "Raccumulate", "Rget_accumulate", "Win_flush", "Win_flush_local",
        "Win_flush_all", "Win_flush_local_all",
    ),
}  # fmt: skip

_AGREEMENTS = (
    "Init", "Init_thread", "Finalize", "Comm_create", "Comm_dup", "Comm_dup_with_info", "Comm_split",
    "Comm_split_type", "Cart_create", "Graph_create", "Dist_graph_create",
    "Dist_graph_create_adjacent", "Intercomm_create", "Intercomm_merge", "Win_create",
    "Win_allocate", "Win_allocate_shared", "Win_create_dynamic", "Win_free", "File_open",
    "File_close", "File_set_view", "File_set_size", "File_preallocate", "File_sync",
)  # fmt: skip
"""Functions that all processes of a group call together and that move no data. Most MPI libraries
synchronize the processes in them."""

Codes = npt.NDArray[np.uint8]

UNKNOWN = -1
"""The row of a function that is not in the table, as of a later MPI standard."""


def _rows() -> Iterator[tuple[MpiFunction, Activity]]:
    for functions, activity in _CHAPTERS:
        for row in functions:
            yield row, _activity(row.name, activity)


def _activity(name: str, otherwise: Activity) -> Activity:
    if otherwise == Activity.FILE_INDIVIDUAL and any(part in name for part in _TOGETHER):
        return Activity.FILE_COLLECTIVE
    return next((special for special, names in _FOR.items() if name in names), otherwise)


def _table() -> tuple[Codes, Codes, Codes, Codes]:
    activity, needs, epoch, agrees = (np.zeros(len(NAMES) + 1, np.uint8) for _ in range(4))
    activity[UNKNOWN] = Activity.MPI
    number = {name: row for row, name in enumerate(NAMES)}
    for function, doing in _rows():
        for variant in variants(function):
            at = number[f"MPI_{variant.name}"]
            activity[at] = doing
            needs[at] = _by_function(function.name, _NEEDS)
            epoch[at] = _by_function(function.name, _EPOCHS)
            agrees[at] = variant.name in _AGREEMENTS
    return activity, needs, epoch, agrees


def _by_function(
    name: str, table: dict[Needs, tuple[str, ...]] | dict[Epoch, tuple[str, ...]]
) -> int:
    return next((int(code) for code, names in table.items() if name in names), 0)


ACTIVITY, NEEDS, EPOCH, AGREES = _table()
"""Columns by a function's row in `NAMES`, or `UNKNOWN`: its `Activity`, `Needs` and `Epoch`, and 1
for `_AGREEMENTS`."""

WAITS_FOR_RECEIVER = np.array([*("ssend" in name.lower() for name in NAMES), False], np.bool_)
"""A column by the same row: True for synchronous sends, which end only after the receive began."""


def name_of(function: int) -> str:
    return NAMES[function] if function != UNKNOWN else "MPI"
