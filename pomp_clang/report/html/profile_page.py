"""The profile of a run as a page."""

from __future__ import annotations

from typing import Any

from pomp_clang.analysis.breakdown import break_down
from pomp_clang.analysis.counters import counting
from pomp_clang.analysis.overheads import analyse
from pomp_clang.analysis.perturbation import Perturbation
from pomp_clang.analysis.profile import flat_profile
from pomp_clang.analysis.properties import find, lasting
from pomp_clang.experiment.model import Experiment
from pomp_clang.report.about import facts, hints, warnings
from pomp_clang.report.html import overview
from pomp_clang.report.html.bars import FULL, PARTS
from pomp_clang.report.html.callpath_view import KINDS, callpaths_view
from pomp_clang.report.html.column_meanings import COLUMN_MEANINGS
from pomp_clang.report.html.cost import cost_view
from pomp_clang.report.html.counter_table import counter_table
from pomp_clang.report.html.document import page
from pomp_clang.report.html.excerpt import Sources
from pomp_clang.report.html.finding import finding
from pomp_clang.report.html.history import HEIGHT, history
from pomp_clang.report.html.region_view import CHART, region_views
from pomp_clang.report.options import Options, ordered
from pomp_clang.report.sources import common_folder, named_from
from pomp_clang.report.text_properties import LEAST

_FIRST = 8
"""So many findings and parallel regions are seen at once, the rest on request."""


def render(
    experiment: Experiment,
    options: Options,
    cost: Perturbation | None = None,
    notes: tuple[str, ...] = (),
) -> str:
    """`notes` are what else there is to warn of."""
    shown = context(experiment, options, cost)
    shown["warnings"] += notes
    return page("profile.html", **shown)


def context(experiment: Experiment, options: Options, cost: Perturbation | None) -> dict[str, Any]:
    """What the template is filled with."""
    folder = common_folder(experiment)
    named = {region.id: region for region in named_from(experiment, folder).regions}
    profiles = flat_profile(experiment)
    analysis = analyse(experiment, profiles)
    found = find(profiles, analysis)
    breakdown = break_down(analysis)
    shown = ordered(profiles, analysis, options.sort or "overhead")[: options.top]
    findings = [finding(each, named) for each in found]
    sources = Sources(experiment, options.sources)
    views = region_views(shown, named, analysis, findings, sources, options.threads)
    counted = counting(experiment)
    return {
        "experiment": experiment,
        "facts": facts(experiment, folder, lasting(experiment.duration)),
        "warnings": warnings(experiment),
        "hints": hints(experiment),
        "parts": overview.parts(breakdown),
        "breakdown": overview.breakdown_bar(breakdown),
        "costs": cost_view(cost, named, options.subtract) if cost else None,
        "counters": counter_table(counted, named) if counted else None,
        "history": history(experiment),
        "history_height": HEIGHT,
        "charges": overview.charges(analysis, named),
        "classes": tuple(overhead.value for overhead in analysis.classes),
        "orphaned": overview.orphaned(analysis),
        "findings": findings,
        "worth": min(_FIRST, sum(each.share >= LEAST for each in found)),
        "views": views,
        "hidden": len(profiles) - len(shown),
        "here": {view.region.id for view in views},
        "kinds": sorted({view.region.kind for view in views}),
        "callpaths": callpaths_view(experiment, named, analysis.totalT),
        "kinds_of": KINDS,
        "first": _FIRST,
        "full": FULL,
        "chart": CHART,
        "legend": tuple(style for style in PARTS if style != "mpi" or experiment.mpi),
        "columns": tuple(
            (name, meaning)
            for name, meaning in COLUMN_MEANINGS.items()
            if any(name in view.columns for view in views)
        ),
    }
