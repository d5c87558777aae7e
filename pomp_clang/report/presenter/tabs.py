"""The tabs of a page beside its causes and its profile."""

from __future__ import annotations

from pomp_clang.progress import Bar
from pomp_clang.report.presenter.causes import Causes
from pomp_clang.report.presenter.page import Tab
from pomp_clang.report.presenter.timeline import Window, parts_of


def tabs_of(causes: Causes, window: Window | None = None) -> tuple[Tab, ...]:
    """The time line, where there is a trace; `window` is of `timeline.parts_of`.

    Raises ReportError.
    """
    if causes.run is None:
        return ()
    bar = Bar()
    try:
        parts = parts_of(causes.run, list(causes.kinds), window, bar)
    finally:
        bar.end()
    return (Tab("view-timeline", "Time line", parts),)
