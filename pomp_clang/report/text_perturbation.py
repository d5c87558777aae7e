"""What the measurement cost, as text."""

from __future__ import annotations

from collections.abc import Mapping

from pomp_clang.analysis.overheads import share
from pomp_clang.analysis.perturbation import Perturbation, RegionCost
from pomp_clang.analysis.properties import lasting
from pomp_clang.experiment.model import Region
from pomp_clang.report.options import Options
from pomp_clang.report.region_columns import REGION_FIELDS, region_cells
from pomp_clang.report.table import Cell, Field, table
from pomp_clang.report.terminal import Terminal, heat
from pomp_clang.report.wording import number, percent, wrapped

MOST = 10
"""Regions, those whose visits cost most."""

_LEAST = 0.005
"""The share of a region's time from which on what it cost to measure is worth a line."""


_MATTERS = 0.001
"""The share of the program's time that a region's measurement has to be to be coloured."""


def perturbation_section(
    cost: Perturbation | None, named: Mapping[str, Region], options: Options, terminal: Terminal
) -> list[str]:
    """Empty where it is not known; `named` are the regions as the report calls them."""
    if cost is None:
        return []
    said = sentences(cost, options.subtract)
    lines = [line for text in said for line in wrapped(text, terminal.width)]
    found = cost.regions if options.everything else distorted(cost)[:MOST]
    if found:
        lines += ["", *_table(cost, found, named, terminal)]
    notes = [] if options.everything else others(cost)
    return [*lines, *([""] if notes else []), *(terminal.paint(note, "dim") for note in notes)]


def distorted(cost: Perturbation) -> tuple[RegionCost, ...]:
    """The regions whose time holds so much of it that a person should know."""
    return tuple(each for each in cost.regions if share(each.within, each.execT) >= _LEAST)


def others(cost: Perturbation) -> list[str]:
    """What there is to say of regions that are not shown."""
    found = len(distorted(cost))
    notes = []
    if found > MOST:
        notes.append(f"{number(found - MOST, 'more region')} not shown.")
    if len(cost.regions) > found:
        rest = number(len(cost.regions) - found, "other region" if found else "region")
        notes.append(f"Of {rest} less than {percent(_LEAST)} % of the time is measurement.")
    return notes


def sentences(cost: Perturbation, subtracted: bool) -> list[str]:
    taken = (
        "It is subtracted from the times in this report."
        if subtracted
        else "It is in the times of this report; --subtract-overhead takes it out."
    )
    costs = cost.costs
    return [
        f"Estimated {lasting(cost.total)} of all threads, {percent(cost.share)} % of their time. "
        f"{taken}",
        f"Enter and exit of a visit cost {lasting(costs.pair)}, of it {lasting(costs.pair_within)} "
        f"in the region's own time, an event inside {lasting(costs.step)}, a parallel region "
        f"{lasting(costs.parallel)} a thread, as measured in the run.",
        *_barriers(cost),
    ]


def _barriers(cost: Perturbation) -> list[str]:
    if not cost.barriers:
        return []
    return [
        f"Of it {lasting(cost.barriers)} are barriers that are run a second time, at the end of "
        "parallel regions; the thread that comes last pays more for them than is in it."
    ]


def _table(
    cost: Perturbation,
    shown: tuple[RegionCost, ...],
    named: Mapping[str, Region],
    terminal: Terminal,
) -> list[str]:
    """What is little in all is not coloured, however much of its region it is."""
    whole = share(cost.total, cost.share)
    fields = [
        *REGION_FIELDS,
        Field("visits cost"),
        Field("in its execT"),
        Field("% of it"),
    ]
    rows = []
    for each in shown:
        region = named[each.region.id]
        part = share(each.within, each.execT)
        rows.append(
            [
                *region_cells(region),
                Cell(lasting(each.own)),
                Cell(lasting(each.within)),
                Cell(percent(part), heat(part) if share(each.own, whole) >= _MATTERS else ""),
            ]
        )
    return table(terminal, fields, rows)
