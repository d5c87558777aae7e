"""The content of a timeline, of one process or several."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from pomp_clang.causes.run.thread_timeline import ThreadTimeline
from pomp_clang.report.page.packed_columns import Pack
from pomp_clang.report.page.timeline.devices import DeviceRow
from pomp_clang.report.page.timeline.marks import InstanceMarks
from pomp_clang.report.page.timeline.states import Span


def _no_more(_: Pack) -> dict[str, Any]:
    return {}


@dataclass(frozen=True, slots=True)
class Scene:
    """The content of a time line. `timelines` are in the order of `span.threads`; `more` returns the
    other JSON keys of the page. The rows of `devices` follow."""

    span: Span
    timelines: tuple[ThreadTimeline, ...]
    marks: list[InstanceMarks]
    more: Callable[[Pack], dict[str, Any]] = _no_more
    devices: tuple[DeviceRow, ...] = ()
