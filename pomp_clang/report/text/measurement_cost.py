"""The cost of the measurement as text."""

from __future__ import annotations

from collections.abc import Mapping

from pomp_clang.analysis.overheads import share
from pomp_clang.analysis.perturbation import Perturbation, RegionCost
from pomp_clang.analysis.properties import lasting
from pomp_clang.experiment.model import Region
from pomp_clang.report.options import Options
from pomp_clang.report.phrases import number, percent, wrapped
from pomp_clang.report.terminal import Terminal, heat
from pomp_clang.report.text.table import REGION_FIELDS, Cell, Field, region_cells, table

MOST = 10
"""Regions, those whose visits cost most."""

_LEAST = 0.005
"""The share of a region's time from which on what it cost to measure is worth a line."""


_WIDE = 1.1
"""The ratio of the upper to the lower figure from which on the estimate is a range."""

_MATTERS = 0.001
"""The share of the program's time that a region's measurement has to be to be coloured."""


def perturbation_section(
    cost: Perturbation | None, named: Mapping[str, Region], options: Options, terminal: Terminal
) -> list[str]:
    """Render the section; empty if the cost is unknown. `named` has the regions as the report
    names them."""
    if cost is None:
        return []
    text_lines = sentences(cost, options.subtract)
    lines = [line for text in text_lines for line in wrapped(text, terminal.width)]
    region_costs = cost.regions if options.everything else distorted(cost)
    region_costs = region_costs[: options.at_most(MOST)]
    if region_costs:
        lines += ["", *_table(cost, region_costs, named, terminal)]
    notes = notes_on_others(cost, len(region_costs))
    return [*lines, *([""] if notes else []), *(terminal.paint(note, "dim") for note in notes)]


def distorted(cost: Perturbation) -> tuple[RegionCost, ...]:
    """Select the regions whose times contain so much measurement cost that it matters."""
    return tuple(region for region in cost.regions if share(region.within, region.execT) >= _LEAST)


def notes_on_others(cost: Perturbation, shown_count: int) -> list[str]:
    """List notes on the regions that follow the `shown_count` first ones."""
    count = len(distorted(cost))
    notes = []
    if count > shown_count:
        notes.append(f"{number(count - shown_count, 'more region')} not shown.")
    if len(cost.regions) > max(count, shown_count):
        rest = number(
            len(cost.regions) - max(count, shown_count), "other region" if count else "region"
        )
        notes.append(f"{rest}: less than {percent(_LEAST)} % of the time is measurement.")
    return notes


def sentences(cost: Perturbation, subtracted: bool) -> list[str]:
    is_range = cost.most >= cost.total * _WIDE
    included, price = ("both", "the price of the events") if is_range else ("it", "it")
    explanation = (
        f"The times of this report exclude {price}."
        if subtracted
        else f"The times of this report include {included}; --subtract-overhead subtracts {price}."
    )
    costs = cost.costs
    return [
        f"{_estimate(cost, is_range)} {explanation}",
        f"Entering and leaving a region costs {lasting(costs.pair)}, including "
        f"{lasting(costs.pair_within)} in the region's own time; an event inside costs "
        f"{lasting(costs.step)}, a parallel region {lasting(costs.parallel)} per thread, as measured "
        "in the run.",
        *_barriers(cost),
    ]


def _estimate(cost: Perturbation, is_range: bool) -> str:
    """Give the estimate, as a range if atomic updates may have waited because of their events."""
    covered = "This covers the events, not waits for a thread that events delayed."
    if not is_range:
        return (
            f"Estimated {lasting(cost.total)} over all threads, {percent(cost.share)} % of their "
            f"time. {covered}"
        )
    return (
        f"Estimated {lasting(cost.total)} to {lasting(cost.most)} over all threads, "
        f"{percent(cost.share)} to {percent(cost.share_most)} % of their time. {covered} The first figure is the "
        "price of the events. The second one adds the time in which atomic updates waited for "
        "memory: without events, the processor may overlap these waits with other work."
    )


def _barriers(cost: Perturbation) -> list[str]:
    if not cost.barriers:
        return []
    return [
        f"This includes {lasting(cost.barriers)} of barriers that run a second time at the end of "
        "parallel regions; the last thread to arrive pays more than the estimate."
    ]


def _table(
    cost: Perturbation,
    regions: tuple[RegionCost, ...],
    named: Mapping[str, Region],
    terminal: Terminal,
) -> list[str]:
    """Render the table; a cost that is small for the program has no color, even if it is large
    for its region."""
    total = share(cost.total, cost.share)
    fields = [
        *REGION_FIELDS,
        Field("visits cost"),
        Field("in its execT"),
        Field("% of it"),
    ]
    rows = []
    for region_cost in regions:
        region = named[region_cost.region.id]
        part = share(region_cost.within, region_cost.execT)
        rows.append(
            [
                *region_cells(region),
                Cell(lasting(region_cost.exclusive)),
                Cell(lasting(region_cost.within)),
                Cell(
                    percent(part),
                    heat(part) if share(region_cost.exclusive, total) >= _MATTERS else "",
                ),
            ]
        )
    return table(terminal, fields, rows)
