"""The profile as a page, in a real browser: what a person sees and can do there."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pomp_clang.experiment.model import Experiment
from pomp_clang.report.html.profile import render
from pomp_clang.report.model import profile_report
from pomp_clang.report.options import Options
from tests.handmade import experiment, ocean, region
from tests.report.html.browser import Browser
from tests.report.html.test_callpaths import with_tasks

HOSTILE = (
    "<script>window.hit=1</script>",
    "\"><img src=x onerror='window.hit=1'>",
    "</style></script><svg onload=window.hit=1>",
    "{{ 7 * 7 }} {% raw %}",
    "grün \N{RIGHT-TO-LEFT OVERRIDE}evil\N{POP DIRECTIONAL FORMATTING} \U0001f30a",
    "bell \x07 escape \x1b[31m nul-free",
)


def _page(experiment: Experiment, folder: Path, options: Options | None = None) -> Path:
    path = folder / "page.html"
    path.write_text(render(profile_report(experiment), options or Options()), encoding="utf-8")
    return path


def _with_source(folder: Path) -> Experiment:
    """Return the ocean, with a source text of one line for each number."""
    source = folder / "ocean.c"
    source.write_text("".join(f"line {n} of the ocean\n" for n in range(1, 121)))
    experiment = ocean()
    return replace(
        experiment, regions=tuple(replace(r, file=str(source)) for r in experiment.regions)
    )


_IDS = "[...document.querySelectorAll('#table tbody tr:not([hidden]) th')].map(e=>e.textContent)"


def _is_silent(chromium: Browser) -> bool:
    assert chromium.complaints() == []
    assert chromium.requests() == []
    return True


def _sort_by(chromium: Browser, heading: str) -> str:
    heads = "[...document.querySelectorAll('#table thead th')]"
    heading_element = f"{heads}.find(e => e.textContent === '{heading}')"
    chromium.value(f"{heading_element}.querySelector('button').click()")
    return str(chromium.value(f"{heading_element}.getAttribute('aria-sort')"))


def test_sorting(chromium: Browser, tmp_path: Path) -> None:
    chromium.open(_page(ocean(), tmp_path))
    assert chromium.value(_IDS)[:3] == ["R00001", "R00002", "R00005"]
    assert _sort_by(chromium, "execC") == "descending"
    assert chromium.value(_IDS)[:2] == ["R00008", "R00005"]
    assert _sort_by(chromium, "execC") == "ascending"
    assert chromium.value(_IDS)[:2] == ["R00010", "R00009"]
    assert _sort_by(chromium, "kind") == "ascending"
    assert chromium.value(_IDS)[:2] == ["R00008", "R00006"]
    assert _sort_by(chromium, "place") == "ascending"
    assert chromium.value(_IDS)[-2:] == ["R00008", "R00010"]
    assert chromium.value("document.querySelectorAll('[aria-sort]').length") == 1
    assert _is_silent(chromium)


def test_filtering_by_words_and_by_kind(chromium: Browser, tmp_path: Path) -> None:
    chromium.open(_page(ocean(), tmp_path))
    typed = "const f=document.getElementById('filter'); f.value='{}'; f.dispatchEvent(new Event('input'))"
    chromium.value("{" + typed.format("OCEAN.c count") + "}")
    assert chromium.value(_IDS) == ["R00008"]
    assert chromium.value("document.getElementById('count').textContent") == "1 of 10"
    visible = "[...document.querySelectorAll('details.region:not([hidden])')].length"
    assert chromium.value(visible) == 1
    chromium.value("{" + typed.format("") + "}")
    chromium.value(
        "{const k=document.getElementById('kind'); k.value='for'; k.dispatchEvent(new Event('input'))}"
    )
    assert chromium.value(_IDS) == ["R00002"]
    assert _is_silent(chromium)


def test_a_link_opens_the_region(chromium: Browser, tmp_path: Path) -> None:
    chromium.open(_page(ocean(), tmp_path))
    opened = "document.getElementById('R00006').closest('details').open"
    assert chromium.value(opened) is False
    chromium.value("document.querySelector('#table a[href=\"#R00006\"]').click()")
    chromium.until(opened)
    chromium.value("document.querySelector('#profiles [data-open=\"\"]').click()")
    assert chromium.value("document.querySelectorAll('details.region[open]').length") == 0


def test_the_source_of_a_region_is_shown_with_its_lines_marked(
    chromium: Browser, tmp_path: Path
) -> None:
    chromium.open(_page(_with_source(tmp_path), tmp_path))
    cells = "[...e.cells].map(cell => cell.textContent).join(' | ')"
    rows = f"[...document.querySelectorAll('#R00002 .source tr{{}}')].map(e => {cells})"
    lines = chromium.value(rows.format(""))
    assert [line.split(" | ")[0] for line in lines] == [str(n) for n in range(10, 23)]
    assert lines[2] == "12 | line 12 of the ocean"
    assert chromium.value(rows.format(".begin")) == ["12 | line 12 of the ocean"]
    assert chromium.value(rows.format(".end")) == ["20 | line 20 of the ocean"]
    # A region that begins within this one is a link.
    links = "[...document.querySelectorAll('#R00009 .source a')].map(e => e.textContent)"
    assert chromium.value(links) == ["R00008", "R00010"]
    assert _is_silent(chromium)


def test_a_tab_leads_to_the_next_multiple_of_eight(chromium: Browser, tmp_path: Path) -> None:
    source = tmp_path / "tabs.c"
    source.write_text("\tx\n        x\n    \tx\n")
    run = experiment([region("R00001", "for", 1, 3, file=str(source))], {})
    chromium.open(_page(run, tmp_path))
    widths = "[...document.querySelectorAll('.source code')].map(e => e.offsetWidth)"
    assert len(set(chromium.value(widths))) == 1


def test_source_text_is_left_out_on_request(chromium: Browser, tmp_path: Path) -> None:
    chromium.open(_page(_with_source(tmp_path), tmp_path, Options(sources=False)))
    assert chromium.value("document.querySelectorAll('.source').length") == 0
    assert "of the ocean" not in chromium.value("document.body.textContent")


def test_hostile_text_stays_text(chromium: Browser, tmp_path: Path) -> None:
    source = tmp_path / '<script>window.hit=2<\N{FRACTION SLASH}script> & "it\'s".c'
    source.write_text("".join(f"{text}\n" for text in HOSTILE) * 3, encoding="utf-8")
    regions = [
        region(
            f"R{n:05}", "critical", n, n + 1, file=str(source),
            sub_name=text, function=text, clauses=text,
        )
        for n, text in enumerate(HOSTILE, 1)
    ]  # fmt: skip
    more: dict[str, Any] = {
        name: HOSTILE[n] for n, name in enumerate(("program", "host", "clock", "directory"))
    }
    run = experiment(regions, {}, command_line=HOSTILE, openmp_runtime=HOSTILE[5], **more)
    chromium.open(_page(run, tmp_path))
    assert chromium.value("window.hit") is None
    assert chromium.value("document.querySelectorAll('script, img').length") == 1
    assert _is_silent(chromium)
    assert chromium.value("document.querySelector('h1').textContent") == HOSTILE[0]
    lines = "[...document.querySelectorAll('#R00003 .source code')].map(e => e.textContent)"
    assert chromium.value(lines)[:4] == list(HOSTILE[:4])
    text = chromium.value("document.documentElement.textContent")
    assert r"grün \u202eevil\u202c " in text
    assert r"bell \x07 escape \x1b[31m" in text
    assert not [c for c in text if ord(c) < 32 and c not in "\n\t"]


@pytest.mark.parametrize("width", [400, 800, 1600])
def test_no_page_is_wider_than_the_window(chromium: Browser, tmp_path: Path, width: int) -> None:
    chromium.open(_page(_with_source(tmp_path), tmp_path), width)
    chromium.value("document.querySelectorAll('details').forEach(e => { e.open = true })")
    page = "document.documentElement"
    assert chromium.value(f"{page}.scrollWidth <= {page}.clientWidth")


def _shown_paths(chromium: Browser) -> list[str]:
    summaries = "[...document.querySelectorAll('.path > summary')]"
    return list(chromium.value(f"{summaries}.filter(e => e.checkVisibility()).map(e => e.id)"))


def test_the_tree_of_call_paths(chromium: Browser, tmp_path: Path) -> None:
    chromium.open(_page(with_tasks(), tmp_path))
    assert _shown_paths(chromium) == [f"C{n:05}" for n in range(1, 7)]
    lengths = chromium.value(
        "[...document.querySelectorAll('.path > summary .bar')].map(e => e.clientWidth)"
    )
    assert len(set(lengths)) == 1
    chromium.value("document.querySelector('#callpaths [data-open=\"\"]').click()")
    assert _shown_paths(chromium) == ["C00001"]
    # A slice of the picture leads to its path, however deep that is folded away.
    chromium.value(
        "document.querySelector('.levels a[href=\"#C00004\"]')"
        ".dispatchEvent(new MouseEvent('click', {bubbles: true, cancelable: true}))"
    )
    chromium.until("document.getElementById('C00004').checkVisibility()")
    assert _shown_paths(chromium) == ["C00001", "C00002", "C00003", "C00004", "C00005", "C00006"]
    # A path leads to its region's source and columns.
    chromium.value("document.querySelector('#C00006 a[href=\"#R00004\"]').click()")
    chromium.until("document.getElementById('R00004').closest('details').open")
    assert _is_silent(chromium)


def test_each_thread_of_a_call_path_on_demand(chromium: Browser, tmp_path: Path) -> None:
    chromium.open(_page(with_tasks(), tmp_path), script=False)
    rows = "[...document.querySelectorAll('#C00002 ~ .by tbody tr')]"
    assert chromium.value(f"{rows}.some(e => e.checkVisibility())") is False
    chromium.value("document.querySelector('#C00002 ~ .by').open = true")
    assert chromium.value(f"{rows}.filter(e => e.checkVisibility()).length") == 2


def test_names_in_the_picture_stay_within_their_slice(chromium: Browser, tmp_path: Path) -> None:
    chromium.open(_page(with_tasks(), tmp_path), 400)
    ends = (
        "[...document.querySelectorAll('.levels a > svg')].map(e => getComputedStyle(e).overflow)"
    )
    assert set(chromium.value(ends)) == {"hidden"}
    page = "document.documentElement"
    assert chromium.value(f"{page}.scrollWidth <= {page}.clientWidth")


def test_light_and_dark(chromium: Browser, tmp_path: Path) -> None:
    page = _page(ocean(), tmp_path)
    ground = "getComputedStyle(document.body).backgroundColor.match(/\\d+/g).map(Number)"
    chromium.open(page)
    assert min(chromium.value(ground)) > 200
    chromium.open(page, dark=True)
    assert max(chromium.value(ground)) < 60


def test_it_is_readable_without_its_script(chromium: Browser, tmp_path: Path) -> None:
    chromium.open(_page(_with_source(tmp_path), tmp_path), script=False)
    assert len(chromium.value(_IDS)) == 10
    assert chromium.value("document.querySelector('.filter').offsetHeight") == 0
    threads = "[...document.querySelectorAll('#R00005 .threads tbody tr')].length"
    assert chromium.value(threads) == 5
    assert chromium.value("document.querySelectorAll('#table button').length") == 0


def test_the_keyboard_alone(chromium: Browser, tmp_path: Path) -> None:
    chromium.open(_page(ocean(), tmp_path))
    chromium.press("/", "/")
    assert chromium.value("document.activeElement.id") == "filter"
    for character in "atomic":
        chromium.press(character, character)
    assert chromium.value(_IDS) == ["R00008"]
    chromium.press("Tab")
    assert chromium.value("document.activeElement.id") == "kind"
    chromium.press("Tab")
    assert chromium.value("document.activeElement.textContent") == "id"
    chromium.press("Enter", "\r")
    assert chromium.value("document.querySelector('[aria-sort]').textContent") == "id"


def test_printing_opens_what_is_folded(chromium: Browser, tmp_path: Path) -> None:
    chromium.open(_page(ocean(), tmp_path))
    chromium.value("dispatchEvent(new Event('beforeprint'))")
    assert chromium.value("document.querySelectorAll('details.region:not([open])').length") == 0
    chromium.value("dispatchEvent(new Event('afterprint'))")
    assert chromium.value("document.querySelectorAll('details.region[open]').length") == 1
