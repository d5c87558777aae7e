"""The report as text, in ompP's sections."""

from __future__ import annotations

import shlex
from collections import Counter

from pomp_clang.analysis.callpaths import callpath_profile
from pomp_clang.analysis.counters import counting
from pomp_clang.analysis.overheads import Analysis, analyse, share
from pomp_clang.analysis.perturbation import Perturbation
from pomp_clang.analysis.profile import RegionProfile, flat_profile
from pomp_clang.experiment.model import Experiment
from pomp_clang.report.barriers import barriers, missed_barriers
from pomp_clang.report.options import Options, ordered
from pomp_clang.report.sources import common_folder, named_from
from pomp_clang.report.table import Cell, Field, table
from pomp_clang.report.terminal import Terminal, heat, printable
from pomp_clang.report.text_callpaths import callpath_section
from pomp_clang.report.text_counters import counter_section
from pomp_clang.report.text_overheads import overhead_section
from pomp_clang.report.text_perturbation import perturbation_section
from pomp_clang.report.text_profile import profile_section
from pomp_clang.report.text_properties import property_section
from pomp_clang.report.text_timeline import timeline_section
from pomp_clang.report.wording import (
    decimals_for,
    number,
    percent,
    place,
    seconds,
    what,
    wrapped,
)

_RULE = 72
_BAR = 10


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
        ("Region overview", _overview(ran, shown, never, analysis, terminal)),
        (
            "Flat region profile (inclusive, seconds)",
            profile_section(shown, options.threads, terminal),
        ),
        *_callpaths(experiment, analysis, terminal),
        ("Overhead analysis", overhead_section(analysis, options, terminal)),
        ("Performance properties", property_section(profiles, analysis, options, terminal)),
        *_optional(experiment, options, terminal, cost),
    )
    lines = _warnings(experiment, terminal)
    for heading, body in sections:
        lines += ["", *title(heading, terminal), "", *body]
        if hidden and heading.startswith(("Region", "Flat")):
            lines += ["", terminal.paint(f"{number(hidden, 'more region')} not shown.", "dim")]
    return "\n".join(lines).lstrip("\n") + "\n"


def _callpaths(
    experiment: Experiment, analysis: Analysis, terminal: Terminal
) -> list[tuple[str, list[str]]]:
    """None in an experiment of the time before there were call paths."""
    paths = callpath_profile(experiment)
    if not paths:
        return []
    body = callpath_section(paths, analysis.totalT, experiment.folded_callpaths, terminal)
    return [("Call-path profile (seconds of all threads)", body)]


def _optional(
    experiment: Experiment, options: Options, terminal: Terminal, cost: Perturbation | None
) -> list[tuple[str, list[str]]]:
    """What there is something to say of in some experiments only."""
    named = {region.id: region for region in experiment.regions}
    sections = (
        (
            "Counters (all threads, inclusive and exclusive)",
            counter_section(experiment, counting(experiment), terminal),
        ),
        (
            "Over time (percent of all threads' time in each step)",
            timeline_section(experiment, terminal),
        ),
        ("Cost of the measurement", perturbation_section(cost, named, options.subtract, terminal)),
    )
    return [(heading, body) for heading, body in sections if body]


def title(text: str, terminal: Terminal) -> list[str]:
    length = min(_RULE, terminal.width or _RULE)
    rule = terminal.rule(length - len(text) - 4)
    return [terminal.paint(f"{terminal.rule(2)} {text} {rule}", "title")]


def _warnings(experiment: Experiment, terminal: Terminal) -> list[str]:
    lines = []
    if not experiment.complete:
        text = "Incomplete: the program ended early; this is what was measured until then."
        lines.append(terminal.paint(text, "hot"))
    missed = missed_barriers(experiment)
    if missed:
        lines += [terminal.paint(line, "hot") for line in wrapped(missed, terminal.width)]
    dropped = sum(location.dropped for location in experiment.locations)
    if dropped:
        where = sum(1 for location in experiment.locations if location.dropped)
        text = f"{number(dropped, 'event')} of {number(where, 'thread')} had to be dropped."
        lines.append(terminal.paint(text, "hot"))
    return lines


def _general(experiment: Experiment, folder: str, terminal: Terminal) -> list[str]:
    e = experiment
    said = [
        ("Program", e.program),
        ("Command line", shlex.join(e.command_line)),
        ("Started", e.start),
        ("Duration", f"{seconds(e.duration, decimals_for([e.duration]))} s"),
        ("Threads", str(e.max_threads)),
        ("Process", f"{e.pid} on {e.host}" if e.host else str(e.pid)),
        ("OpenMP runtime", e.openmp_runtime),
        ("Barriers", barriers(e)),
        ("Clock", e.clock),
        ("Experiment", e.directory),
        ("Sources", folder),
    ]
    room = None if terminal.width is None else terminal.width - 16
    lines = []
    for word, value in said:
        text = printable(value)
        if room is not None:
            text = terminal.shorten(text, room)
        if text:
            lines.append(f"{terminal.paint(f'{word:<16}', 'dim')}{text}")
    return lines


def _counts(profiles: tuple[RegionProfile, ...]) -> str:
    kinds = Counter(profile.region.kind for profile in profiles)
    return ", ".join(f"{count} {printable(kind)}" for kind, count in sorted(kinds.items()))


def _overview(
    ran: tuple[RegionProfile, ...],
    shown: tuple[RegionProfile, ...],
    never: tuple[RegionProfile, ...],
    analysis: Analysis,
    terminal: Terminal,
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
        fields = [Field("", right=False), Field("", right=False, least=10, elastic="right")]
        fields.append(Field("", right=False, least=10, elastic="left"))
        rows = [
            [Cell(p.region.id, "dim"), Cell(what(p.region), "dim"), Cell(place(p.region), "dim")]
            for p in never
        ]
        lines += table(terminal, fields, rows)[1:]
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
        Field("id", right=False),
        Field("kind", right=False, least=10, elastic="right"),
        Field("place", right=False, least=10, elastic="left"),
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
                Cell(p.region.id, "id"),
                Cell(what(p.region)),
                Cell(place(p.region)),
                Cell(str(p.execC)),
                Cell(seconds(p.execT, decimals)),
                *([Cell(seconds(lost, decimals), heat(part))] if wide else []),
                Cell(percent(part), heat(part)),
                Cell(terminal.bar(part, _BAR), heat(part)),
            ]
        )
    return table(terminal, fields, rows)
