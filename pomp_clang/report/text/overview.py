"""The region overview as text: every region with what it lost."""

from __future__ import annotations

from collections import Counter

from pomp_clang.analysis.overheads import OverheadAnalysis, share
from pomp_clang.analysis.profile import RegionProfile
from pomp_clang.report.phrases import decimals_for, number, percent, seconds, wrapped
from pomp_clang.report.terminal import Terminal, heat, printable
from pomp_clang.report.text.table import REGION_FIELDS, Cell, Field, region_cells, table

_BAR = 10


def _counts(profiles: tuple[RegionProfile, ...]) -> str:
    kinds = Counter(profile.region.kind for profile in profiles)
    return ", ".join(f"{count} {printable(kind)}" for kind, count in sorted(kinds.items()))


def overview_section(
    executed: tuple[RegionProfile, ...],
    shown_regions: tuple[RegionProfile, ...],
    never: tuple[RegionProfile, ...],
    analysis: OverheadAnalysis,
    terminal: Terminal,
    top: int | None,
) -> list[str]:
    everything = executed + never
    if not everything:
        return ["No regions: nothing in this program was instrumented."]
    total = number(len(everything), "region")
    lines = wrapped(f"{total}: {_counts(everything)}", terminal.width)
    if shown_regions:
        legend = "Times are sums over threads; lost% is of the whole program, duration x threads."
        lines += [terminal.paint(line, "dim") for line in wrapped(legend, terminal.width)]
        lines += ["", *_overview_table(shown_regions, analysis, terminal)]
    if never:
        lines += ["", f"{number(len(never), 'region')} never ran (execC 0):"]
        rows = [region_cells(p.region, role="dim") for p in never[:top]]
        lines += table(terminal, [*REGION_FIELDS], rows)[1:]
        left = len(never[top:]) if top is not None else 0
        if left:
            lines += [terminal.paint(f"{left} more that never ran not shown.", "dim")]
    return lines


def _overview_table(
    regions: tuple[RegionProfile, ...], analysis: OverheadAnalysis, terminal: Terminal
) -> list[str]:
    """Render all regions with their lost time, as a number and as a bar.

    A narrow terminal has no room for the seconds lost; the share shows the same.
    """
    wide = terminal.width is None or terminal.width >= 100
    decimals = decimals_for(p.execT for p in regions)
    fields = [
        *REGION_FIELDS,
        Field("execC"),
        Field("execT"),
        *([Field("lostT")] if wide else []),
        Field("lost%"),
        Field("", right=False, minimum=_BAR),
    ]
    rows = []
    for profile in regions:
        lost = analysis.exclusive[profile.region.id].total
        part = share(lost, analysis.totalT)
        rows.append(
            [
                *region_cells(profile.region),
                Cell(str(profile.execC)),
                Cell(seconds(profile.execT, decimals)),
                *([Cell(seconds(lost, decimals), heat(part))] if wide else []),
                Cell(percent(part), heat(part)),
                Cell(terminal.bar(part, _BAR), heat(part)),
            ]
        )
    return table(terminal, fields, rows)
