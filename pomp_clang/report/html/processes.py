"""The time of a job's processes, as the page shows it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pomp_clang.analysis.job import JobProfile, ProcessProfile
from pomp_clang.analysis.job.process_similarity import Difference, Likeness
from pomp_clang.analysis.overheads import share
from pomp_clang.analysis.properties import lasting
from pomp_clang.experiment.model import Region
from pomp_clang.report.html.bars import Layer, Segment, bar, layers, time_parts
from pomp_clang.report.phrases import decimals_for, percent, seconds
from pomp_clang.report.process_phrases import ranks_text, spread_rows
from pomp_clang.report.run_facts import SUMS
from pomp_clang.report.text.region_profile import MANY
from pomp_clang.report.time_parts import PARTS, shown_parts

HEIGHT = 200
"""Size of the drawing of many processes, in its units."""


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
class ProcessesView:
    """A row for each of few processes; of many the chart, and a row for each group.  A part has
    a style, a short name and a name."""

    parts: tuple[tuple[str, str, str], ...]
    chart: tuple[Layer, ...]
    rows: tuple[ProcessRow, ...]
    count: int


def processes_view(job: JobProfile, similarity: Likeness) -> ProcessesView:
    parts = shown_parts(*(process.run.parts() for process in job.processes))
    drawn = [time_parts(process.run.parts(), parts) for process in job.processes]
    many = len(job.processes) > MANY
    ranks = [process.rank for process in job.processes]
    if many:
        rows = [(group.example, group.members) for group in similarity.groups]
    else:
        rows = [(place, (place,)) for place in range(len(ranks))]
    return ProcessesView(
        tuple((part.style, part.key, part.name) for part in parts),
        tuple(layers(drawn, similarity.longest_total, HEIGHT)) if many else (),
        tuple(
            ProcessRow(
                ranks[place],
                ranks_text((ranks[member] for member in members), 6),
                len(members),
                lasting(job.processes[place].run.duration),
                job.processes[place].run.threads,
                bar(drawn[place], similarity.longest_total),
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
class ProcessTable:
    """Rows of texts by a label; `note` is what else to know."""

    heads: tuple[str, ...]
    rows: tuple[tuple[str, tuple[str, ...]], ...]
    note: str = ""


def mpi_table(job: JobProfile, threads: str) -> ProcessTable | None:
    """List the MPI calls of each process or, of many processes, their spread."""
    if not any(process.run.experiment.mpi for process in job.processes):
        return None
    rows = [(str(process.rank), _calls(process)) for process in job.processes]
    note = ""
    if threads == "auto" and len(rows) > MANY:
        columns = list(zip(*(row for _, row in rows), strict=True))
        longest = [rows[column.index(max(column))][0] for column in columns]
        extremes = ", ".join(
            f"{name} rank {rank}" for name, rank in zip(SUMS, longest, strict=True)
        )
        note = f"The largest are of: {extremes}."
        rows = spread_rows(row for _, row in rows)
    rows.append(("SUM", tuple(float(getattr(job.mpi, name)) for name in SUMS)))
    decimals = decimals_for(row[0] for _, row in rows)
    return ProcessTable(
        SUMS,
        tuple(
            (label, (seconds(row[0], decimals), *(f"{value:.10g}" for value in row[1:])))
            for label, row in rows
        ),
        note,
    )


def _calls(process: ProcessProfile) -> tuple[float, ...]:
    return tuple(float(getattr(process.mpi, name)) for name in SUMS)


@dataclass(frozen=True, slots=True)
class DifferenceRow:
    """The differences of a part of the time, or of a region; numbers as they are shown."""

    name: str
    style: str
    region: Region | None
    minimum: str
    least_rank: int
    median: str
    maximum: str
    most_rank: int
    difference: str
    share: str
    out: str


def difference_rows(
    differences: Sequence[Difference], named: dict[str, Region], total: float
) -> list[DifferenceRow]:
    decimals = decimals_for(difference.maximum[0] for difference in differences)
    parts = {part.key: part for part in PARTS}
    rows = []
    for difference in differences:
        part = parts[difference.subject] if isinstance(difference.subject, str) else None
        rows.append(
            DifferenceRow(
                part.name if part else "",
                part.style if part else "",
                None if isinstance(difference.subject, str) else named[difference.subject.id],
                seconds(difference.minimum[0], decimals),
                difference.minimum[1],
                seconds(difference.median, decimals),
                seconds(difference.maximum[0], decimals),
                difference.maximum[1],
                seconds(difference.seconds, decimals),
                percent(share(difference.seconds, total)),
                ranks_text(difference.out, 4),
            )
        )
    return rows
