"""The processes of a job as text: side by side, and every region over them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from pomp_clang.analysis.alike import Likeness, likeness
from pomp_clang.analysis.differences import Difference, differences
from pomp_clang.analysis.job import Job, Process
from pomp_clang.analysis.overheads import share
from pomp_clang.experiment.model import Region
from pomp_clang.report.job_about import job_facts, job_warnings, joined_regions, named_regions
from pomp_clang.report.likeness import sentences
from pomp_clang.report.mpi import SUMS
from pomp_clang.report.options import Options
from pomp_clang.report.parts import PARTS, shown_parts
from pomp_clang.report.ranks import ranks_said
from pomp_clang.report.sources import common_folder
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

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pomp_clang.report.presenter.causes import Causes

_MOST_DIFFERENCES = 8
_MOST_CAUSES = 10

Way = Callable[[Sequence[float]], float]

_WAYS: tuple[tuple[str, Way], ...] = (
    ("min", min),
    ("mean", lambda values: sum(values) / len(values)),
    ("max", max),
)


def render(
    job: Job, options: Options, terminal: Terminal, causes: Causes | str | None = None
) -> str:
    """`causes` may be why there are none."""
    folder = common_folder(joined_regions(job))
    sections = (
        ("General information", _general(job, folder, terminal)),
        *_causes(causes, folder, terminal),
        ("Do the processes behave alike?", _alike(job, likeness(job), terminal)),
        ("Processes (percent of each one's duration x threads)", _parts(job, options, terminal)),
        ("MPI of each process (all threads)", _mpi(job, options, terminal)),
        ("Differences between processes (seconds of all threads)", _differences(job, terminal)),
        ("Region profile over processes (all threads)", _regions(job, options, terminal)),
    )
    said = [*_warnings(job, terminal), *([causes] if isinstance(causes, str) else [])]
    lines = [terminal.paint(text, "hot") for text in said]
    for heading, body in sections:
        lines += ["", *title(heading, terminal), "", *body]
    return "\n".join(lines).lstrip("\n") + "\n"


def _causes(
    causes: Causes | str | None, folder: str, terminal: Terminal
) -> list[tuple[str, list[str]]]:
    """Of a job with a trace."""
    if causes is None or isinstance(causes, str):
        return []
    from pomp_clang.causes.show_text import worst
    from pomp_clang.causes.sources import named_from

    body = list(worst(named_from(causes.cube, folder), causes.found[:_MOST_CAUSES], terminal))
    notes = [line for text in causes.notes for line in wrapped(text, terminal.width, "")]
    return [("Causes (thread P.N is thread N of process P)", [*notes, *body])]


def _warnings(job: Job, terminal: Terminal) -> list[str]:
    return [line for text in job_warnings(job) for line in wrapped(text, terminal.width)]


def _general(job: Job, folder: str, terminal: Terminal) -> list[str]:
    duration = f"{seconds(job.duration, decimals_for([job.duration]))} s"
    facts = [*job_facts(job, duration), ("Sources", folder)]
    return [
        f"{terminal.paint(f'{name:<16}', 'dim')}{printable(text)}" for name, text in facts if text
    ]


def _alike(job: Job, like: Likeness, terminal: Terminal) -> list[str]:
    lines = [line for text in sentences(job, like) for line in wrapped(text, terminal.width, "")]
    if like.alike:
        return lines
    ranks = [each.rank for each in job.processes]
    rows = [
        [
            Cell(str(len(group.members))),
            Cell(str(ranks[group.example]), "id"),
            Cell(ranks_said(ranks[place] for place in group.members)),
        ]
        for group in like.groups
    ]
    fields = [Field("processes"), Field("like rank"), Field("ranks", right=False, elastic="right")]
    return [*lines, "", *table(terminal, fields, rows)]


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
    named = named_regions(job)
    decimals = decimals_for(each.most[0] for each in found)
    fields = [Field("", right=False), Field("least"), Field("rank"), Field("median")]
    fields += [Field("most"), Field("rank"), Field("difference")]
    rows = []
    for each in found[:_MOST_DIFFERENCES]:
        cells = [Cell(_said(each.what, named), "strong")]
        cells += [Cell(seconds(each.least[0], decimals)), Cell(str(each.least[1]), "id")]
        cells += [Cell(seconds(each.median, decimals))]
        cells += [Cell(seconds(each.most[0], decimals)), Cell(str(each.most[1]), "id")]
        rows.append([*cells, Cell(seconds(each.seconds, decimals))])
    return [
        *table(terminal, fields, rows),
        *_outliers(found[:_MOST_DIFFERENCES], named, terminal),
    ]


def _outliers(found: list[Difference], named: dict[str, Region], terminal: Terminal) -> list[str]:
    said = [
        f"far from all others in {_said(each.what, named)}: rank {ranks_said(each.out)}"
        for each in found
        if each.out
    ]
    return [terminal.paint(line, "dim") for text in said for line in wrapped(text, terminal.width)]


def _said(subject: str | Region, named: dict[str, Region]) -> str:
    if isinstance(subject, str):
        return next(part.name for part in PARTS if part.key == subject)
    region = named[subject.id]
    return f"{what(region)} {place(region)}"


def _regions(job: Job, options: Options, terminal: Terminal) -> list[str]:
    ran = sorted((each for each in job.regions if each.ran), key=lambda each: -each.execT)
    if not ran:
        return ["No region ran."]
    named = named_regions(job)
    lines = []
    for profile in ran[: options.top]:
        shown = replace(profile, region=named[profile.region.id])
        table_ = thread_table(shown, options.threads, terminal, of="process")
        lines += ["", region_header(shown.region, terminal), *table_]
    return lines[1:]
