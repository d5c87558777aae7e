"""What templates are filled with is what they want: none of their names is missing, or brought twice."""

from __future__ import annotations

from typing import Any

import pytest
from jinja2 import Environment, FileSystemLoader, meta, nodes

from pomp_clang.report.html import document, job_page, profile_page
from pomp_clang.report.options import Options
from pomp_clang.report.presenter.page import render, render_causes, render_job
from tests.handmade import ocean
from tests.report.presenter.cubes import SMALL, causes
from tests.report.test_job_reports import job

_HERE = Environment(loader=FileSystemLoader(document._FOLDERS))
_HERE.filters |= {"what": str, "place": str}

_OF_ALL = {"style", "early", "late", "policy", "names"}
"""What every page brings itself."""

Given = dict[str, set[str]]


def _wanted(*templates: str) -> set[str]:
    """By some templates and all that these name."""
    found: set[str] = set()
    seen: set[str] = set()

    def look(name: str) -> None:
        if name in seen or _HERE.loader is None:
            return
        seen.add(name)
        tree = _HERE.parse(_HERE.loader.get_source(_HERE, name)[0])
        own = {str(each.name) for each in tree.find_all(nodes.Macro)}
        own |= {str(name) for each in tree.find_all(nodes.FromImport) for name in each.names}
        found.update(meta.find_undeclared_variables(tree) - own)
        for each in meta.find_referenced_templates(tree):
            if each is not None:
                look(each)

    for name in templates:
        look(name)
    return found - _HERE.globals.keys() - _OF_ALL


@pytest.fixture
def given(monkeypatch: pytest.MonkeyPatch) -> Given:
    """By template, the names that it is filled with."""
    found: Given = {}
    fill = document.filled

    def noting(template: str, **context: Any) -> str:
        found[template] = set(context) - _OF_ALL
        return fill(template, **context)

    monkeypatch.setattr(document, "filled", noting)
    return found


def test_a_profile_has_what_its_template_wants(given: Given) -> None:
    profile_page.render(ocean(), Options())
    assert given["profile.html"] == _wanted("profile.html")


def test_a_jobs_page_has_what_its_template_wants(given: Given) -> None:
    job_page.render(job(2), Options())
    assert given["job.html"] == _wanted("job.html")


def test_a_page_of_causes_has_what_its_template_wants(given: Given) -> None:
    """With a profile of a run or a job, of whose contexts it wants all but what names the program,
    and without one."""
    found = causes(SMALL, None)
    own = _wanted("presenter.html")
    render_causes(found, ())
    assert given["presenter.html"] == own
    render(ocean(), Options(), None, found)
    assert given["presenter.html"] - {"experiment"} == own | _wanted(
        "profile_body.html", "profile_sections.html"
    )
    render_job(job(2), Options(), found)
    assert given["presenter.html"] - {"program"} == own | _wanted(
        "job_body.html", "job_sections.html"
    )


def test_a_name_that_is_brought_twice_is_an_error() -> None:
    with pytest.raises(ValueError, match="brought twice: b, c"):
        document.merged({"a": 1, "b": 2, "c": 3}, {"c": 3, "b": 4})
