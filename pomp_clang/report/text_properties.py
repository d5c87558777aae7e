"""The performance properties as text: what, where, how much, and a sentence."""

from __future__ import annotations

from pomp_clang.analysis.overheads import Analysis
from pomp_clang.analysis.profile import RegionProfile
from pomp_clang.analysis.properties import Found, find
from pomp_clang.report.options import Options
from pomp_clang.report.table import GAP
from pomp_clang.report.terminal import Terminal, heat
from pomp_clang.report.wording import number, percent, where, wrapped

LEAST = 0.001
"""A share of the program's time that is worth two lines of a person's attention."""

FINDINGS = 20
"""So many are shown unless a number was asked for."""

_INDENT = " " * 7


def property_section(
    profiles: tuple[RegionProfile, ...], analysis: Analysis, options: Options, terminal: Terminal
) -> list[str]:
    found = find(profiles, analysis)
    least = 0.0 if options.everything else LEAST
    large = [each for each in found if each.share >= least]
    shown = large[: options.top or options.at_most(FINDINGS)]
    lines: list[str] = []
    if found:
        lines.append(terminal.paint("in % of the whole program's time", "dim"))
        advised: set[str] = set()
        for each in shown:
            lines += ["", *_entry(each, each.advice not in advised, terminal)]
            advised.add(each.advice)
    if len(large) > len(shown):
        more = number(len(large) - len(shown), "more finding")
        how = f"--top {len(large)}" if options.top else "--all"
        lines += ["", terminal.paint(f"{more} not shown; {how} has them.", "dim")]
    if len(found) > len(large):
        small = number(len(found) - len(large), "finding")
        text = f"{small} of less than {100 * LEAST:.1f} % each: see --all."
        lines += ["", terminal.paint(text, "dim")]
    return lines or ["No time was lost."]


def _entry(found: Found, advises: bool, terminal: Terminal) -> list[str]:
    role = heat(found.share)
    name = terminal.paint(found.name, "strong")
    head = f"{terminal.paint(f'{percent(found.share):>5}', role)}{GAP}{name}"
    width = len(_INDENT) + len(found.name) + len(GAP)
    place = where(found.profile.region if found.profile else None)
    if terminal.width is not None:
        place = terminal.shorten(place, max(20, terminal.width - width), keep_end=True)
    room = (terminal.width or 100) - len(_INDENT)
    lines = wrapped(found.text, room, "")
    if advises:
        lines += [terminal.paint(line, "dim") for line in wrapped(found.advice, room, "")]
    return [head + GAP + place, *(_INDENT + line for line in lines)]
