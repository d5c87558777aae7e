"""The performance properties as text: what, where, how much, and a sentence."""

from __future__ import annotations

from pomp_clang.analysis.properties import PropertyFinding
from pomp_clang.report.finding_sentences import kernels, trial_sentence, worst_places
from pomp_clang.report.options import Options
from pomp_clang.report.phrases import number, percent, where, wrapped
from pomp_clang.report.terminal import Terminal, heat
from pomp_clang.report.text.table import GAP

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
        place = terminal.shorten(place, max(12, terminal.width - width), keep_end=True)
    room = (terminal.width or 100) - len(_INDENT)
    lines = wrapped(
        " ".join((*kernels(finding), finding.text, *worst_places(finding, {}))), room, ""
    )
    if advises:
        advice = f"{finding.advice} {trial_sentence(finding)}".strip()
        lines += [terminal.paint(line, "dim") for line in wrapped(advice, room, "")]
    return [head + GAP + place, *(_INDENT + line for line in lines)]
