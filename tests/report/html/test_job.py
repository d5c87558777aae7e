"""The processes of a job as a page: its contents, its growth, its appearance."""

from __future__ import annotations

import re
from dataclasses import replace
from html import escape
from pathlib import Path

import pytest

from pomp_clang.analysis.job import JobProfile, over_processes
from pomp_clang.analysis.job.job_results import job_findings
from pomp_clang.report.html.job import render
from pomp_clang.report.options import Options
from tests.jobs import job
from tests.report.html.browser import Browser

_TITLES = "[...document.querySelectorAll('h2')].map(e => e.textContent)"
_WIDE = "document.documentElement.scrollWidth > document.documentElement.clientWidth"


def rows(text: str, section: str) -> list[str]:
    _, _, rest = text.partition(f'<section id="{section}"')
    return re.findall(r'<tr[^>]*><th scope="row".*?</tr>', rest.split("</section>")[0], re.DOTALL)


def cells(row: str) -> list[str]:
    return [re.sub(r"<[^>]+>", "", cell) for cell in re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row)]


def test_totals_and_the_verdict_come_first() -> None:
    text = render(job(8), Options())
    assert "<dt>Processes</dt><dd>8</dd>" in text
    assert "<dt>Threads</dt><dd>32</dd>" in text
    assert "<dt>MPI calls</dt><dd>24 recv, 24 send, 320 collective</dd>" in text
    (first, second, third) = re.findall(r"<li>(.*?)</li>", text.split('id="alike"')[1], re.DOTALL)[
        :3
    ]
    assert first.startswith("The 8 processes do not behave alike: from rank 4, ")
    assert "there are 2 groups" in first
    assert second.startswith("What differs most is the work: 17.9 s (rank 0) to 19.8 s (rank 3)")
    assert third.startswith("Where there is more MPI there is less work")


def test_few_processes_have_a_row_each_and_many_one_for_a_group() -> None:
    assert [cells(row)[0] for row in rows(render(job(8), Options()), "time")] == list("01234567")
    groups = [cells(row)[:2] for row in rows(render(job(300), Options()), "time")]
    assert groups == [["97", "269"], ["13", "30"], ["17", "1"]]


def test_regions_have_a_row_for_each_process_and_their_threads_below() -> None:
    text = render(job(3), Options())
    body = text.split('id="R00004"')[1].split('</details>\n<details class="region"')[0]
    table, inner = body.split("Threads of the processes")
    assert re.findall(r'class="n">(\w+)</th>', table)[-4:] == ["0", "1", "2", "SUM"]
    labels = re.findall(r'<th scope="row" class="n">([\d.]+)</th>', inner)
    assert labels == [f"{rank}.{tid}" for rank in range(3) for tid in range(4)]
    many = render(job(40), Options()).split('id="R00004"')[1].split("Threads of the processes")[1]
    assert re.findall(r'<th scope="row" class="n">(\w+)</th>', many)[:4] == [
        "min",
        "median",
        "mean",
        "max",
    ]


def test_differences_name_who_and_the_outliers() -> None:
    actual = {
        cells(row)[0]: cells(row)[1:] for row in rows(render(job(40), Options()), "differences")
    }
    assert actual["Synchronization"][1:] == [
        "0",
        "0.20000",
        "6.00000",
        "17",
        "5.80000",
        "14.5",
        "17",
    ]


def test_what_is_missing_is_told() -> None:
    job_profile = replace(job(2), size=3, missing=("rank-2: is damaged",))
    text = render(job_profile, Options())
    assert "<p>rank-2: is damaged</p>" in text
    assert "<p>2 of 3 processes left data here.</p>" in text


def test_processes_with_more_threads_together_than_processors_are_told() -> None:
    def warns(processors: int) -> bool:
        job_profile = job(2)
        processes = tuple(
            replace(
                process,
                run=replace(
                    process.run, experiment=replace(process.run.experiment, processors=processors)
                ),
            )
            for process in job_profile.processes
        )
        text = render(replace(job_profile, processes=processes), Options())
        return "Oversubscription: 8 threads on" in text

    assert warns(4) and not warns(8)


def test_findings_are_those_of_the_first_screen() -> None:
    """Each has the words of the process that loses most; one process is compared with none."""
    for size in (1, 4):
        run = job(size)
        text = render(run, Options())
        findings = job_findings(run)
        assert text.count('<li class="finding">') == len(findings) > 1
        assert text.index("findings-title") < text.index("time-title")
        first = findings[0]
        sentence = f"Rank {first.rank}: {first.worst.text}" if size > 1 else first.worst.text
        assert f"<p>{escape(sentence, quote=False)}</p>" in text
        assert ("Do the processes behave alike?" in text) is (size > 1)
        assert ("Differences, drawn" in text) is (size > 1)


@pytest.mark.parametrize("size", [1, 2])
def test_few_are_no_problem(size: int) -> None:
    assert "<h1>app</h1>" in render(job(size), Options())


def test_a_thousand_processes_make_no_large_page() -> None:
    sizes = {size: len(render(job(size), Options(sources=False))) for size in (300, 1000)}
    assert sizes[300] < 90_000
    assert sizes[1000] < 140_000


def test_names_are_escaped() -> None:
    hostile = "</style><script>window.hit=1</script>"
    job_profile = job(2)
    first = job_profile.processes[0]
    run = replace(
        first.run, experiment=replace(first.run.experiment, program=hostile, host=hostile)
    )
    text = render(
        over_processes([replace(first, run=run), job_profile.processes[1]], ()), Options()
    )
    assert hostile not in text


@pytest.mark.parametrize(("width", "dark"), [(1200, False), (1200, True), (380, False)])
@pytest.mark.parametrize("size", [8, 300])
def test_it_shows_in_a_browser(
    chromium: Browser, tmp_path: Path, size: int, width: int, dark: bool
) -> None:
    page = tmp_path / "job.html"
    page.write_text(render(_with_source(job(size), tmp_path), Options()), encoding="utf-8")
    chromium.open(page, width, dark=dark)
    titles = chromium.value(_TITLES)
    assert (len(titles), titles[0]) == (8, "Findings")
    assert chromium.value(_WIDE) is False
    box = "document.querySelector('.radar').getBoundingClientRect()"
    assert 300 <= chromium.value(f"{box}.width") <= width
    slices = "[...document.querySelectorAll('.pies .slice')].map(e => getComputedStyle(e).fill)"
    assert len(set(chromium.value(slices))) == 3
    lines = "[...document.querySelectorAll('.radar .spun')].map(e => getComputedStyle(e).stroke)"
    assert len(set(chromium.value(lines))) == 4
    assert chromium.value("document.querySelector('.source code').textContent") != ""
    assert chromium.complaints() == []
    assert chromium.requests() == []


def _with_source(job: JobProfile, folder: Path) -> JobProfile:
    source = folder / "solve.c"
    source.write_text("".join(f"line {n}\n" for n in range(1, 121)))
    regions = tuple(
        replace(region, region=replace(region.region, file=str(source))) for region in job.regions
    )
    return replace(job, regions=regions)
