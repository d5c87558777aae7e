"""A run as one page: its causes in three linked trees, its time line, its profile."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from markupsafe import Markup

from pomp_clang.analysis.job import Job
from pomp_clang.analysis.perturbation import Perturbation
from pomp_clang.analysis.properties import lasting
from pomp_clang.experiment.model import Experiment
from pomp_clang.report.html import job_page, profile_page
from pomp_clang.report.html.document import Carried, merged, page
from pomp_clang.report.html.excerpt import Sources
from pomp_clang.report.job_about import joined_regions
from pomp_clang.report.options import Options
from pomp_clang.report.presenter.causes import Causes
from pomp_clang.report.presenter.columns import columns_of, planes
from pomp_clang.report.presenter.parts import Parts
from pomp_clang.report.presenter.tables import Told, tables_of
from pomp_clang.report.wording import number, until

_HERE = Path(__file__).parent

_TREES = (
    "load.js", "forest.js", "cube.js", "scale.js", "tree_view.js", "find.js", "splitter.js",
    "about.js", "source.js", "presenter.js",
)  # fmt: skip
"""They stand right behind the trees, which are there before the rest of the page has come."""


@dataclass(frozen=True, slots=True)
class Tab:
    """`id` is where a link leads to; the page opens on one that is `first`, else on the causes."""

    id: str
    title: str
    parts: Parts
    first: bool = False


@dataclass(frozen=True, slots=True)
class Profile:
    """The tab with a profile: its templates begin with that name, and there is none without."""

    template: str
    context: Mapping[str, Any]
    styles: tuple[str, ...] = ()


def render(
    experiment: Experiment,
    options: Options,
    cost: Perturbation | None,
    causes: Causes,
    tabs: tuple[Tab, ...] = (),
) -> str:
    """With the profile of the run."""
    context = profile_page.context(experiment, options, cost)
    sources = Sources(experiment, options.sources)
    told = Told((experiment,), sources, frozenset(context["here"]))
    return _page(causes, told, tabs, Profile("profile", context))


def render_job(job: Job, options: Options, causes: Causes, tabs: tuple[Tab, ...] = ()) -> str:
    """With the profile of its processes."""
    context = job_page.context(job, options)
    joined = joined_regions(job)
    told = Told((joined,), Sources(joined, options.sources), frozenset(context["here"]))
    return _page(causes, told, tabs, Profile("job", context, job_page.STYLES))


def render_causes(
    causes: Causes, experiments: tuple[Experiment, ...], tabs: tuple[Tab, ...] = ()
) -> str:
    """Of what has no profile of its own: several processes, a part of a run, a trace of another
    tool.  `experiments` are those that there are of it."""
    sources = Sources(experiments[0], True) if experiments else None
    return _page(causes, Told(experiments, sources), tabs, Profile("", {}))


def _page(causes: Causes, told: Told, tabs: tuple[Tab, ...], profile: Profile) -> str:
    columns = columns_of(causes.cube)
    tables = tables_of(causes, columns, told)
    several = len({each.process for each in causes.cube.threads})
    early = Carried(
        {
            "cube": tables.cube,
            "cube-sources": tables.sources,
            "cube-paths": planes(columns.path),
            "cube-threads": planes(columns.thread),
            "cube-values": planes(columns.value),
        },
        ("".join(map(_text, _TREES)),),
    )
    late = Carried(
        {name: each for tab in tabs for name, each in tab.parts.data.items()},
        (*(tab.parts.script for tab in tabs if tab.parts.script), _text("tabs.js")),
    )
    return page(
        "presenter.html",
        styles=(_text("presenter.css"), *profile.styles, *(tab.parts.style for tab in tabs)),
        early=early,
        late=late,
        **merged(
            profile.context,
            {
                "notes": causes.notes,
                "program_name": causes.cube.program,
                "duration": until(lasting(causes.cube.duration), causes.cube.complete),
                "threads": number(len(causes.cube.threads), "thread"),
                "processes_said": f" in {number(several, 'process')}" if several > 1 else "",
                "tabs": [(tab.id, tab.title, Markup(tab.parts.html)) for tab in tabs],
                "opens_on": next((tab.id for tab in tabs if tab.first), ""),
                "profile": profile.template,
            },
        ),
    )


def _text(name: str) -> str:
    return (_HERE / name).read_text(encoding="utf-8")
