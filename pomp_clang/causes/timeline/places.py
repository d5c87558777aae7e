"""Call paths and threads as the severities number them."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from pomp_clang.experiment.open_regions import successions
from pomp_clang.experiment.reader import is_copied
from pomp_clang.experiment.records import RawRegion, Records
from pomp_clang.openmp import kernel_tasks
from pomp_clang.openmp.kernel_tasks import PathStep
from pomp_clang.openmp.kinds import atomic_access, is_parallel, is_target
from pomp_clang.openmp.pomp_api import DescriptorFlag
from pomp_clang.shared_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Place:
    """A call path: its region, below the row `above`, which comes before it. Row 0 is the program
    outside all regions, which has no file. An atomic that only reads or writes has that as name, and a
    single with copyprivate the clause."""

    above: int
    kind: str
    name: str = ""
    file: str = ""
    line: int = 0
    task: bool = False


@dataclass(frozen=True, slots=True)
class Thread:
    """A thread of a run; `machine` and `process` distinguish threads of several runs."""

    machine: str
    node: str
    process: int
    thread: int


@dataclass(frozen=True, slots=True)
class Places:
    """The call paths and threads of a run. `rows` maps a call path's number in the trace to its row
    in `paths`, `numbers` a location's number to its row in `threads`."""

    paths: tuple[Place, ...]
    threads: tuple[Thread, ...]
    rows: npt.NDArray[np.int64]
    numbers: dict[int, int]


def places_of(records: Records) -> Places:
    """Number call paths and threads: equal regions below the same row are one call path, and
    locations that follow each other in one role are one thread."""
    program = records.texts.get("program", "").rpartition("/")[2] or "program"
    paths = [Place(-1, "program", program)]
    row_of: dict[Place, int] = {}
    rows = [0] * min(1 << 16, max(records.paths, default=0) + 1)
    reserved = _reserved(records)
    for number in sorted(records.paths):
        raw = records.paths[number]
        region = records.regions.get(raw.region)
        if region is None or number >= len(rows) or number in reserved:
            continue
        place = _place(rows[raw.above] if raw.above < len(rows) else 0, region, raw.task)
        if place not in row_of:
            row_of[place] = len(paths)
            paths.append(place)
        rows[number] = row_of[place]
    threads = successions(records) or [[location] for location in records.locations.values()]
    numbers = {location.id: tid for tid, thread in enumerate(threads) for location in thread}
    for location in records.locations:
        numbers.setdefault(location, len(set(numbers.values())))
    host = records.texts.get("host", "")
    count = max(numbers.values(), default=0) + 1
    every = tuple(Thread("", host, 0, tid) for tid in range(count))
    return Places(tuple(paths), every, np.array(rows, np.int64), numbers)


def _reserved(records: Records) -> frozenset[int]:
    """Return the call paths below the program that no visit reached.

    The runtime has such a path for each function, whose visits within others of the same function
    it tells apart by it.
    """
    reached = {path for path, _ in records.sums}
    above = {path.above for path in records.paths.values()}
    return frozenset(
        number
        for number, path in records.paths.items()
        if reached and not path.above and number not in reached and number not in above
    )


COPYPRIVATE = "copyprivate"

_FUNCTION = int(DescriptorFlag.FUNCTION)


def _place(above: int, region: RawRegion, task: bool) -> Place:
    name, sub_name, file, clauses, _ = region.strings
    kind = "function" if region.flags & _FUNCTION else name
    sub_name = (
        sub_name or atomic_access(kind, clauses) or (COPYPRIVATE if is_copied(region) else "")
    )
    return Place(above, kind, sub_name, file, region.lines[0], task)


def within_team(paths: tuple[Place, ...]) -> npt.NDArray[np.bool_]:
    """Return, for each path, whether it is a parallel region's or below one."""
    inside = np.zeros(len(paths), np.bool_)
    for row, place in enumerate(paths):
        inside[row] = is_parallel(place.kind) or (place.above >= 0 and inside[place.above])
    return inside


def waits_for_kernels(paths: tuple[Place, ...]) -> npt.NDArray[np.bool_]:
    """Return, for each path, whether it is a wait for tasks of which all are kernels."""
    steps = [PathStep(place.above, place.kind, place.task) for place in paths]
    return np.array(kernel_tasks.waits_for_kernels(steps), np.bool_)


def in_target(paths: tuple[Place, ...]) -> npt.NDArray[np.bool_]:
    """Return, for each path, whether it is a target construct's or below one.

    The block of `target data` is the host's own.
    """
    inside = np.zeros(len(paths), np.bool_)
    for row, place in enumerate(paths):
        is_one = is_target(place.kind) and place.kind != "target data"
        inside[row] = is_one or (place.above >= 0 and inside[place.above])
    return inside
