"""Tasks: which are a taskloop's own, and for how long one stood still while others ran in its
place."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pomp_clang.experiment.layout import Column, FrameFlag, FrameKind
from pomp_clang.experiment.records import Frame, Records


def is_task_of_loop(records: Records, path: int) -> bool:
    """Whether on this call path a taskloop's own tasks run, of which its region is that, too."""
    here = records.paths.get(path)
    if here is None or not here.task or here.region not in records.regions:
        return False
    return "taskloop" in records.regions[here.region].strings[0]


def in_body(records: Records, path: int, row: list[int]) -> None:
    """What a region that is combined with a taskloop takes to make its tasks, and waits for them,
    is part of its body."""
    here = records.paths.get(path)
    kind = (
        records.regions[here.region].strings[0] if here and here.region in records.regions else ""
    )
    if kind.startswith("parallel") and "taskloop" in kind:
        row[Column.BODY_T] += row[Column.CREATE_T] + row[Column.ENTER_T]
        row[Column.CREATE_T] = row[Column.ENTER_T] = 0


def stood_still(frames: Sequence[Frame], end: int) -> Iterator[tuple[Frame, int]]:
    """Each frame, the newest first, with the ticks up to `end` that are not its time.

    As the runtime closes them: what is around a wait in an explicit task stands still while
    others run in the wait, up to the task's own frame; a wait while these stand still.
    """
    passed = still = 0
    above: Frame | None = None
    for frame in reversed(frames):
        if above is None or above.kind != FrameKind.TASK:
            still = passed
        else:
            suspends = bool(above.flags & FrameFlag.SUSPENDS)
            passed = max(0, end - above.since) if suspends else 0
            if not above.flags & FrameFlag.SWITCHED:
                still = passed
            elif suspends or frame.kind == FrameKind.WAIT:
                still += above.start - above.since
            else:
                still = 0
        yield frame, still
        passed += frame.away
        above = frame
