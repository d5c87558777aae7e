"""The performance properties as text: what, where, how much, and a sentence.

Further sentences name the worst places of a finding that stands for several regions, and the way to
try its advice on recorded data. Pages have the same sentences.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from pomp_clang.analysis import management_property_texts
from pomp_clang.analysis import property_texts as texts
from pomp_clang.analysis.overheads.time_in_parallel import SerialPart
from pomp_clang.analysis.properties import PropertyFinding, lasting
from pomp_clang.analysis.property_row import LARGER_TASKS
from pomp_clang.experiment.model import Region
from pomp_clang.report.options import Options
from pomp_clang.report.phrases import (
    AFTER_LAST_REGION,
    longest_parts,
    number,
    percent,
    place,
    where,
    wrapped,
)
from pomp_clang.report.terminal import Terminal, heat, printable
from pomp_clang.report.text.table import GAP

_SHOWN = 3
_LEAST = 0.01
"""Share of a finding from which a kernel or a part of the serial time is named."""


def places(finding: PropertyFinding, named: Mapping[str, Region]) -> Iterator[str]:
    """Yield the sentences about places that the finding's own sentence does not have."""
    yield from worst_places(finding, named)
    yield from serial_places(finding, named)
    yield from small_teams(finding, named)


def worst_places(finding: PropertyFinding, named: Mapping[str, Region]) -> Iterator[str]:
    """Yield a sentence with the worst places and their seconds; none if the finding has one place.

    `named` has the regions by id, with their files as the report names them.
    """
    costs: dict[str, float] = defaultdict(float)
    regions = {}
    for part in finding.parts:
        if part.profile:
            regions[part.profile.region.id] = part.profile.region
            costs[part.profile.region.id] += part.severity
    if len(regions) < 2:
        return
    worst = [
        f"{place(named.get(region, regions[region]))} ({lasting(cost)})"
        for region, cost in sorted(costs.items(), key=lambda row: -row[1])[:_SHOWN]
    ]
    yield f"The worst: {', '.join(worst)}."


def serial_places(finding: PropertyFinding, named: Mapping[str, Region]) -> Iterator[str]:
    """Yield a sentence with the longest parts of serial time; none if the runtime did not record them.

    `named` has the regions by id, with their files as the report names them.
    """
    if finding.serial:
        yield longest_parts([(part.seconds, beside(part, named)) for part in finding.serial])


def small_teams(finding: PropertyFinding, named: Mapping[str, Region]) -> Iterator[str]:
    """Yield a sentence with the regions beside whose teams threads are idle longest; none if there is
    one region.

    `named` has the regions by id, with their files as the report names them.
    """
    if len(finding.beside) > 1:
        yield longest_parts(
            [
                (team.seconds, f"beside {place(named.get(team.region.id, team.region))}")
                for team in finding.beside
            ]
        )


def beside(part: SerialPart, named: Mapping[str, Region]) -> str:
    """Name the place of serial time by the parallel region that follows."""
    if part.before is None:
        return AFTER_LAST_REGION
    return f"before {place(named.get(part.before.id, part.before))}"


def sources(finding: PropertyFinding) -> Iterator[str]:
    """Yield a sentence with the kernels that have most of the cost, or one with the callers; none
    without."""
    shares = _shares(finding, finding.labels)
    if shares:
        yield f"In {'kernel' if len(shares) == 1 else 'kernels'} {_largest(shares)}."
    shares = _shares(finding, finding.callers)
    if shares:
        yield f"Called from {_largest(shares)}."


def _shares(finding: PropertyFinding, costs: Iterable[tuple[str, float]]) -> list[str]:
    parts = [(name, cost / finding.severity) for name, cost in costs]
    return [
        f"{printable(name)} ({100 * min(1.0, part):.0f} %)"
        for name, part in parts
        if part >= _LEAST
    ]


def _largest(shares: Sequence[str]) -> str:
    more = len(shares) - _SHOWN
    others = f" and {number(more, 'other')}" if more > 0 else ""
    return ", ".join(shares[:_SHOWN]) + others


_ANALYZE = "Recorded with POMP_TRACE=1, pomp-clang analyze predicts the time {}."
_SCHEDULES = (
    "pomp-clang schedules --filter selects the loop; recorded so, it predicts other schedules."
)

_TRIED: Mapping[str, str] = {
    management_property_texts.TEAM_MANAGEMENT.advice: _ANALYZE.format("with merged regions"),
    texts.CRITICAL_CONTENTION.advice: _ANALYZE.format("with a reduction or an atomic"),
    LARGER_TASKS: _ANALYZE.format("without tasks below a size"),
    texts.WAIT_FOR_TASKS.advice: _ANALYZE.format("with depend clauses"),
    texts.IMBALANCE_IN_LOOP.advice: _SCHEDULES,
    texts.LAST_CHUNK_IN_LOOP.advice: _SCHEDULES,
    texts.LAST_CHUNK_IN_LOOP.advice_without_nowait: _SCHEDULES,
    texts.IMBALANCE_IN_LOOP.advice_without_nowait: _SCHEDULES,
}
"""By the advice, which a prediction from recorded iterations replaces."""


def trial_sentence(finding: PropertyFinding) -> str:
    """Return how the finding's advice can be tried on recorded data; "" if it cannot, or was."""
    return _TRIED.get(finding.advice, "")


LEAST = 0.001
"""Smallest share of the program's time that is shown by default."""

FINDINGS = 20
"""The number of findings shown by default."""

_INDENT = " " * 7


def property_section(
    findings: tuple[PropertyFinding, ...], options: Options, terminal: Terminal
) -> list[str]:
    """Render the findings in their order, each piece of advice once."""
    minimum = 0.0 if options.everything else LEAST
    large = [finding for finding in findings if finding.share >= minimum]
    shown_findings = large[: options.at_most(FINDINGS)]
    lines: list[str] = []
    if findings:
        lines.append(terminal.paint("in % of the whole program's time", "dim"))
        advised: set[str] = set()
        for listed in shown_findings:
            lines += ["", *_entry(listed, listed.advice not in advised, terminal)]
            advised.add(listed.advice)
    if len(large) > len(shown_findings):
        more_findings = number(len(large) - len(shown_findings), "more finding")
        option = f"--top {len(large)}" if options.top else "--all"
        lines += ["", terminal.paint(f"{more_findings} not shown; {option} has them.", "dim")]
    if len(findings) > len(large):
        small = number(len(findings) - len(large), "finding")
        text = f"{small} of less than {100 * LEAST:.1f} % each: see --all."
        lines += ["", terminal.paint(text, "dim")]
    return lines or ["No time was lost."]


def _entry(finding: PropertyFinding, advises: bool, terminal: Terminal) -> list[str]:
    role = heat(finding.share)
    name = terminal.paint(finding.title, "strong")
    head = f"{terminal.paint(f'{percent(finding.share):>5}', role)}{GAP}{name}"
    width = len(_INDENT) + len(finding.title) + len(GAP)
    place = where(finding.profile.region if finding.profile else None)
    if finding.is_combined:
        place = number(finding.regions, "region")
    if terminal.width is not None:
        place = terminal.shorten_place(place, max(12, terminal.width - width))
    room = (terminal.width or 100) - len(_INDENT)
    lines = wrapped(" ".join((*sources(finding), finding.text, *places(finding, {}))), room, "")
    if advises:
        advice = f"{finding.advice} {trial_sentence(finding)}".strip()
        lines += [terminal.paint(line, "dim") for line in wrapped(advice, room, "")]
    return [head + GAP + place, *(_INDENT + line for line in lines)]
