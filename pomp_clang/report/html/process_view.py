"""Where the time of a job's processes went, as the page shows it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import fmean

from pomp_clang.analysis.alike import Likeness
from pomp_clang.analysis.differences import Difference
from pomp_clang.analysis.job import Job, Process
from pomp_clang.analysis.overheads import share
from pomp_clang.analysis.properties import lasting
from pomp_clang.experiment.model import Region
from pomp_clang.report.html.bars import Layer, Segment, bar, layers
from pomp_clang.report.mpi import SUMS
from pomp_clang.report.parts import PARTS, shown_parts
from pomp_clang.report.ranks import ranks_said
from pomp_clang.report.text_profile import MANY
from pomp_clang.report.wording import decimals_for, percent, seconds

HEIGHT = 200
"""Of the drawing of many processes, in its units."""

_Way = Callable[[Sequence[float]], float]

_WAYS: tuple[tuple[str, _Way], ...] = (("min", min), ("mean", fmean), ("max", max))


@dataclass(frozen=True, slots=True)
class ProcessRow:
    """A process, or one for all of a group: `ranks` says which."""

    rank: int
    ranks: str
    count: int
    duration: str
    threads: int
    bar: tuple[Segment, ...]
    shares: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Processes:
    """A row for each of few processes; of many the chart, and a row for each group.  A part has
    a style, a short name and a name."""

    parts: tuple[tuple[str, str, str], ...]
    chart: tuple[Layer, ...]
    rows: tuple[ProcessRow, ...]
    count: int


def processes_view(job: Job, like: Likeness) -> Processes:
    shown = shown_parts(*(each.run.parts() for each in job.processes))
    drawn = [[(part.style, each.run.parts()[part.key]) for part in shown] for each in job.processes]
    many = len(job.processes) > MANY
    ranks = [each.rank for each in job.processes]
    if many:
        rows = [(each.example, each.members) for each in like.groups]
    else:
        rows = [(place, (place,)) for place in range(len(ranks))]
    return Processes(
        tuple((part.style, part.key, part.name) for part in shown),
        tuple(layers(drawn, like.whole, HEIGHT)) if many else (),
        tuple(
            ProcessRow(
                ranks[place],
                ranks_said((ranks[each] for each in members), 6),
                len(members),
                lasting(job.processes[place].run.duration),
                job.processes[place].run.threads,
                bar(drawn[place], like.whole),
                tuple(
                    percent(share(value, job.processes[place].run.analysis.totalT))
                    for _, value in drawn[place]
                ),
            )
            for place, members in rows
        ),
        len(ranks),
    )


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of texts by a label; `note` is what else to know."""

    heads: tuple[str, ...]
    rows: tuple[tuple[str, tuple[str, ...]], ...]
    note: str = ""


def mpi_table(job: Job, threads: str) -> Table | None:
    """What each process did in MPI, or of many their spread."""
    if not any(each.run.experiment.mpi for each in job.processes):
        return None
    rows = [(str(each.rank), _calls(each)) for each in job.processes]
    note = ""
    if threads == "auto" and len(rows) > MANY:
        columns = list(zip(*(row for _, row in rows), strict=True))
        most = [rows[column.index(max(column))][0] for column in columns]
        said = ", ".join(f"{name} rank {rank}" for name, rank in zip(SUMS, most, strict=True))
        note = f"The largest are of: {said}."
        rows = [(label, tuple(way(column) for column in columns)) for label, way in _WAYS]
    rows.append(("SUM", tuple(float(getattr(job.mpi, name)) for name in SUMS)))
    decimals = decimals_for(row[0] for _, row in rows)
    return Table(
        SUMS,
        tuple(
            (label, (seconds(row[0], decimals), *(f"{value:.10g}" for value in row[1:])))
            for label, row in rows
        ),
        note,
    )


def _calls(process: Process) -> tuple[float, ...]:
    return tuple(float(getattr(process.mpi, name)) for name in SUMS)


@dataclass(frozen=True, slots=True)
class DifferenceRow:
    """Of a part of the time, or of a region; numbers as they are shown."""

    name: str
    style: str
    region: Region | None
    least: str
    least_rank: int
    median: str
    most: str
    most_rank: int
    difference: str
    share: str
    out: str


def difference_rows(
    found: Sequence[Difference], named: dict[str, Region], whole: float
) -> list[DifferenceRow]:
    decimals = decimals_for(each.most[0] for each in found)
    parts = {part.key: part for part in PARTS}
    rows = []
    for each in found:
        part = parts[each.what] if isinstance(each.what, str) else None
        rows.append(
            DifferenceRow(
                part.name if part else "",
                part.style if part else "",
                None if isinstance(each.what, str) else named[each.what.id],
                seconds(each.least[0], decimals),
                each.least[1],
                seconds(each.median, decimals),
                seconds(each.most[0], decimals),
                each.most[1],
                seconds(each.seconds, decimals),
                percent(share(each.seconds, whole)),
                ranks_said(each.out, 4),
            )
        )
    return rows
