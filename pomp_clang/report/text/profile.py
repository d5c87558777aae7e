"""The report as text: one screen, or ompP's sections."""

from __future__ import annotations

from dataclasses import dataclass

from pomp_clang.analysis.overheads import share
from pomp_clang.analysis.profile import RegionProfile
from pomp_clang.analysis.run import Breakdown
from pomp_clang.report.model import ProfileReport
from pomp_clang.report.options import Options, ordered
from pomp_clang.report.phrases import (
    GOOD_PARTS,
    decimals_for,
    number,
    percent,
    seconds,
    shown_parts,
    wrapped,
)
from pomp_clang.report.run_conditions import RunCondition, run_conditions
from pomp_clang.report.run_facts import facts
from pomp_clang.report.sections import ReportSection, render_sections
from pomp_clang.report.terminal import Terminal, heat, printable
from pomp_clang.report.text.callpaths import callpath_section, path_profile_section
from pomp_clang.report.text.counters_and_steps import counter_section, timeline_section
from pomp_clang.report.text.measurement_cost import perturbation_section
from pomp_clang.report.text.overheads import overhead_section, overview_section
from pomp_clang.report.text.properties import property_section
from pomp_clang.report.text.region_profile import profile_section
from pomp_clang.report.text.table import Cell, Field, table
from pomp_clang.report.text.target import target_section


@dataclass(frozen=True, slots=True)
class ShownProfile:
    """A report with the options and the terminal for which its sections are rendered.

    `executed` are the regions that ran, in the order asked for, and `never` the others.
    """

    report: ProfileReport
    options: Options
    terminal: Terminal
    executed: tuple[RegionProfile, ...]
    never: tuple[RegionProfile, ...]

    @property
    def first_regions(self) -> tuple[RegionProfile, ...]:
        """The first regions that ran."""
        return self.executed[: self.options.top]


def render(report: ProfileReport, options: Options, terminal: Terminal) -> str:
    """Render the first screen, or the sections asked for; files appear as the report names them."""
    options = options.with_rows("overview", "regions")
    if options.one_screen:
        from pomp_clang.report.text.first_screen import first_screen

        return first_screen(report, options, terminal)
    profiles = ordered(report.profiles, report.analysis, options.sort or "execT")
    context = ShownProfile(
        report,
        options,
        terminal,
        tuple(p for p in profiles if p.ran),
        tuple(p for p in profiles if not p.ran),
    )
    lines = [] if options.sections else _warnings(run_conditions(report, report.cost), terminal)
    return render_sections(SECTIONS, context, options.sections, terminal, lines)


def _warnings(notes: list[RunCondition], terminal: Terminal) -> list[str]:
    return [
        terminal.paint(line, note.role)
        for note in notes
        for line in wrapped(note.text, terminal.width)
    ]


def _general(context: ShownProfile) -> list[str]:
    experiment, terminal = context.report.experiment, context.terminal
    duration = f"{seconds(experiment.duration, decimals_for([experiment.duration]))} s"
    room = None if terminal.width is None else terminal.width - 16
    lines = []
    known = facts(experiment, context.report.folder, duration)
    for label, value in [("Program", experiment.program), *known]:
        text = printable(value)
        if room is not None:
            text = terminal.shorten(text, room)
        lines.append(f"{terminal.paint(f'{label:<16}', 'dim')}{text}")
    return lines


def _parts(context: ShownProfile) -> list[str]:
    return _parts_section(context.report.breakdown, context.terminal)


def _overview(context: ShownProfile) -> list[str]:
    lines = overview_section(
        context.executed,
        context.first_regions,
        context.never,
        context.report.analysis,
        context.terminal,
        context.options.top,
    )
    return lines + _hidden(context)


def _flat(context: ShownProfile) -> list[str]:
    lines = profile_section(context.first_regions, context.options.threads, context.terminal)
    return lines + _hidden(context)


def _hidden(context: ShownProfile) -> list[str]:
    """Count the regions that ran and are not shown."""
    hidden = len(context.executed) - len(context.first_regions)
    if not hidden:
        return []
    return ["", context.terminal.paint(f"{number(hidden, 'more region')} not shown.", "dim")]


def _callpaths(context: ShownProfile) -> list[str]:
    report = context.report
    folded = report.experiment.folded_callpaths
    return callpath_section(
        report.callpaths, report.analysis.totalT, folded, context.options, context.terminal
    )


def _path_profiles(context: ShownProfile) -> list[str]:
    report = context.report
    return path_profile_section(
        report.experiment, report.callpaths, context.options, context.terminal
    )


def _has_callpaths(context: ShownProfile) -> bool:
    """Return whether the run has call paths; an experiment of an old version has none."""
    return bool(context.report.callpaths)


def _overheads(context: ShownProfile) -> list[str]:
    complete = context.report.experiment.complete
    return overhead_section(context.report.analysis, context.options, context.terminal, complete)


def _properties(context: ShownProfile) -> list[str]:
    return property_section(context.report.findings, context.options, context.terminal)


def _counters(context: ShownProfile) -> list[str]:
    report, regions = context.report, context.first_regions + context.never
    lines = counter_section(report.experiment, report.counted, regions, context.terminal)
    return lines + _hidden(context)


def _target(context: ShownProfile) -> list[str]:
    report = context.report
    named = {region.id: region for region in report.experiment.regions}
    return target_section(report.devices, named, context.options, context.terminal)


def _steps(context: ShownProfile) -> list[str]:
    return timeline_section(context.report.experiment, context.options, context.terminal)


def _cost(context: ShownProfile) -> list[str]:
    report = context.report
    named = {region.id: region for region in report.experiment.regions}
    return perturbation_section(report.cost, named, context.options, context.terminal)


SECTIONS: tuple[ReportSection[ShownProfile], ...] = (
    ReportSection("general", "General information", _general),
    ReportSection("parts", "Where the threads' time went (duration x threads)", _parts),
    ReportSection("overview", "Region overview", _overview),
    ReportSection("regions", "Flat region profile (inclusive, seconds)", _flat),
    ReportSection(
        "callpaths", "Call-path profile (seconds of all threads)", _callpaths, _has_callpaths
    ),
    ReportSection(
        "callpath-regions",
        "Call-path region profiles (incl. and excl., seconds)",
        _path_profiles,
        _has_callpaths,
    ),
    ReportSection("overheads", "Overhead analysis", _overheads),
    ReportSection("properties", "Performance properties", _properties),
    ReportSection(
        "counters",
        "Counters (all threads, inclusive and exclusive)",
        _counters,
        lambda context: context.report.counted is not None,
    ),
    ReportSection(
        "target",
        "Target constructs (all threads: launches, transfers and allocations)",
        _target,
        lambda context: context.report.devices is not None,
    ),
    ReportSection("steps", "Over time (percent of all threads' time in each step)", _steps),
    ReportSection(
        "measurement",
        "Cost of the measurement",
        _cost,
        lambda context: context.report.cost is not None,
    ),
)
"""All sections, from top to bottom. JSON and CSV use the same names where they have the data."""

_WHOLE_BAR = 20
_ROOMY = 112


def _parts_section(breakdown: Breakdown, terminal: Terminal) -> list[str]:
    """Render a row per part of all threads' time; a wide terminal shows the meanings too."""
    values = breakdown.parts()
    decimals = decimals_for([breakdown.totalT])
    is_wide = terminal.width is None or terminal.width >= _ROOMY
    fields = [Field("", right=False), Field("seconds"), Field("%")]
    fields.append(Field("", right=False, minimum=_WHOLE_BAR))
    rows = []
    for part in shown_parts(values):
        fraction = share(values[part.key], breakdown.totalT)
        role = "" if part.key in GOOD_PARTS else heat(fraction)
        cells = [Cell(part.name), Cell(seconds(values[part.key], decimals), role)]
        cells += [Cell(percent(fraction), role), Cell(terminal.bar(fraction, _WHOLE_BAR), role)]
        rows.append([*cells, *([Cell(part.meaning, "dim")] if is_wide else [])])
    return table(terminal, [*fields, *([Field("", right=False)] if is_wide else [])], rows)
