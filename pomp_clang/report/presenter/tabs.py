"""The tabs of a page beside its causes and its profile."""

from __future__ import annotations

from pomp_clang.causes.run import Progress
from pomp_clang.progress import Bar
from pomp_clang.report.presenter.causes import Causes
from pomp_clang.report.presenter.page import Tab
from pomp_clang.report.presenter.parts import Parts
from pomp_clang.report.presenter.timeline.content import drawn, parts_of
from pomp_clang.trace.window import Window


def tabs_of(causes: Causes, window: Window | None = None) -> tuple[Tab, ...]:
    """The time line, where there is a trace, which is seen first where a time of it is asked for;
    `window` is of `timeline.parts_of`.

    Raises ReportError.
    """
    bar = Bar("time line")
    try:
        parts = _timeline(causes, window, bar)
    finally:
        bar.end()
    if parts is None:
        return ()
    return (Tab("view-timeline", "Time line", parts, first=window is not None),)


def _timeline(causes: Causes, window: Window | None, progress: Progress) -> Parts | None:
    kinds = list(causes.kinds)
    if causes.of_job is not None:
        from pomp_clang.report.presenter.timeline.job import scene_of_job

        return drawn(scene_of_job(causes.of_job, kinds, progress), window, progress)
    return parts_of(causes.run, kinds, window, progress) if causes.run is not None else None
