"""The tabs of a page beside its causes and its profile."""

from __future__ import annotations

from pomp_clang.causes.run.run import Progress
from pomp_clang.progress import Bar
from pomp_clang.report.page.causes import Causes
from pomp_clang.report.page.render import Tab
from pomp_clang.report.page.tab_content import TabContent
from pomp_clang.report.page.timeline.content import drawn, parts_of
from pomp_clang.trace.window import Window


def tabs_of(causes: Causes, window: Window | None = None) -> tuple[Tab, ...]:
    """Build the tab of the timeline if there is a trace; it opens first if a window of time was
    asked for.

    `window` is as in `timeline.parts_of`. Raises ReportError.
    """
    bar = Bar("time line")
    try:
        parts = _timeline(causes, window, bar)
    finally:
        bar.end()
    if parts is None:
        return ()
    return (Tab("view-timeline", "Time line", parts, first=window is not None),)


def _timeline(causes: Causes, window: Window | None, progress: Progress) -> TabContent | None:
    kinds = list(causes.kinds)
    if causes.of_job is not None:
        from pomp_clang.report.page.timeline.job import scene_of_job

        return drawn(scene_of_job(causes.of_job, kinds, progress), window, progress)
    return parts_of(causes.run, kinds, window, progress) if causes.run is not None else None
