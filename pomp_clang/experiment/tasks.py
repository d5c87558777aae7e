"""Tasks: those of a taskloop, and the time that tasks were suspended."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pomp_clang.experiment.layout import Column, FrameFlag, FrameKind
from pomp_clang.experiment.records import OpenFrame, Records


def is_task_of_loop(records: Records, path: int) -> bool:
    """Return True if a taskloop's own tasks run on this call path."""
    frame = records.paths.get(path)
    if frame is None or not frame.task or frame.region not in records.regions:
        return False
    return "taskloop" in records.regions[frame.region].strings[0]


def in_body(records: Records, path: int, row: list[int]) -> None:
    """Add the time that a combined taskloop makes tasks and waits for them to its body time."""
    frame = records.paths.get(path)
    kind = (
        records.regions[frame.region].strings[0]
        if frame and frame.region in records.regions
        else ""
    )
    if kind.startswith("parallel") and "taskloop" in kind:
        row[Column.BODY_T] += row[Column.CREATE_T] + row[Column.ENTER_T]
        row[Column.CREATE_T] = row[Column.ENTER_T] = 0


def suspended_times(frames: Sequence[OpenFrame], end: int) -> Iterator[tuple[OpenFrame, int]]:
    """Yield each frame, newest first, with the ticks up to `end` in which it was suspended.

    This is the runtime's rule. A wait in an explicit task suspends the frames around it, up to the
    task's own frame, while other tasks run in the wait. The wait itself is suspended while those
    are.
    """
    elapsed = suspended = 0
    above: OpenFrame | None = None
    for frame in reversed(frames):
        if above is None or above.kind != FrameKind.TASK:
            suspended = elapsed
        else:
            suspends = bool(above.flags & FrameFlag.SUSPENDS)
            elapsed = max(0, end - above.since) if suspends else 0
            if not above.flags & FrameFlag.SWITCHED:
                suspended = elapsed
            elif suspends or frame.kind == FrameKind.WAIT:
                suspended += above.start - above.since
            else:
                suspended = 0
        yield frame, suspended
        elapsed += frame.away
        above = frame
