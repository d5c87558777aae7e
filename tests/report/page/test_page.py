"""The page of a run with causes, in a real browser: what a person sees and can do there."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from pomp_clang.analysis.properties import lasting
from pomp_clang.causes.cube.instance_statistics import BUCKETS, GROUPS, WORST, InstanceTables
from pomp_clang.causes.timeline.places import Place, Thread
from pomp_clang.report.page.render import Tab, TabContent
from pomp_clang.report.phrases import percent
from tests.report.html.browser import Browser
from tests.report.html.test_in_browser import HOSTILE
from tests.report.page.cubes import (
    LATE,
    LOOP,
    SMALL,
    click,
    is_silent,
    open_page,
    page_of,
    profile,
    rows,
    selected,
)

_TEXT = "document.querySelector('{}').textContent"


def _keys(chromium: Browser, *keys: str) -> None:
    for key in keys:
        chromium.press(key, key if len(key) == 1 else "")


def _focus(chromium: Browser, tree: str) -> None:
    chromium.value(f"document.getElementById('tree-{tree}').focus()")


def _names(chromium: Browser, tree: str) -> list[str]:
    return [name for name, _ in rows(chromium, tree)]


def _expanded(chromium: Browser) -> object:
    chosen = "document.querySelector('#tree-property [aria-selected=true]')"
    return chromium.value(f"{chosen}.getAttribute('aria-expanded')")


def test_the_keyboard_alone(chromium: Browser, tmp_path: Path) -> None:
    """Keys act as in the WAI-ARIA pattern of trees."""
    open_page(chromium, page_of(tmp_path))
    _focus(chromium, "property")
    _keys(chromium, "Home")
    assert selected(chromium, "property") == "Time" and _expanded(chromium) == "true"
    _keys(chromium, "ArrowLeft")
    assert _expanded(chromium) == "false" and _names(chromium, "property") == ["Time", "Visits"]
    _keys(chromium, "ArrowRight", "ArrowRight")
    assert selected(chromium, "property") == "Wait"
    _keys(chromium, "ArrowRight")
    assert selected(chromium, "property") == "Late" and _expanded(chromium) is None
    _keys(chromium, "ArrowDown")
    assert selected(chromium, "property") == "Unfinished"
    _keys(chromium, "ArrowLeft")
    assert selected(chromium, "property") == "Wait"
    _keys(chromium, "Enter")
    assert _names(chromium, "property") == ["Time", "Wait", "Visits"]
    _keys(chromium, "End")
    assert selected(chromium, "property") == "Visits"
    _keys(chromium, "ArrowUp", "ArrowUp", "ArrowUp", "ArrowUp")
    assert selected(chromium, "property") == "Time"
    chromium.value("pomp.TreeView.PATIENCE = 1e6")
    _keys(chromium, "l", "a")  # the search finds closed rows, too
    assert selected(chromium, "property") == "Late"
    assert is_silent(chromium)


def test_what_the_rows_are_told_to_be(chromium: Browser, tmp_path: Path) -> None:
    open_page(chromium, page_of(tmp_path))
    row = "document.querySelector('#tree-property .row:nth-child(4)')"
    names = ("role", "aria-level", "aria-posinset", "aria-setsize", "aria-selected", "aria-label")
    actual = [chromium.value(f"{row}.getAttribute('{name}')") for name in names]
    assert actual == ["treeitem", "3", "2", "2", "false", "Unfinished, 2.5 %"]
    tree = "document.getElementById('tree-property')"
    assert chromium.value(f"{tree}.getAttribute('role')") == "tree"


def test_finding_by_a_part_of_the_name(chromium: Browser, tmp_path: Path) -> None:
    open_page(chromium, page_of(tmp_path))
    click(chromium, "path", "app", "twist")
    chromium.value("document.querySelectorAll('[data-find]')[1].focus()")
    _keys(chromium, *"app.c")
    assert selected(chromium, "path") == "parallel"
    chromium.press("Enter", "\r")
    assert selected(chromium, "path") == "for"
    _keys(chromium, *":20x")
    invalid = "document.querySelectorAll('[data-find]')[1].getAttribute('aria-invalid')"
    assert chromium.value(invalid) == "true"
    chromium.press("Escape")
    assert chromium.value("document.activeElement.id") == "tree-path"


def test_the_worst_causes_lead_to_their_place(chromium: Browser, tmp_path: Path) -> None:
    open_page(chromium, page_of(tmp_path))
    items = "[...document.querySelectorAll('#worst button')]"
    text = chromium.value(f"{items}.map(e => [...e.children].map(c => c.textContent).join('|'))")
    assert text == [
        "Late|saves 15.0 %|for app.c:12|2.04 s, 10.2 %|",
        "Late|saves 15.0 %|parallel app.c:10|1.00 s, 5.0 %|",
        "Unfinished|saves 15.0 %|critical (x) app.c:20|500 ms, 2.5 %|",
    ]
    assert chromium.value(_TEXT.format("#about [data-part=gain]")) == (
        "Removing it would save 1.50 s (15.0 % of the run time)."
    )
    chromium.value(f"{items}[2].click()")
    assert selected(chromium, "property") == "Unfinished"
    assert selected(chromium, "path") == "critical (x)"
    current = f"{items}.map(e => e.getAttribute('aria-current'))"
    assert chromium.value(current) == ["false", "false", "true"]
    click(chromium, "property", "Wait", "twist")
    click(chromium, "path", "parallel", "twist")
    assert chromium.value(current) == ["true", "true", "true"]


def test_the_worst_causes_are_one_stop_of_the_tab_key(chromium: Browser, tmp_path: Path) -> None:
    open_page(chromium, page_of(tmp_path))
    items = "[...document.querySelectorAll('#worst button')]"
    at = f"{items}.indexOf(document.activeElement)"
    chromium.value(f"{items}[0].focus()")
    seen = []
    for key in ("ArrowDown", "ArrowDown", "ArrowDown", "ArrowUp", "End", "Home", "End"):
        _keys(chromium, key)
        seen.append(chromium.value(at))
    assert seen == [1, 2, 2, 1, 2, 0, 2]
    chromium.press("Enter", "\r")
    assert selected(chromium, "property") == "Unfinished"
    chromium.press("Tab")
    assert chromium.value(at) == -1
    assert chromium.value(f"{items}.map(e => e.tabIndex)") == [-1, -1, 0]


def test_a_cause_says_how_often_it_was_and_when_the_worst_was(
    chromium: Browser, tmp_path: Path
) -> None:
    """A saved cube, which has no time line, shows them too; if they are unknown, the page omits
    them.
    """
    hidden = "document.querySelector('#about [data-part=instances]').hidden"
    open_page(chromium, page_of(tmp_path))
    assert chromium.value(hidden) is True
    tally = InstanceTables(
        np.array([(LATE, LOOP, 1, 2.04, 0, 2.04)], GROUPS),
        np.array([(LATE, LOOP, 0x4000, 1, 2.04)], BUCKETS),
        np.array([(LATE, LOOP, 1, 1, 3.04, 2.04, -1, -1, -1, 0)], WORST),
    )
    open_page(chromium, page_of(tmp_path, replace(SMALL, instances=tally)))
    assert chromium.value(hidden) is False
    text = chromium.value(_TEXT.format("#about [data-part=often]"))
    assert text == "Once: 2.04 s on thread 1, from 1.00 to 3.04 s."


def test_what_was_not_predicted_is_not_said_to_gain(chromium: Browser, tmp_path: Path) -> None:
    gains = "[...document.querySelectorAll('#worst .gain')].map(e => e.textContent)"
    open_page(chromium, page_of(tmp_path, gain=None))
    assert chromium.value(gains) == ["", "", ""]
    assert chromium.value("document.querySelector('[data-part=gains]').hidden") is True
    assert chromium.value("document.querySelector('[data-part=worth]').hidden") is True
    open_page(chromium, page_of(tmp_path, gain=1e-6))
    assert chromium.value(gains) == ["saves nothing"] * 3


def test_the_source_beside_the_selection(chromium: Browser, tmp_path: Path) -> None:
    experiment = profile(tmp_path)
    paths = tuple(
        replace(path, file=str(tmp_path / path.file) if path.file else "") for path in SMALL.paths
    )
    open_page(chromium, page_of(tmp_path, replace(SMALL, paths=paths), experiment))
    marked = "[...document.querySelectorAll('#source .begin')].map(e => e.textContent)"
    assert chromium.value(marked) == ["12line 12"]
    assert chromium.value(_TEXT.format("#source [data-part=clauses]")) == "schedule(static)"
    assert chromium.value(_TEXT.format("#source [data-part=path]")) == "app › parallel › "  # noqa: RUF001
    click(chromium, "path", "app")
    assert chromium.value("document.querySelector('#source .source').checkVisibility()") is False
    click(chromium, "path", "for")
    chromium.value("document.querySelector('#source [data-part=profile]').click()")
    chromium.until("document.getElementById('R00002').checkVisibility()")
    assert chromium.value("document.getElementById('view-causes').hidden") is True
    assert is_silent(chromium)


def test_each_view_is_a_tab(chromium: Browser, tmp_path: Path) -> None:
    script = (
        "document.addEventListener('pomp:show', async (event) => { if (event.detail.view === "
        "'view-more') document.getElementById('more').textContent = await pomp.json('more-data'); });"
    )
    parts = TabContent(
        '<p id="more"></p>', {"more-data": b'"unpacked"'}, script, "#more { color: rgb(1, 2, 3) }"
    )
    open_page(chromium, page_of(tmp_path, tabs=(Tab("view-more", "More", parts),)))
    visible = (
        "[...document.querySelectorAll('main > section')].filter(e => !e.hidden).map(e => e.id)"
    )
    assert chromium.value(visible) == ["view-causes"]
    chromium.value("document.querySelector('[role=tab]').focus()")
    _keys(chromium, "ArrowRight")
    assert chromium.value(visible) == ["view-more"]
    chromium.until(f"{_TEXT.format('#more')} === 'unpacked'")
    assert (
        chromium.value("getComputedStyle(document.getElementById('more')).color") == "rgb(1, 2, 3)"
    )
    _keys(chromium, "ArrowRight")
    assert chromium.value(visible) == ["view-profile"]
    assert is_silent(chromium)


def test_the_trees_do_not_wait_for_the_rest_of_the_page(chromium: Browser, tmp_path: Path) -> None:
    page = page_of(tmp_path, experiment=profile(tmp_path))
    text = page.read_text(encoding="utf-8")
    whole = text.index('<section id="view-profile"')
    page.write_text(f"{text[:whole]}<section id='view-profile'>on its way", encoding="utf-8")
    open_page(chromium, page)
    assert chromium.value("document.querySelectorAll('#tree-path [role=treeitem]').length") > 1
    rest = "document.getElementById('view-profile').checkVisibility()"
    assert chromium.value(rest) is False
    assert is_silent(chromium)


@pytest.mark.parametrize("width", [400, 1400])
def test_the_worst_causes_stand_above_the_trees(
    chromium: Browser, tmp_path: Path, width: int
) -> None:
    open_page(chromium, page_of(tmp_path), width)
    tops = "[...document.querySelectorAll('#worst li, #about, .pane')].map(e => e.offsetTop)"
    actual = chromium.value(tops)
    assert max(actual[:-3]) < min(actual[-3:]) and actual[0] < 450


def test_what_cannot_be_trusted_is_said_on_every_tab(chromium: Browser, tmp_path: Path) -> None:
    experiment = replace(profile(), complete=False, processors=1)
    open_page(chromium, page_of(tmp_path, experiment=experiment))
    is_seen = "[...document.querySelectorAll('.banner p')].every((each) => each.checkVisibility())"
    for tab in ("view-causes", "view-profile"):
        chromium.value(f"document.querySelector('a[href=\"#{tab}\"]').click()")
        assert chromium.value(is_seen)
    text = chromium.value(_TEXT.format(".banner"))
    assert "ended early" in text and "Oversubscription" in text


def test_the_facts_of_the_run_are_one_line_that_unfolds(chromium: Browser, tmp_path: Path) -> None:
    open_page(chromium, page_of(tmp_path))
    facts = "document.querySelector('.facts').checkVisibility()"
    assert chromium.value(facts) is False
    chromium.value("document.querySelector('.run summary').click()")
    assert chromium.value(facts) is True


@pytest.mark.parametrize("width", [400, 420, 700, 1000, 1400])
def test_no_page_is_wider_than_the_window(chromium: Browser, tmp_path: Path, width: int) -> None:
    paths = (*SMALL.paths[:3], Place(1, "critical", "x" * 300, "y" * 300 + ".c", 20))
    open_page(chromium, page_of(tmp_path, replace(SMALL, paths=paths)), width)
    page = "document.documentElement"
    assert chromium.value(f"{page}.scrollWidth <= {page}.clientWidth")


def test_the_bars_between_the_trees_are_moved(chromium: Browser, tmp_path: Path) -> None:
    open_page(chromium, page_of(tmp_path))
    width = "document.querySelector('.pane').offsetWidth"
    before = chromium.value(width)
    chromium.value("document.querySelector('.splitter').focus()")
    _keys(chromium, "ArrowRight", "ArrowRight")
    assert chromium.value(width) == pytest.approx(before + 0.04 * 1150, abs=8)
    now = "document.querySelector('.splitter').getAttribute('aria-valuenow')"
    assert int(chromium.value(now)) == pytest.approx(100 / 3 + 4, abs=1)
    _keys(chromium, *["ArrowLeft"] * 40)
    assert chromium.value(width) > 100


def test_what_is_selected_is_said_of_its_location(chromium: Browser, tmp_path: Path) -> None:
    open_page(chromium, page_of(tmp_path))
    actual = _TEXT.format("#about [data-part=location]")
    assert chromium.value(actual) == ""
    click(chromium, "location", "thread 0")
    assert chromium.value(actual) == "thread 0: 2.00 s, 10.0 % of the threads' time"


def test_times_and_shares_are_said_as_in_texts(chromium: Browser, tmp_path: Path) -> None:
    open_page(chromium, page_of(tmp_path))
    values = [0.0, 1e-9, 2.34e-7, 4.5e-5, 0.00999, 0.5, 9.5, 12.34, 5e3]
    text = chromium.value(f"{values}.map(pomp.lasting)")
    assert text == list(map(lasting, values))
    shares = [value / 1e4 for value in values if value not in (1e-9, 2.34e-7)]
    assert chromium.value(f"{shares}.map(pomp.percent)") == list(map(percent, shares))


def test_light_and_dark(chromium: Browser, tmp_path: Path) -> None:
    page = page_of(tmp_path)
    pane = "getComputedStyle(document.querySelector('.pane')).backgroundColor.match(/\\d+/g)"
    open_page(chromium, page)
    assert min(map(int, chromium.value(pane))) > 200
    open_page(chromium, page, dark=True)
    assert max(map(int, chromium.value(pane))) < 60


def test_hostile_text_stays_text(chromium: Browser, tmp_path: Path) -> None:
    metrics = tuple(
        replace(metric, name=text, description=text, advice=text)
        for metric, text in zip(SMALL.metrics, HOSTILE, strict=False)
    )
    paths = tuple(
        replace(path, name=text, file=f"{text}.c" if path.line else "")
        for path, text in zip(SMALL.paths, HOSTILE, strict=False)
    )
    threads = tuple(
        Thread(text, text, 0, row) for row, text in enumerate(HOSTILE[: len(SMALL.threads)])
    )
    hostile = replace(SMALL, program=HOSTILE[0], metrics=metrics, paths=paths, threads=threads)
    open_page(chromium, page_of(tmp_path, hostile, replace(profile(), program=HOSTILE[0])))
    assert chromium.value("window.hit") is None
    assert chromium.value("document.querySelectorAll('img').length") == 0
    assert _names(chromium, "property")[:4] == list(HOSTILE[:4])
    assert r"grün \u202eevil\u202c " in _names(chromium, "property")[4]
    assert is_silent(chromium)


def test_printing_shows_all_rows(chromium: Browser, tmp_path: Path) -> None:
    paths = (*SMALL.paths, *(Place(0, "for", f"n{n}", "a.c", n) for n in range(400)))
    open_page(chromium, page_of(tmp_path, replace(SMALL, paths=paths)))
    drawn = "document.querySelectorAll('#tree-path .row').length"
    assert chromium.value(drawn) < 60
    chromium.value("dispatchEvent(new Event('beforeprint'))")
    assert chromium.value(drawn) == 404
    chromium.value("dispatchEvent(new Event('afterprint'))")
    assert chromium.value(drawn) < 60


def test_without_its_script_it_says_so_and_has_the_profile(
    chromium: Browser, tmp_path: Path
) -> None:
    chromium.open(page_of(tmp_path), script=False)
    assert chromium.value("document.getElementById('view-profile').checkVisibility()") is True
    assert "pomp-clang analyze" in chromium.value(_TEXT.format("noscript"))
