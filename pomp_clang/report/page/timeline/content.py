"""The tab of the timeline: threads as rows, their activities, and the instances of
inefficiencies."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from pomp_clang.causes.properties.property import Property
from pomp_clang.causes.run.run import Progress, Run, silent
from pomp_clang.causes.run.thread_timeline import ThreadTimeline, thread_timelines_of
from pomp_clang.causes.timeline.activity import Activity
from pomp_clang.causes.timeline.columns import distinct
from pomp_clang.progress import Bar
from pomp_clang.report.output import ReportError
from pomp_clang.report.page.causes import Causes
from pomp_clang.report.page.packed_columns import Pack
from pomp_clang.report.page.render import Tab, TabContent
from pomp_clang.report.page.timeline import interval_blocks
from pomp_clang.report.page.timeline import marks as marking
from pomp_clang.report.page.timeline.bins import bins_of, widths
from pomp_clang.report.page.timeline.devices import device_rows, packed_devices
from pomp_clang.report.page.timeline.interval_blocks import Windows, blocks_of
from pomp_clang.report.page.timeline.scene import Scene
from pomp_clang.report.page.timeline.states import (
    DEVICE_ACTIVITIES,
    GROUPS,
    WORK,
    Span,
    States,
    states_of,
)
from pomp_clang.trace.model import Window, WindowError, phrase_of, within

BINS = 1 << 19
"""Bins of all threads together, at the finest level."""

SCRIPTS = (
    "blocks.js", "data.js", "rows.js", "words.js",
    "messages.js", "marks.js", "colours.js", "shares.js",
    "draw.js", "map.js", "view.js", "status.js",
    "input.js", "timeline.js",
)  # fmt: skip
"""They run in one function, which keeps their names private."""

_HERE = Path(__file__).parent


def parts_of(
    run: Run,
    kinds: list[type[Property]],
    window: Window | None = None,
    progress: Progress = silent,
) -> TabContent:
    """Build the timeline of an analyzed run; `window` is the time that is shown first, event by
    event.

    Raises ReportError if the window has more events than a page can hold.
    """
    progress("time line", 0)
    timelines = thread_timelines_of(run)  # instances are taken from these, if they are there
    marks = marking.marks_of(run, kinds, progress)
    devices = device_rows(
        run, run.threads[0], np.arange(len(run.paths)), lambda ticks: ticks, run.start, run.end
    )
    scene = Scene(run, timelines, marks, devices=tuple(devices))
    return drawn(scene, window, progress)


def drawn(scene: Scene, window: Window | None = None, progress: Progress = silent) -> TabContent:
    """Build the timeline of a scene; raises ReportError as `parts_of` does."""
    run, marks = scene.span, scene.marks
    timelines = (*scene.timelines, *(row.timeline for row in scene.devices))
    states = states_of(run, timelines)
    pack = Pack()
    total = sum(len(timeline.begin) for timeline in timelines)
    windows = _windows(run, timelines, marks, total, window)
    rows_of_blocks, blocks = blocks_of(timelines, states, windows, run.start, pack)
    about: dict[str, Any] = {
        "second": run.second,
        "duration": run.end - run.start,
        "threads": [
            *(asdict(thread) for thread in run.threads),
            *(row.named() for row in scene.devices),
        ],
        "paths": [asdict(path) for path in run.paths],
        "activities": [*(activity.name.lower() for activity in Activity), *DEVICE_ACTIVITIES],
        "groups": GROUPS,
        "work": WORK,
        "states": {
            "path": pack.add(states.path),
            "activity": pack.add(states.activity),
            "group": pack.add(states.group),
        },
        "events": total,
        "whole": windows is None,
        "window": window and (window[0], min(window[1], run.duration)),
        "bound": interval_blocks.WHOLE,
        "windows": [pack.add(column) for column in _windows_in_ticks(run, windows)],
        "blocks": rows_of_blocks,
        "marks": marking.packed(run, marks, pack),
        "levels": _levels(run, timelines, states, pack, progress),
        "moved": packed_devices(scene.devices, len(scene.timelines), run.start, pack),
        **scene.more(pack),
    }
    return TabContent(
        html=_html(states),
        data={
            "timeline-about": json.dumps(about, ensure_ascii=True, separators=(",", ":")).encode(),
            "timeline-columns": pack.content(),
            **blocks,
        },
        script="\n".join(("(() => {", '"use strict";', *map(_text, SCRIPTS), "})();\n")),
        style=_text("timeline.css"),
    )


def _html(states: States) -> str:
    """Fill the template; the legend has only the groups that occur."""
    seen = {GROUPS[group] for group in distinct(states.group)}
    unseen = [f'class="tl-{name}"' for name in GROUPS if name not in seen]
    lines = _text("timeline.html").splitlines(keepends=True)
    return "".join(line for line in lines if not any(state in line for state in unseen))


def _text(name: str) -> str:
    return (_HERE / name).read_text(encoding="utf-8")


def _windows(
    run: Span,
    timelines: tuple[ThreadTimeline, ...],
    marks: list[marking.InstanceMarks],
    total: int,
    window: Window | None,
) -> Windows | None:
    """Choose the windows in which the page has each interval; None if that is everywhere."""
    is_whole = total <= interval_blocks.WHOLE
    if window is None:
        return None if is_whole else interval_blocks.around_worst(timelines, marks)
    try:
        since, until = within(window, run.duration)
    except WindowError as error:
        raise ReportError(str(error)) from error
    if is_whole:
        return None
    begin, end = (np.array([run.start + round(moment * run.second)]) for moment in (since, until))
    count = int(interval_blocks.count_of(timelines, begin, end)[0])
    if count > interval_blocks.WHOLE:
        phrase = phrase_of((since, until))
        raise ReportError(
            f"{phrase} there are {count} events: name a shorter time, of at most {interval_blocks.WHOLE}"
        )
    return begin, end


def _windows_in_ticks(run: Span, windows: Windows | None) -> Windows:
    """Convert the windows to ticks since the start."""
    if windows is None:
        return np.array([0]), np.array([run.end - run.start])
    return np.maximum(0, windows[0] - run.start), np.maximum(0, windows[1] - run.start)


def _levels(
    run: Span, timelines: tuple[ThreadTimeline, ...], states: States, pack: Pack, progress: Progress
) -> list[dict[str, Any]]:
    """Build the levels, the coarsest first; only the finest has ticks, and the page sums them
    up."""
    longest = max((len(timeline.begin) for timeline in timelines), default=0)
    finest = max(1, min(longest, BINS // max(1, len(timelines))))
    bin_widths = widths(run.end - run.start, finest)
    bins = []
    for number, (timeline, state) in enumerate(zip(timelines, states.timelines, strict=True)):
        progress("time line", number / len(timelines))
        bins.append(bins_of(timeline, state, states, run.start, bin_widths))
    levels: list[dict[str, Any]] = []
    for number, width in enumerate(bin_widths):
        largest = [of.largest_states[number] for of in bins]
        column = np.concatenate([np.zeros((0, 2), np.uint32), *largest])
        levels.append(
            {
                "width": width,
                "bins": len(largest[0]) if largest else 0,
                "most": [pack.add(column[:, side] + np.uint32(1)) for side in (0, 1)],
            }
        )
    none = np.zeros(0, np.uint64)
    levels[-1]["ticks"] = [
        pack.add(np.concatenate([none, *(of.ticks[:, group] for of in bins)]))
        for group in range(len(GROUPS))
    ]
    return levels


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
