"""Templates receive exactly the names that they use: no name is missing or passed twice."""

from __future__ import annotations

from typing import Any

import pytest
from jinja2 import Environment, FileSystemLoader, meta, nodes

from pomp_clang.report.html import document
from pomp_clang.report.html import job as job_page
from pomp_clang.report.html import profile as profile_page
from pomp_clang.report.model import profile_report
from pomp_clang.report.options import Options
from pomp_clang.report.page.render import render, render_causes, render_job
from tests.handmade import ocean
from tests.report.page.cubes import SMALL, causes
from tests.report.test_job_reports import job

_HERE = Environment(loader=FileSystemLoader(document._FOLDERS))
_HERE.filters |= {"what": str, "place": str}

_OF_ALL = {"style", "early", "late", "policy", "names"}
"""Names that every page defines itself."""

Given = dict[str, set[str]]


def _template_names(*templates: str) -> set[str]:
    """Return the names used by some templates and by all that these include."""
    result: set[str] = set()
    seen: set[str] = set()

    def look(name: str) -> None:
        if name in seen or _HERE.loader is None:
            return
        seen.add(name)
        tree = _HERE.parse(_HERE.loader.get_source(_HERE, name)[0])
        own = {str(macro.name) for macro in tree.find_all(nodes.Macro)}
        own |= {
            str(name) for imported in tree.find_all(nodes.FromImport) for name in imported.names
        }
        result.update(meta.find_undeclared_variables(tree) - own)
        for template in meta.find_referenced_templates(tree):
            if template is not None:
                look(template)

    for name in templates:
        look(name)
    return result - _HERE.globals.keys() - _OF_ALL


@pytest.fixture
def page_context(monkeypatch: pytest.MonkeyPatch) -> Given:
    """Return, by template, the names passed to it."""
    result: Given = {}
    fill = document.filled

    def noting(template: str, **context: Any) -> str:
        result[template] = set(context) - _OF_ALL
        return fill(template, **context)

    monkeypatch.setattr(document, "filled", noting)
    return result


def test_a_profile_has_what_its_template_wants(page_context: Given) -> None:
    profile_page.render(profile_report(ocean()), Options())
    assert page_context["profile.html"] == _template_names("profile.html")


def test_a_jobs_page_has_what_its_template_wants(page_context: Given) -> None:
    job_page.render(job(2), Options())
    assert page_context["job.html"] == _template_names("job.html")


def test_a_page_of_causes_has_what_its_template_wants(page_context: Given) -> None:
    """A page of causes has no profile, or that of a run or a job. It uses all names of the
    profile's template except those for the program's name.
    """
    actual = causes(SMALL, None)
    own = _template_names("presenter.html")
    render_causes(actual, ())
    assert page_context["presenter.html"] == own
    render(profile_report(ocean()), Options(), actual)
    assert page_context["presenter.html"] - {"experiment"} == own | _template_names(
        "profile_body.html", "profile_sections.html"
    )
    render_job(job(2), Options(), actual)
    assert page_context["presenter.html"] - {"program"} == own | _template_names(
        "job_body.html", "job_sections.html"
    )


def test_a_name_that_is_brought_twice_is_an_error() -> None:
    with pytest.raises(ValueError, match="brought twice: b, c"):
        document.merged({"a": 1, "b": 2, "c": 3}, {"c": 3, "b": 4})
