"""Two runs compared, as text."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from pomp_clang.analysis.comparison import ComparedRegion, change
from pomp_clang.analysis.comparison.repetitions import Repetitions
from pomp_clang.analysis.comparison.verdicts import PropertyChange, property_changes
from pomp_clang.analysis.overheads import share
from pomp_clang.analysis.properties import lasting
from pomp_clang.analysis.run import AnalyzedRun
from pomp_clang.report.cause_changes import CauseChanges
from pomp_clang.report.comparison_phrases import comparison_notes, noise_mark, repetition_notes
from pomp_clang.report.options import Options
from pomp_clang.report.phrases import (
    decimals_for,
    growth,
    growth_in_percent,
    number,
    percent,
    place,
    seconds,
    shown_parts,
    signed,
    what,
    wrapped,
)
from pomp_clang.report.sections import ReportSection, render_screen, render_sections
from pomp_clang.report.terminal import Terminal, printable
from pomp_clang.report.text.properties import LEAST
from pomp_clang.report.text.table import REGION_FIELDS, Cell, Field, region_cells, table

if TYPE_CHECKING:
    from pomp_clang.causes.cube.instance_statistics import Statistics

_ROOMY = 120
_DIGITS, _FEW_DIGITS = 7, 5
"""Digits of a time in a wide terminal, and in a narrow one."""
_CHANGED = 0.05
"""A change of a time that is coloured: less is often another run of the same."""

_MATTERS = 0.001
"""The share of a run's time from which on a region's change is more than noise to a person."""

_FINDINGS = 12
"""Number of rows shown unless the user gives one."""

_ON_SCREEN = 4
"""The number of changes and regions on the first screen."""

_MORE = "All of it: --all. A section: --section properties. A page: --format html."

_WEIGHTY = 0.01
"""A change of a share that is coloured."""


@dataclass(frozen=True, slots=True)
class ShownComparison:
    """Two runs and their regions with the options and the terminal for which sections are
    rendered; `causes` is None if the format has none."""

    a: AnalyzedRun
    b: AnalyzedRun
    regions: tuple[ComparedRegion, ...]
    options: Options
    terminal: Terminal
    causes: CauseChanges | None
    repetitions: Repetitions | None = None


def render(
    a: AnalyzedRun,
    b: AnalyzedRun,
    regions: tuple[ComparedRegion, ...],
    options: Options,
    terminal: Terminal,
    causes: CauseChanges | None = None,
    repetitions: Repetitions | None = None,
) -> str:
    """Render one screen, or the sections asked for."""
    comparison = ShownComparison(a, b, regions, options, terminal, causes, repetitions)
    if not options.one_screen:
        return render_sections(SECTIONS, comparison, options.sections, terminal)
    if options.top is None:
        comparison = replace(comparison, options=replace(options, top=_ON_SCREEN))
    known = causes is not None and bool(causes.rows)
    names = ("runs", "parts", "causes" if known else "properties", "regions")
    return render_screen(SECTIONS, comparison, names, terminal, _MORE)


def _runs(context: ShownComparison) -> list[str]:
    a, b, terminal = context.a, context.b, context.terminal
    decimals = decimals_for([a.duration, b.duration])
    durations = [Cell(seconds(run.duration, decimals)) for run in (a, b)]
    duration = change(a.duration, b.duration)
    rows = [
        [Cell("Duration"), *durations, Cell(_duration_growth(duration, a, b), _role(duration))],
        [Cell("Threads"), Cell(str(a.threads)), Cell(str(b.threads)), Cell("")],
    ]
    fields = [Field("", right=False, minimum=14), Field("A"), Field("B"), Field("")]
    lines = []
    for name, run in (("A", a), ("B", b)):
        experiment = run.experiment
        text = f"{name}  {printable(experiment.directory)}  {printable(experiment.program)}  {experiment.start}"
        lines.append(text if terminal.width is None else terminal.shorten(text, terminal.width))
    for name, run in (("A", a), ("B", b)):
        if not run.experiment.complete:
            lines.append(terminal.paint(f"{name} is incomplete: the program ended early.", "hot"))
    lines += ["", *table(terminal, fields, rows)]
    sentences = [*repetition_notes(context.repetitions), *notes(a, b)]
    return lines + [line for note in sentences for line in ("", *wrapped(note, terminal.width))]


def _duration_growth(duration: float | None, a: AnalyzedRun, b: AnalyzedRun) -> str:
    """Return the growth of the duration, with the runs of which it is incomplete."""
    early = [name for name, run in (("A", a), ("B", b)) if not run.experiment.complete]
    growth = growth_in_percent(duration)
    return f"{growth} ({' and '.join(early)} incomplete)" if early else growth


def notes(a: AnalyzedRun, b: AnalyzedRun) -> list[str]:
    """List notes that the reader needs to compare times of both runs."""
    return [*(note.text for note in comparison_notes((("A", a), ("B", b)))), *threads_note(a, b)]


def threads_note(a: AnalyzedRun, b: AnalyzedRun) -> list[str]:
    """Return how to compare the times of runs with different numbers of threads, as one note."""
    if a.threads == b.threads:
        return []
    return [
        f"A ran with {number(a.threads, 'thread')}, B with {b.threads}: a region whose execT, the "
        "sum over threads, stays the same has scaled ideally. pomp-clang scale compares wall times.",
    ]


def _parts(a: AnalyzedRun, b: AnalyzedRun, terminal: Terminal) -> list[str]:
    """Render the parts: seconds of all threads, and shares of each run's duration x threads."""
    wholes = (a.analysis.totalT, b.analysis.totalT)
    decimals = decimals_for(wholes)
    fields = [Field("", right=False, minimum=14)]
    fields += [Field("A"), Field("%"), Field("B"), Field("%"), Field("B - A")]
    rows = []
    named = {"Total": wholes}
    parts = a.parts(), b.parts()
    named |= {part.key: (parts[0][part.key], parts[1][part.key]) for part in shown_parts(*parts)}
    for name, values in named.items():
        cells = [Cell(name, "strong" if name == "Total" else "")]
        for value, total in zip(values, wholes, strict=True):
            cells += [Cell(seconds(value, decimals)), Cell(percent(share(value, total)))]
        cells.append(Cell(signed(values[1] - values[0], decimals)))
        rows.append(cells)
    return table(terminal, fields, rows)


def worth(changes: tuple[PropertyChange, ...]) -> tuple[PropertyChange, ...]:
    """Select the changes of properties that are large enough in either run to show."""
    return tuple(change for change in changes if change.largest >= LEAST)


def _findings(a: AnalyzedRun, b: AnalyzedRun, options: Options, terminal: Terminal) -> list[str]:
    changes = worth(property_changes(a, b))
    shown_changes = changes[: options.at_most(_FINDINGS)]
    is_wide = _is_roomy(terminal)
    if not shown_changes:
        return ["No time was lost in either."]
    fields = [
        Field("A", minimum=5),
        Field("B", minimum=5),
        Field("B - A", minimum=6),
        Field("property", right=False, minimum=12, elastic="right"),
        Field("", right=False),
        *([Field("", right=False, minimum=10, elastic="right")] if is_wide else []),
        Field("", right=False, minimum=10, elastic="left"),
    ]
    rows = [
        [
            Cell(percent(change.a.share) if change.a else ""),
            Cell(percent(change.b.share) if change.b else ""),
            Cell(points(change), _direction(change.delta)),
            Cell(change.title),
            *_where(change, is_wide),
        ]
        for change in shown_changes
    ]
    lines = table(terminal, fields, rows)
    if len(changes) > len(shown_changes):
        more_changes = f"{len(changes) - len(shown_changes)} more not shown."
        lines += ["", terminal.paint(more_changes, "dim")]
    return lines


def _causes(causes: CauseChanges, options: Options, terminal: Terminal) -> list[str]:
    shown_rows = causes.rows[: options.at_most(_FINDINGS)]
    if not shown_rows:
        note = f"They are not known: {causes.note}" if causes.note else "None takes more or less."
        return wrapped(printable(note), terminal.width)
    decimals = decimals_for([time for row in shown_rows for time in (row.a, row.b)], _FEW_DIGITS)
    is_wide = _is_roomy(terminal) and any(
        row.statistics_a or row.statistics_b for row in shown_rows
    )
    fields = [
        Field("A", minimum=5),
        Field("B", minimum=5),
        Field("B - A", minimum=6),
        *([Field("longest A"), Field("longest B")] if is_wide else []),
        Field("cause", right=False, minimum=12, elastic="right"),
        Field("", right=False, minimum=10, elastic="left"),
    ]
    rows = [
        [
            Cell(seconds(row.a, decimals)),
            Cell(seconds(row.b, decimals)),
            Cell(signed(row.delta, decimals), row.role),
            *([_longest(row.statistics_a), _longest(row.statistics_b)] if is_wide else []),
            Cell(row.name),
            Cell(row.place, "dim"),
        ]
        for row in shown_rows
    ]
    lines = table(terminal, fields, rows)
    if len(causes.rows) > len(shown_rows):
        more_causes = f"{len(causes.rows) - len(shown_rows)} more not shown."
        lines += ["", terminal.paint(more_causes, "dim")]
    return lines


def _longest(statistics: Statistics | None) -> Cell:
    """Format the duration of the longest instance."""
    return Cell(lasting(statistics.most) if statistics else "")


def points(change: PropertyChange) -> str:
    """Format the change in percentage points."""
    return signed(100 * change.delta, 1)


def _where(change: PropertyChange, is_wide: bool) -> list[Cell]:
    if change.profile is None:
        return [Cell(""), *([Cell("")] if is_wide else []), Cell("the program", "dim")]
    region = change.profile.region
    kind = [Cell(what(region), "dim")] if is_wide else []
    return [Cell(region.id, "id"), *kind, Cell(place(region), "dim")]


def _direction(delta: float) -> str:
    if abs(delta) < _WEIGHTY:
        return ""
    return "hot" if delta > 0 else "good"


def _regions(
    a: AnalyzedRun,
    b: AnalyzedRun,
    regions: tuple[ComparedRegion, ...],
    top: int | None,
    terminal: Terminal,
) -> list[str]:
    if not regions:
        return ["No region ran in either."]
    counts = states(regions)
    legend = "Times are sums over threads; + is what B has more."
    lines = wrapped(", ".join(counts), terminal.width)
    lines += [terminal.paint(line, "dim") for line in wrapped(legend, terminal.width)]
    shown_regions = regions[:top]
    longest = max(a.analysis.totalT, b.analysis.totalT)
    lines += ["", *_table(shown_regions, longest, terminal)]
    if len(regions) > len(shown_regions):
        more_regions = number(len(regions) - len(shown_regions), "more region")
        lines += ["", terminal.paint(f"{more_regions} not shown.", "dim")]
    return lines


def _is_roomy(terminal: Terminal) -> bool:
    return terminal.width is None or terminal.width >= _ROOMY


def states(regions: tuple[ComparedRegion, ...]) -> list[str]:
    """Count the regions that are in both runs, and in one of them."""
    states_ = []
    for state, phrase in (("both", "in both"), ("new", "only in B"), ("gone", "only in A")):
        count = sum(region.state == state for region in regions)
        if count:
            states_.append(f"{number(count, 'region')} {phrase}")
    return states_


def _table(regions: tuple[ComparedRegion, ...], total: float, terminal: Terminal) -> list[str]:
    is_wide = _is_roomy(terminal)
    times = [s.execT for region in regions for s in (region.a, region.b) if s]
    decimals = decimals_for(times, _DIGITS if is_wide else _FEW_DIGITS)
    fields = [
        *REGION_FIELDS,
        *([Field("execC A"), Field("execC B")] if is_wide else [Field("execC +")]),
        *([Field("execT A")] if is_wide else []),
        Field("execT B"),
        Field("execT +"),
        Field("%"),
        Field("lostT +"),
        *([Field("", right=False)] if is_wide else []),
    ]
    return table(terminal, fields, [_row(region, total, decimals, is_wide) for region in regions])


def _row(compared: ComparedRegion, total: float, decimals: int, is_wide: bool) -> list[Cell]:
    region = compared.latest.region
    delta = compared.delta
    grown = change(compared.a.execT, compared.b.execT) if compared.a and compared.b else None
    role = region_role(compared, total)
    sides = (compared.a, compared.b)
    counts = [Cell(str(s.execC) if s else "", "" if delta.execC else "dim") for s in sides]
    times = [Cell(seconds(s.execT, decimals) if s else "") for s in sides]
    return [
        *region_cells(region, ident(compared)),
        *(counts if is_wide else [Cell(f"{delta.execC:+d}" if delta.execC else "")]),
        *(times if is_wide else times[1:]),
        Cell(signed(delta.execT, decimals), role),
        Cell(
            noise_mark(compared) + growth(grown) if compared.state == "both" else compared.state,
            role,
        ),
        Cell(signed(delta.lostT, decimals), "dim" if role == "dim" else ""),
        *([Cell(_state_note(compared), "dim")] if is_wide else []),
    ]


def ident(compared: ComparedRegion) -> str:
    """Return the region's id in B; a region that B lacks has A's."""
    return compared.latest.region.id if compared.b else f"A:{compared.latest.region.id}"


def region_role(compared: ComparedRegion, total: float) -> str:
    """Choose the color by the change of execT, relative to the region and to the longer run; a
    change within the noise is gray."""
    if compared.is_noise or share(abs(compared.delta.execT), total) < _MATTERS:
        return "dim"
    return _role(change(compared.a.execT, compared.b.execT)) if compared.a and compared.b else ""


def _state_note(compared: ComparedRegion) -> str:
    return f"was {place(compared.a.profile.region)}" if compared.moved and compared.a else ""


def _role(grown: float | None) -> str:
    if grown is None or abs(grown) < _CHANGED:
        return ""
    return "hot" if grown > 0 else "good"


SECTIONS: tuple[ReportSection[ShownComparison], ...] = (
    ReportSection("runs", "Runs", _runs),
    ReportSection(
        "parts",
        "Where the threads' time went",
        lambda context: _parts(context.a, context.b, context.terminal),
    ),
    ReportSection(
        "properties",
        "Performance properties (% of each run's time)",
        lambda context: _findings(context.a, context.b, context.options, context.terminal),
    ),
    ReportSection(
        "causes",
        "Causes (seconds of all threads)",
        lambda context: (
            _causes(context.causes, context.options, context.terminal) if context.causes else []
        ),
        lambda context: bool(context.causes),
    ),
    ReportSection(
        "regions",
        "Regions",
        lambda context: _regions(
            context.a, context.b, context.regions, context.options.top, context.terminal
        ),
    ),
)
"""All sections, from top to bottom."""
