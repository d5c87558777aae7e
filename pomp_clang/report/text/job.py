"""The processes of a job as text: side by side, and every region over them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from pomp_clang.analysis.job import JobProfile, ProcessProfile
from pomp_clang.analysis.job.job_results import devices_of_job
from pomp_clang.analysis.job.process_similarity import Difference, Likeness, differences, likeness
from pomp_clang.analysis.overheads import share
from pomp_clang.experiment.model import Region
from pomp_clang.experiment.source_folder import common_folder
from pomp_clang.report.job_facts import job_conditions, job_facts, joined_regions, named_regions
from pomp_clang.report.options import Options
from pomp_clang.report.phrases import (
    TIME_PARTS,
    decimals_for,
    number,
    percent,
    place,
    seconds,
    shown_parts,
    what,
    wrapped,
)
from pomp_clang.report.process_phrases import ranks_text, sentences, spread_rows
from pomp_clang.report.run_facts import SUMS
from pomp_clang.report.sections import ReportSection, render_sections
from pomp_clang.report.terminal import Terminal, printable
from pomp_clang.report.text.region_profile import MANY, region_header, thread_table
from pomp_clang.report.text.table import Cell, Field, table
from pomp_clang.report.text.target import target_section

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pomp_clang.report.page.causes import Causes

_MOST_DIFFERENCES = 8
_MOST_CAUSES = 10


@dataclass(frozen=True, slots=True)
class ShownJob:
    """A job with the options and the terminal for which its sections are rendered; `causes` is a
    text if they could not be computed."""

    job: JobProfile
    options: Options
    terminal: Terminal
    causes: Causes | str | None
    folder: str


def render(
    job: JobProfile, options: Options, terminal: Terminal, causes: Causes | str | None = None
) -> str:
    """Render the first screen, or the sections asked for; `causes` is a text if they could not be
    computed."""
    options = options.with_rows("processes", "mpi", "regions")
    if options.one_screen:
        from pomp_clang.report.text.job_screen import job_screen

        return job_screen(job, options, terminal, causes)
    context = ShownJob(job, options, terminal, causes, common_folder(joined_regions(job)))
    lines = [
        terminal.paint(line, note.role)
        for note in job_conditions(job)
        for line in wrapped(note.text, terminal.width)
    ]
    lines += [terminal.paint(causes, "hot")] if isinstance(causes, str) else []
    lines = [] if options.sections else lines
    return render_sections(SECTIONS, context, options.sections, terminal, lines)


def _causes(context: ShownJob) -> list[str]:
    """Render the worst causes of a job with a trace."""
    causes, terminal = context.causes, context.terminal
    if causes is None or isinstance(causes, str):
        return []
    from pomp_clang.causes.cube.cube import named_from
    from pomp_clang.report.text.causes import worst_findings

    causes_ = causes.findings[: context.options.at_most(_MOST_CAUSES)]
    body = list(worst_findings(named_from(causes.cube, context.folder), causes_, terminal))
    notes = [line for text in causes.notes for line in wrapped(text, terminal.width, "")]
    return [*notes, *body]


def _general(job: JobProfile, folder: str, terminal: Terminal) -> list[str]:
    duration = f"{seconds(job.duration, decimals_for([job.duration]))} s"
    facts = [*job_facts(job, duration), ("Sources", folder)]
    return [
        f"{terminal.paint(f'{name:<16}', 'dim')}{printable(text)}" for name, text in facts if text
    ]


def _similarity(job: JobProfile, similarity: Likeness, terminal: Terminal) -> list[str]:
    lines = [
        line for text in sentences(job, similarity) for line in wrapped(text, terminal.width, "")
    ]
    if similarity.are_similar:
        return lines
    ranks = [process.rank for process in job.processes]
    rows = [
        [
            Cell(str(len(group.members))),
            Cell(str(ranks[group.example]), "id"),
            Cell(ranks_text(ranks[place] for place in group.members)),
        ]
        for group in similarity.groups
    ]
    fields = [Field("processes"), Field("like rank"), Field("ranks", right=False, elastic="right")]
    return [*lines, "", *table(terminal, fields, rows)]


def _each_or_spread(
    job: JobProfile, options: Options, values: Callable[[ProcessProfile], tuple[float, ...]]
) -> tuple[list[tuple[str, tuple[float, ...]]], list[str]]:
    """Return a row per process or, of many, their spread and notes on the outliers."""
    rows = [(str(process.rank), values(process)) for process in job.processes]
    if options.threads == "all" or len(rows) <= MANY:
        return rows, []
    columns = list(zip(*(row for _, row in rows), strict=True))
    longest = [rows[column.index(max(column))][0] for column in columns]
    note = f"of {number(len(rows), 'process')}; the largest are of rank {', '.join(longest)}"
    return spread_rows(row for _, row in rows), [note]


def _parts(job: JobProfile, options: Options, terminal: Terminal) -> list[str]:
    parts = shown_parts(*(process.run.parts() for process in job.processes))

    def values(process: ProcessProfile) -> tuple[float, ...]:
        run = process.run
        shares = (share(run.parts()[part.key], run.analysis.totalT) for part in parts)
        return (run.duration, float(run.threads), *shares)

    rows, note = _each_or_spread(job, options, values)
    decimals = decimals_for([job.duration])
    fields = [Field("rank"), Field("duration"), Field("threads")]
    fields += [Field(part.key) for part in parts]
    cells = [
        [
            Cell(label, "id"),
            Cell(seconds(duration, decimals)),
            Cell(f"{threads:g}"),
            *(Cell(percent(part)) for part in shares),
        ]
        for label, (duration, threads, *shares) in rows
    ]
    return [*table(terminal, fields, cells), *note]


def _mpi(job: JobProfile, options: Options, terminal: Terminal) -> list[str]:
    if not any(process.run.experiment.mpi for process in job.processes):
        return ["No MPI calls were measured."]

    def values(process: ProcessProfile) -> tuple[float, ...]:
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


def _differences(job: JobProfile, terminal: Terminal) -> list[str]:
    """Render the differences between processes in parts and regions: least and most, the largest
    first."""
    differences_ = [difference for difference in differences(job) if difference.seconds > 0]
    if len(job.processes) < 2 or not differences_:
        return ["There are none."]
    named = named_regions(job)
    decimals = decimals_for(difference.maximum[0] for difference in differences_)
    fields = [Field("", right=False), Field("least"), Field("rank"), Field("median")]
    fields += [Field("most"), Field("rank"), Field("difference")]
    rows = []
    for listed in differences_[:_MOST_DIFFERENCES]:
        cells = [Cell(_subject_text(listed.subject, named), "strong")]
        cells += [Cell(seconds(listed.minimum[0], decimals)), Cell(str(listed.minimum[1]), "id")]
        cells += [Cell(seconds(listed.median, decimals))]
        cells += [Cell(seconds(listed.maximum[0], decimals)), Cell(str(listed.maximum[1]), "id")]
        rows.append([*cells, Cell(seconds(listed.seconds, decimals))])
    return [
        *table(terminal, fields, rows),
        *_outliers(differences_[:_MOST_DIFFERENCES], named, terminal),
    ]


def _outliers(
    differences: list[Difference], named: dict[str, Region], terminal: Terminal
) -> list[str]:
    phrases = [
        f"far from all others in {_subject_text(difference.subject, named)}: rank {ranks_text(difference.out)}"
        for difference in differences
        if difference.out
    ]
    return [
        terminal.paint(line, "dim") for text in phrases for line in wrapped(text, terminal.width)
    ]


def _subject_text(subject: str | Region, named: dict[str, Region]) -> str:
    if isinstance(subject, str):
        return next(part.name for part in TIME_PARTS if part.key == subject)
    region = named[subject.id]
    return f"{what(region)} {place(region)}"


def _regions(job: JobProfile, options: Options, terminal: Terminal) -> list[str]:
    executed = sorted(
        (region for region in job.regions if region.ran), key=lambda region: -region.execT
    )
    if not executed:
        return ["No region ran."]
    named = named_regions(job)
    lines = []
    for profile in executed[: options.top]:
        named_profile = replace(profile, region=named[profile.region.id])
        table_ = thread_table(named_profile, options.threads, terminal, unit="process")
        lines += ["", region_header(named_profile.region, terminal), *table_]
    return lines[1:]


SECTIONS: tuple[ReportSection[ShownJob], ...] = (
    ReportSection(
        "general",
        "General information",
        lambda context: _general(context.job, context.folder, context.terminal),
    ),
    ReportSection("causes", "Causes (thread P.N is thread N of process P)", _causes),
    ReportSection(
        "alike",
        "Do the processes behave alike?",
        lambda context: _similarity(context.job, likeness(context.job), context.terminal),
    ),
    ReportSection(
        "processes",
        "Processes (percent of each one's duration x threads)",
        lambda context: _parts(context.job, context.options, context.terminal),
    ),
    ReportSection(
        "mpi",
        "MPI of each process (all threads)",
        lambda context: _mpi(context.job, context.options, context.terminal),
    ),
    ReportSection(
        "target",
        "Target constructs (all processes: launches, transfers and allocations)",
        lambda context: target_section(
            devices_of_job(context.job),
            named_regions(context.job),
            context.options,
            context.terminal,
        ),
    ),
    ReportSection(
        "differences",
        "Differences between processes (seconds of all threads)",
        lambda context: _differences(context.job, context.terminal),
    ),
    ReportSection(
        "regions",
        "Region profile over processes (all threads)",
        lambda context: _regions(context.job, context.options, context.terminal),
    ),
)
"""All sections, from top to bottom."""
