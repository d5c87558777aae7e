"""The processes of a job as text: side by side, and every region over them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from pomp_clang.analysis.job import Job, Process, differences
from pomp_clang.analysis.overheads import share
from pomp_clang.analysis.profile import RegionProfile
from pomp_clang.experiment.model import Region
from pomp_clang.report.mpi import SUMS, library_of, total_facts
from pomp_clang.report.options import Options
from pomp_clang.report.parts import PARTS, shown_parts
from pomp_clang.report.sources import common_folder, named_from
from pomp_clang.report.table import Cell, Field, table
from pomp_clang.report.terminal import Terminal, printable
from pomp_clang.report.text import title
from pomp_clang.report.text_profile import MANY, region_header, thread_table
from pomp_clang.report.wording import (
    decimals_for,
    number,
    percent,
    place,
    seconds,
    what,
    wrapped,
)

_MOST_DIFFERENCES = 8

Way = Callable[[Sequence[float]], float]

_WAYS: tuple[tuple[str, Way], ...] = (
    ("min", min),
    ("mean", lambda values: sum(values) / len(values)),
    ("max", max),
)


def render(job: Job, options: Options, terminal: Terminal) -> str:
    sections = (
        ("General information", _general(job, terminal)),
        ("Processes (percent of each one's duration x threads)", _parts(job, options, terminal)),
        ("MPI of each process (all threads)", _mpi(job, options, terminal)),
        ("Differences between processes (seconds of all threads)", _differences(job, terminal)),
        ("Region profile over processes (all threads)", _regions(job, options, terminal)),
    )
    lines = [terminal.paint(text, "hot") for text in _warnings(job, terminal)]
    for heading, body in sections:
        lines += ["", *title(heading, terminal), "", *body]
    return "\n".join(lines).lstrip("\n") + "\n"


def _warnings(job: Job, terminal: Terminal) -> list[str]:
    said = list(job.missing)
    if len(job.processes) < job.size:
        said.append(f"Of {number(job.size, 'process')} {len(job.processes)} left data here.")
    early = [str(p.rank) for p in job.processes if not p.run.experiment.complete]
    if early:
        said.append(f"Incomplete: ended early: rank {', '.join(early)}.")
    return [line for text in said for line in wrapped(text, terminal.width)]


def _general(job: Job, terminal: Terminal) -> list[str]:
    first = job.processes[0].run.experiment
    hosts = sorted({each.run.experiment.host for each in job.processes} - {""})
    facts = [
        ("Program", first.program),
        ("Started", min(each.run.experiment.start for each in job.processes)),
        ("Duration", f"{seconds(job.duration, decimals_for([job.duration]))} s"),
        ("Processes", str(job.size)),
        ("Threads", str(sum(each.run.threads for each in job.processes))),
        ("Hosts", ", ".join(hosts) if len(hosts) <= MANY else str(len(hosts))),
    ]
    if first.mpi:
        facts += [("MPI library", library_of(first.mpi)), *total_facts(job.mpi, first.mpi.volume)]
    return [f"{terminal.paint(f'{name:<16}', 'dim')}{printable(text)}" for name, text in facts]


def _each_or_spread(
    job: Job, options: Options, values: Callable[[Process], tuple[float, ...]]
) -> tuple[list[tuple[str, tuple[float, ...]]], list[str]]:
    """A row for each process; of many, how far they lie apart, and who is furthest out."""
    rows = [(str(each.rank), values(each)) for each in job.processes]
    if options.threads == "all" or len(rows) <= MANY:
        return rows, []
    columns = list(zip(*(row for _, row in rows), strict=True))
    spread = [(label, tuple(way(column) for column in columns)) for label, way in _WAYS]
    most = [rows[column.index(max(column))][0] for column in columns]
    note = f"of {number(len(rows), 'process')}; the largest are of rank {', '.join(most)}"
    return spread, [note]


def _parts(job: Job, options: Options, terminal: Terminal) -> list[str]:
    shown = shown_parts(*(each.run.parts() for each in job.processes))

    def values(process: Process) -> tuple[float, ...]:
        run = process.run
        shares = (share(run.parts()[part.key], run.analysis.totalT) for part in shown)
        return (run.duration, float(run.threads), *shares)

    rows, note = _each_or_spread(job, options, values)
    decimals = decimals_for([job.duration])
    fields = [Field("rank"), Field("duration"), Field("threads")]
    fields += [Field(part.key) for part in shown]
    cells = [
        [
            Cell(label, "id"),
            Cell(seconds(duration, decimals)),
            Cell(f"{threads:g}"),
            *(Cell(percent(each)) for each in shares),
        ]
        for label, (duration, threads, *shares) in rows
    ]
    return [*table(terminal, fields, cells), *note]


def _mpi(job: Job, options: Options, terminal: Terminal) -> list[str]:
    if not any(each.run.experiment.mpi for each in job.processes):
        return ["No MPI calls were measured."]

    def values(process: Process) -> tuple[float, ...]:
        return tuple(float(getattr(process.mpi, name)) for name in SUMS)

    rows, note = _each_or_spread(job, options, values)
    rows.append(("SUM", tuple(float(getattr(job.mpi, name)) for name in SUMS)))
    decimals = decimals_for(row[0] for _, row in rows)
    cells = [
        [Cell(label, "id"), Cell(seconds(row[0], decimals)), *(_count(x) for x in row[1:])]
        for label, row in rows
    ]
    return [*table(terminal, [Field("rank"), *map(Field, SUMS)], cells), *note]


def _count(value: float) -> Cell:
    return Cell(f"{value:.0f}" if value == int(value) else f"{value:.1f}")


def _differences(job: Job, terminal: Terminal) -> list[str]:
    """Of the parts of their time and of regions: who has least and most, the largest first."""
    found = [each for each in differences(job) if each.seconds > 0]
    if len(job.processes) < 2 or not found:
        return ["There are none."]
    folder = common_folder(job.processes[0].run.experiment)
    decimals = decimals_for(each.most[0] for each in found)
    fields = [Field("", right=False), Field("least"), Field("rank"), Field("most"), Field("rank")]
    rows = []
    for each in found[:_MOST_DIFFERENCES]:
        cells = [Cell(_said(job, each.what, folder), "strong")]
        for value, rank in (each.least, each.most):
            cells += [Cell(seconds(value, decimals)), Cell(str(rank), "id")]
        rows.append([*cells, Cell(seconds(each.seconds, decimals))])
    return table(terminal, [*fields, Field("difference")], rows)


def _said(job: Job, subject: str | Region, folder: str) -> str:
    if isinstance(subject, str):
        return next(part.name for part in PARTS if part.key == subject)
    (region,) = named_from(
        replace(job.processes[0].run.experiment, regions=(subject,)), folder
    ).regions
    return f"{what(region)} {place(region)}"


def _regions(job: Job, options: Options, terminal: Terminal) -> list[str]:
    ran = sorted((each for each in job.regions if each.ran), key=lambda each: -each.execT)
    if not ran:
        return ["No region ran."]
    folder = common_folder(job.processes[0].run.experiment)
    lines = []
    for number_, profile in enumerate(ran[: options.top], 1):
        named = _named(job, profile, folder, number_)
        table_ = thread_table(named, options.threads, terminal, of="process")
        lines += ["", region_header(named.region, terminal), *table_]
    return lines[1:]


def _named(job: Job, profile: RegionProfile, folder: str, place: int) -> RegionProfile:
    """Ids differ from process to process: these are the report's own."""
    experiment = replace(job.processes[0].run.experiment, regions=(profile.region,))
    (region,) = named_from(experiment, folder).regions
    return replace(profile, region=replace(region, id=f"R{place:05d}"))
