"""The call paths as the page shows them: a tree that unfolds, and the same as a picture."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pomp_clang.analysis.callpaths import PathProfile, columns_at, row_of
from pomp_clang.analysis.columns import ReportColumn, columns_of
from pomp_clang.analysis.overheads import share
from pomp_clang.experiment.model import Experiment, Region
from pomp_clang.openmp.kinds import is_parallel
from pomp_clang.report.html.bars import STYLES, Segment, bar
from pomp_clang.report.html.regions import formatted_values
from pomp_clang.report.model import ProfileReport
from pomp_clang.report.phrases import decimals_for, percent, place, seconds, what
from pomp_clang.report.terminal import heat
from pomp_clang.report.text.callpaths import shown_callpaths
from pomp_clang.report.text.region_profile import MANY as MANY_THREADS

MOST = 1000
"""The page's limit of call paths; the ones with most time are kept."""

DETAILED = 200
"""The number of paths (with most time) that list more threads than `_FEW_THREADS`."""

_FEW_THREADS = 3

_OPEN = 40
_OPENED_SHARE = 0.01
"""Initially expanded: at most `_OPEN` call paths, each with at least this share of the program's
time."""

_NARROWEST = 0.002
_DEEPEST = 32
"""Limits of the picture: narrowest slice, deepest level."""

_INDENTED = 16
"""The deepest level that is indented."""


KINDS = {
    "work": "parallel regions",
    "tasks": "tasks",
    "sync": "waits and locks",
    "imbal": "work that is shared",
    "limpar": "single",
    "mgmt": "sections",
    "rest": "other",
}
"""The styles of the picture."""


@dataclass(frozen=True, slots=True)
class ThreadTimes:
    """`values` are those of the path's columns."""

    label: str
    inclusive: str
    exclusive: str
    values: tuple[str, ...]
    bar: tuple[Segment, ...]


@dataclass(frozen=True, slots=True)
class PathRow:
    """A call path.  `leaf` has no call path below it that is shown; `closes` is the number of
    levels that end behind it; `thread_times` is the title of the rows of its threads."""

    id: str
    region: Region
    name: str
    execC: int
    inclusive: str
    exclusive: str
    percent: str
    heat: str
    bar: tuple[Segment, ...]
    columns: tuple[str, ...]
    threads: tuple[ThreadTimes, ...]
    thread_times: str
    open: bool
    leaf: bool
    indented: bool
    closes: int


@dataclass(frozen=True, slots=True)
class PathSlice:
    """A path in the picture: `x` and `width` are percentages, `level` counts from the top."""

    id: str
    style: str
    x: float
    width: float
    level: int
    label: str
    tooltip: str


@dataclass(frozen=True, slots=True)
class CallPathsView:
    rows: tuple[PathRow, ...]
    slices: tuple[PathSlice, ...]
    levels: int
    styles: tuple[str, ...]
    notes: tuple[str, ...]


def callpaths_view(report: ProfileReport) -> CallPathsView:
    """Select the `MOST` call paths with most time and lay out their tree and picture."""
    experiment, named, total = report.experiment, report.named, report.analysis.totalT
    shown_paths, notes = shown_callpaths(
        report.callpaths, MOST, total, experiment.folded_callpaths, "--format json"
    )
    slices = _slices(shown_paths, named, total)
    return CallPathsView(
        rows=_rows(experiment, shown_paths, named, total),
        slices=slices,
        levels=1 + max((s.level for s in slices), default=0),
        styles=tuple(dict.fromkeys(s.style for s in slices)),
        notes=tuple(notes),
    )


def _rows(
    experiment: Experiment,
    paths: Sequence[PathProfile],
    named: dict[str, Region],
    total: float,
) -> tuple[PathRow, ...]:
    decimals = decimals_for(p.inclusive for p in paths)
    longest = max((p.inclusive for p in paths), default=0.0)
    inner = {p.path.above for p in paths}
    large = [p for p in paths if p.path.id in inner and share(p.inclusive, total) >= _OPENED_SHARE]
    large.sort(key=lambda p: -p.inclusive)
    opened = {p.path.id for p in large[:_OPEN]}
    ranked = sorted(paths, key=lambda p: -p.inclusive)
    detailed = {p.path.id for p in ranked[:DETAILED]}
    depths = [*(p.depth for p in paths[1:]), *([0] if paths else [])]
    rows = []
    for path, following in zip(paths, depths, strict=True):
        part = share(path.exclusive, total)
        many = MANY_THREADS if path.path.id in detailed else _FEW_THREADS
        columns = columns_at(experiment, path)
        rows.append(
            PathRow(
                id=path.path.id,
                region=named[path.region.id],
                name=what(named[path.region.id], path.path.task),
                execC=path.execC,
                inclusive=seconds(path.inclusive, decimals),
                exclusive=seconds(path.exclusive, decimals),
                percent=percent(part),
                heat=heat(part),
                bar=_bar(path.inclusive, path.exclusive, longest),
                columns=tuple(column.name for column in columns),
                threads=_thread_rows(experiment, path, columns, decimals, many),
                thread_times="each thread" if len(path.threads) <= many else "the threads' spread",
                open=path.path.id in opened,
                leaf=path.path.id not in inner,
                indented=path.depth < _INDENTED,
                closes=max(0, path.depth - following),
            )
        )
    return tuple(rows)


def _bar(inclusive: float, exclusive: float, longest: float) -> tuple[Segment, ...]:
    return bar([("own", exclusive), ("below", max(0.0, inclusive - exclusive))], longest)


def _thread_rows(
    experiment: Experiment,
    path: PathProfile,
    columns: tuple[ReportColumn, ...],
    decimals: int,
    many: int,
) -> tuple[ThreadTimes, ...]:
    """Return a row per thread; of more than `many`, the rows with the least, the median and the
    most time."""
    threads = path.threads
    longest = max((thread.inclusive for thread in threads), default=0.0)
    picked = [(str(thread.tid), thread) for thread in threads]
    if len(threads) > many:
        ranked = sorted(threads, key=lambda visits: visits.inclusive)
        chosen = (("least", ranked[0]), ("median", ranked[len(ranked) // 2]), ("most", ranked[-1]))
        picked = [(f"{visits.tid} ({label})", visits) for label, visits in chosen]
    return tuple(
        ThreadTimes(
            label,
            seconds(visits.inclusive, decimals),
            seconds(visits.exclusive, decimals),
            formatted_values(columns, row_of(experiment, path, columns, visits).values, decimals),
            _bar(visits.inclusive, visits.exclusive, longest),
        )
        for label, visits in picked
    )


def _slices(
    paths: Sequence[PathProfile], named: dict[str, Region], total: float
) -> tuple[PathSlice, ...]:
    """Place each path below its parent, as wide as its share of the program's time."""
    outermost = sum(p.inclusive for p in paths if p.path.above is None)
    width = max(total, outermost)
    free: dict[str | None, float] = {None: 0.0}
    slices = []
    for path in paths:
        above = path.path.above
        if above not in free:
            continue
        x, part = free[above], share(path.inclusive, width)
        free[above] = x + part
        if part < _NARROWEST or path.depth >= _DEEPEST:
            continue
        free[path.path.id] = x
        region = named[path.region.id]
        name = what(region, path.path.task)
        exclusive = percent(share(path.exclusive, width))
        slices.append(
            PathSlice(
                path.path.id,
                _style(region.kind),
                round(100 * x, 2),
                round(100 * part, 2),
                path.depth,
                f"{name} {place(region)}",
                f"{name}, {place(region)}: {percent(part)} %, {exclusive} % its own",
            )
        )
    return tuple(slices)


def _style(kind: str) -> str:
    """Choose the style by the overhead that regions of this kind have; parallel regions and
    tasks have styles of their own."""
    if is_parallel(kind):
        return "work"
    if kind == "task":
        return "tasks"
    losses = [column.overhead for column in columns_of(kind) if column.overhead is not None]
    return STYLES[losses[0]] if losses else "rest"
