"""The report as text, in ompP's sections."""

from __future__ import annotations

from collections import Counter

from pomp_clang.analysis.breakdown import break_down
from pomp_clang.analysis.callpaths import callpath_profile
from pomp_clang.analysis.counters import counting
from pomp_clang.analysis.overheads import Analysis, analyse, share
from pomp_clang.analysis.perturbation import Perturbation
from pomp_clang.analysis.profile import RegionProfile, flat_profile
from pomp_clang.experiment.model import Experiment
from pomp_clang.report.about import facts, hints, warnings
from pomp_clang.report.options import Options, ordered
from pomp_clang.report.parts import GOOD, shown_parts
from pomp_clang.report.region_columns import REGION_FIELDS, region_cells
from pomp_clang.report.sources import common_folder, named_from
from pomp_clang.report.table import Cell, Field, table
from pomp_clang.report.terminal import Terminal, heat, printable
from pomp_clang.report.text_callpaths import callpath_section
from pomp_clang.report.text_counters import counter_section
from pomp_clang.report.text_overheads import overhead_section
from pomp_clang.report.text_path_profile import path_profile_section
from pomp_clang.report.text_perturbation import perturbation_section
from pomp_clang.report.text_profile import profile_section
from pomp_clang.report.text_properties import property_section
from pomp_clang.report.text_timeline import timeline_section
from pomp_clang.report.wording import (
    decimals_for,
    number,
    percent,
    seconds,
    wrapped,
)

_RULE = 72
_BAR = 10
_WHOLE_BAR = 20
_ROOMY = 112


def render(
    experiment: Experiment,
    options: Options,
    terminal: Terminal,
    cost: Perturbation | None = None,
) -> str:
    """`cost` is what measuring cost, as far as that is known."""
    folder = common_folder(experiment)
    experiment = named_from(experiment, folder)
    profiles = flat_profile(experiment)
    analysis = analyse(experiment, profiles)
    profiles = ordered(profiles, analysis, options.sort or "execT")
    ran = tuple(p for p in profiles if p.ran)
    shown = ran[: options.top]
    hidden = len(ran) - len(shown)
    never = tuple(p for p in profiles if not p.ran)
    sections = (
        ("General information", _general(experiment, folder, terminal)),
        ("Where the threads' time went (duration x threads)", _parts(analysis, terminal)),
        (
            "Region overview",
            _overview(ran, shown, never, analysis, terminal, options.top),
        ),
        (
            "Flat region profile (inclusive, seconds)",
            profile_section(shown, options.threads, terminal),
        ),
        *_callpaths(experiment, analysis, options, terminal),
        (
            "Overhead analysis",
            overhead_section(analysis, options, terminal, experiment.complete),
        ),
        ("Performance properties", property_section(profiles, analysis, options, terminal)),
        *_optional(experiment, shown + never, options, terminal, cost),
    )
    lines = _warnings(experiment, terminal)
    for heading, body in sections:
        lines += ["", *title(heading, terminal), "", *body]
        if hidden and heading.startswith(("Region", "Flat", "Counters")):
            lines += ["", terminal.paint(f"{number(hidden, 'more region')} not shown.", "dim")]
    return "\n".join(lines).lstrip("\n") + "\n"


def _callpaths(
    experiment: Experiment, analysis: Analysis, options: Options, terminal: Terminal
) -> list[tuple[str, list[str]]]:
    """None in an experiment of the time before there were call paths."""
    paths = callpath_profile(experiment)
    if not paths:
        return []
    folded = experiment.folded_callpaths
    tree = callpath_section(paths, analysis.totalT, folded, options, terminal)
    sections = [("Call-path profile (seconds of all threads)", tree)]
    tables = path_profile_section(experiment, paths, options, terminal)
    if tables:
        heading = "Call-path region profiles (incl. and excl., seconds)"
        sections.append((heading, tables))
    return sections


def _optional(
    experiment: Experiment,
    shown: tuple[RegionProfile, ...],
    options: Options,
    terminal: Terminal,
    cost: Perturbation | None,
) -> list[tuple[str, list[str]]]:
    """What there is something to say of in some experiments only."""
    named = {region.id: region for region in experiment.regions}
    sections = (
        (
            "Counters (all threads, inclusive and exclusive)",
            counter_section(experiment, counting(experiment), shown, terminal),
        ),
        (
            "Over time (percent of all threads' time in each step)",
            timeline_section(experiment, options, terminal),
        ),
        ("Cost of the measurement", perturbation_section(cost, named, options, terminal)),
    )
    return [(heading, body) for heading, body in sections if body]


def title(text: str, terminal: Terminal) -> list[str]:
    length = min(_RULE, terminal.width or _RULE)
    rule = terminal.rule(length - len(text) - 4)
    return [terminal.paint(f"{terminal.rule(2)} {text} {rule}", "title")]


def _warnings(experiment: Experiment, terminal: Terminal) -> list[str]:
    notes = [(text, "hot") for text in warnings(experiment)]
    notes += [(text, "warm") for text in hints(experiment)]
    return [
        terminal.paint(line, role) for text, role in notes for line in wrapped(text, terminal.width)
    ]


def _general(experiment: Experiment, folder: str, terminal: Terminal) -> list[str]:
    duration = f"{seconds(experiment.duration, decimals_for([experiment.duration]))} s"
    room = None if terminal.width is None else terminal.width - 16
    lines = []
    for word, value in [("Program", experiment.program), *facts(experiment, folder, duration)]:
        text = printable(value)
        if room is not None:
            text = terminal.shorten(text, room)
        lines.append(f"{terminal.paint(f'{word:<16}', 'dim')}{text}")
    return lines


def _parts(analysis: Analysis, terminal: Terminal) -> list[str]:
    """All of the threads' time by what it went to, and a word on each part where it fits."""
    values = break_down(analysis).parts()
    decimals = decimals_for([analysis.totalT])
    roomy = terminal.width is None or terminal.width >= _ROOMY
    fields = [Field("", right=False), Field("seconds"), Field("%")]
    fields.append(Field("", right=False, least=_WHOLE_BAR))
    rows = []
    for part in shown_parts(values):
        whole = share(values[part.key], analysis.totalT)
        role = "" if part.key in GOOD else heat(whole)
        cells = [Cell(part.name), Cell(seconds(values[part.key], decimals), role)]
        cells += [Cell(percent(whole), role), Cell(terminal.bar(whole, _WHOLE_BAR), role)]
        rows.append([*cells, *([Cell(part.meaning, "dim")] if roomy else [])])
    return table(terminal, [*fields, *([Field("", right=False)] if roomy else [])], rows)


def _counts(profiles: tuple[RegionProfile, ...]) -> str:
    kinds = Counter(profile.region.kind for profile in profiles)
    return ", ".join(f"{count} {printable(kind)}" for kind, count in sorted(kinds.items()))


def _overview(
    ran: tuple[RegionProfile, ...],
    shown: tuple[RegionProfile, ...],
    never: tuple[RegionProfile, ...],
    analysis: Analysis,
    terminal: Terminal,
    top: int | None,
) -> list[str]:
    everything = ran + never
    if not everything:
        return ["No regions: nothing in this program was instrumented."]
    total = number(len(everything), "region")
    lines = wrapped(f"{total}: {_counts(everything)}", terminal.width)
    if shown:
        legend = "Times are sums over threads; lost% is of the whole program, duration x threads."
        lines += [terminal.paint(line, "dim") for line in wrapped(legend, terminal.width)]
        lines += ["", *_overview_table(shown, analysis, terminal)]
    if never:
        lines += ["", f"{number(len(never), 'region')} never ran (execC 0):"]
        rows = [region_cells(p.region, role="dim") for p in never[:top]]
        lines += table(terminal, [*REGION_FIELDS], rows)[1:]
        left = len(never[top:]) if top is not None else 0
        if left:
            lines += [terminal.paint(f"{left} more that never ran not shown.", "dim")]
    return lines


def _overview_table(
    shown: tuple[RegionProfile, ...], analysis: Analysis, terminal: Terminal
) -> list[str]:
    """All regions with their lost time, as a number and as a bar for the eye.

    A narrow terminal has no room for the seconds lost; the share says the same.
    """
    wide = terminal.width is None or terminal.width >= 100
    decimals = decimals_for(p.execT for p in shown)
    fields = [
        *REGION_FIELDS,
        Field("execC"),
        Field("execT"),
        *([Field("lostT")] if wide else []),
        Field("lost%"),
        Field("", right=False, least=_BAR),
    ]
    rows = []
    for p in shown:
        lost = analysis.own[p.region.id].total
        part = share(lost, analysis.totalT)
        rows.append(
            [
                *region_cells(p.region),
                Cell(str(p.execC)),
                Cell(seconds(p.execT, decimals)),
                *([Cell(seconds(lost, decimals), heat(part))] if wide else []),
                Cell(percent(part), heat(part)),
                Cell(terminal.bar(part, _BAR), heat(part)),
            ]
        )
    return table(terminal, fields, rows)
