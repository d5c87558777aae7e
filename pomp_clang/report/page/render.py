"""A run as one page: its causes in three linked trees, its time line, its profile."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from markupsafe import Markup

from pomp_clang.analysis.job import JobProfile
from pomp_clang.analysis.properties import lasting
from pomp_clang.causes.cube.cube import Cube
from pomp_clang.experiment.model import Experiment
from pomp_clang.report.html import job as job_page
from pomp_clang.report.html import profile as profile_page
from pomp_clang.report.html.document import Carried, merged, page
from pomp_clang.report.html.excerpt import Sources
from pomp_clang.report.job_facts import joined_regions
from pomp_clang.report.model import ProfileReport
from pomp_clang.report.options import Options
from pomp_clang.report.page.causes import Causes
from pomp_clang.report.page.packed_columns import columns_of, planes
from pomp_clang.report.page.tables import ProgramContext, tables_of
from pomp_clang.report.phrases import number, thread_count, until


@dataclass(frozen=True, slots=True)
class TabContent:
    """`html` is trusted as it is: the program's text in it is escaped already.

    Each of `data` is an ArrayBuffer in the page, `await pomp.load(NAME)`.  `script` runs when all of
    the page is there: `pomp.selected` is what the trees have selected by then, if they have, and
    each later selection is the event `pomp:select` of the document, whose detail is the same:
    `{property, path, location}`, rows of the cube's metrics, paths and threads.  `property` and
    `path` are always rows; `location` is null where it is not a single thread.
    """

    html: str
    data: Mapping[str, bytes] = field(default_factory=dict)
    script: str = ""
    style: str = ""


_HERE = Path(__file__).parent

_TREES = (
    "load.js", "forest.js", "cube.js", "scale.js", "tree_view.js", "find.js", "splitter.js",
    "details.js", "source.js", "presenter.js",
)  # fmt: skip
"""They stand right behind the trees, which are there before the rest of the page has come."""


@dataclass(frozen=True, slots=True)
class Tab:
    """`id` is where a link leads to; the page opens on one that is `first`, else on the causes."""

    id: str
    title: str
    parts: TabContent
    first: bool = False


@dataclass(frozen=True, slots=True)
class Profile:
    """The tab with a profile: its templates begin with that name, and there is none without."""

    template: str
    context: Mapping[str, Any]
    styles: tuple[str, ...] = ()


def render(
    report: ProfileReport, options: Options, causes: Causes, tabs: tuple[Tab, ...] = ()
) -> str:
    """Render the page of one process, with the tab of its profile."""
    context = profile_page.context(report, options)
    sources = Sources(report.experiment, options.sources)
    program = ProgramContext((report.experiment,), sources, frozenset(context["here"]))
    return _page(causes, program, tabs, Profile("profile", context))


def render_job(
    job: JobProfile, options: Options, causes: Causes, tabs: tuple[Tab, ...] = ()
) -> str:
    """Render the page of a job, with the tab of its processes' profile."""
    context = job_page.context(job, options)
    joined = joined_regions(job)
    program = ProgramContext(
        (joined,), Sources(joined, options.sources), frozenset(context["here"])
    )
    return _page(causes, program, tabs, Profile("job", context, job_page.STYLES))


def render_causes(
    causes: Causes, experiments: tuple[Experiment, ...], tabs: tuple[Tab, ...] = ()
) -> str:
    """Render a page without a profile: of several directories, a part of a run, or a trace of
    another tool.

    `experiments` are the ones that the sources are read from.
    """
    sources = Sources(experiments[0], True) if experiments else None
    context = {"run_line": _run_line(causes.cube), "facts": (), "warnings": ()}
    return _page(causes, ProgramContext(experiments, sources), tabs, Profile("", context))


def _run_line(cube: Cube) -> str:
    processes = len({thread.process for thread in cube.threads})
    return " \N{MIDDLE DOT} ".join(
        (
            until(lasting(cube.duration), cube.complete),
            *([number(processes, "process")] if processes > 1 else []),
            thread_count(len(cube.threads), cube.width),
        )
    )


def _page(causes: Causes, program: ProgramContext, tabs: tuple[Tab, ...], profile: Profile) -> str:
    columns = columns_of(causes.cube)
    tables = tables_of(causes, columns, program)
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
        {name: item for tab in tabs for name, item in tab.parts.data.items()},
        (*(tab.parts.script for tab in tabs if tab.parts.script), _text("tabs.js")),
    )
    return page(
        "presenter.html",
        styles=(_text("presenter.css"), *profile.styles, *(tab.parts.style for tab in tabs)),
        early=early,
        late=late,
        **merged(
            {
                **profile.context,
                "warnings": [*dict.fromkeys((*profile.context["warnings"], *causes.notes))],
            },
            {
                "program_name": causes.cube.program,
                "tabs": [(tab.id, tab.title, Markup(tab.parts.html)) for tab in tabs],
                "opens_on": next((tab.id for tab in tabs if tab.first), ""),
                "profile": profile.template,
            },
        ),
    )


def _text(name: str) -> str:
    return (_HERE / name).read_text(encoding="utf-8")
