"""The CSV report, read back."""

from __future__ import annotations

import csv
import io
from dataclasses import replace

from hypothesis import given

from pomp_clang.analysis.profile import flat_profile
from pomp_clang.experiment.model import Experiment
from pomp_clang.report.csv.profile import render
from pomp_clang.report.model import profile_report
from pomp_clang.report.options import Options
from pomp_clang.report.terminal import printable
from tests.handmade import experiments, figure_1, ocean
from tests.report.html.test_callpaths import PATHS, with_tasks
from tests.report.snapshots import check

Sections = dict[str, list[list[str]]]


def _sections(text: str) -> Sections:
    """Return the rows of each section; a section within another is one of its own."""
    sections: Sections = {}
    open_: list[str] = []
    for row in csv.reader(io.StringIO(text, newline="")):
        if row and row[0].startswith("##BEG "):
            open_.append(row[0].removeprefix("##BEG "))
            sections[open_[-1]] = []
        elif row and row[0].startswith("##END "):
            assert open_.pop() == row[0].removeprefix("##END ")
        else:
            sections[open_[-1]].append(row)
    assert not open_
    return sections


def test_the_whole_text() -> None:
    check("ocean.csv", render(profile_report(ocean()), Options()))


def test_figure_1_of_the_ompp_paper() -> None:
    sections = _sections(render(profile_report(figure_1()), Options()))
    assert sections["R00002 flat profile"] == [
        ["R00002", "critical", "main.c", "20", "23", "", "main"],
        ["TID", "execT", "execC", "bodyT", "enterT", "exitT"],
        ["0", "1.0", "1", "1.0", "0.0", "0.0"],
        ["1", "3.0", "1", "1.0", "2.0", "0.0"],
        ["2", "2.0", "1", "1.0", "1.0", "0.0"],
        ["3", "4.0", "1", "1.0", "3.0", "0.0"],
        ["SUM", "10.0", "4", "4.0", "6.0", "0.0"],
    ]
    region_rows = sections["overheads for parallel region"]
    assert region_rows[1][:6] == ["R00001", "16.0", "12.0", "75.0", "6.0", "37.5"]


def test_order_and_top_are_those_asked_for() -> None:
    sections = _sections(render(profile_report(ocean()), Options("count", 2)))
    assert [row[0] for row in sections["region overview"][1:]] == ["R00008", "R00005"]


def test_a_row_is_a_line() -> None:
    regions = tuple(replace(r, sub_name='a\r\n##END "b", c') for r in ocean().regions)
    text = render(profile_report(replace(ocean(), regions=regions)), Options())
    assert '"a\\r\\n##END ""b"", c"' in text
    assert len(text.splitlines()) == len(render(profile_report(ocean()), Options()).splitlines())


def test_an_incomplete_experiment_says_so() -> None:
    sections = _sections(render(profile_report(replace(ocean(), complete=False)), Options()))
    assert ["Type of Report", "incomplete"] in sections["header"]


@given(experiments())
def test_every_value_is_read_back_exactly(run: Experiment) -> None:
    sections = _sections(render(profile_report(run), Options()))
    for profile in flat_profile(run):
        place, heading, *rows = sections[f"{profile.region.id} flat profile"]
        names = (profile.region.file, profile.region.sub_name)
        assert (place[2], place[5]) == tuple(map(printable, names))
        assert heading[1:] == [column.name for column in profile.columns]
        values = [tuple(map(float, row[1:])) for row in rows]
        assert values == [*(row.values for row in profile.rows), profile.total]


def test_a_call_path_has_a_row_for_each_thread_and_their_sum() -> None:
    text = render(profile_report(with_tasks()), Options())
    section = text.split("##BEG call paths\n")[1].split("##END")[0].splitlines()
    assert section[0] == "id,above,region,task,TID,execC,inclusive,exclusive"
    assert [row for row in section if row.startswith("C00004")] == [
        "C00004,C00003,R00003,1,1,2,2.0,1.999",
        "C00004,C00003,R00003,1,SUM,2,2.0,1.999",
    ]
    assert section[1].startswith("C00001,,R00001,0,0,1,")


def test_call_paths_are_ompps_sections() -> None:
    text = render(profile_report(with_tasks()), Options())
    callgraph = text.split("##BEG ompp callgraph\n")[1].split("##END")[0].splitlines()
    assert callgraph[0].startswith("Inclusive,(%),Exclusive,(%),level,id,kind,file,")
    assert callgraph[1] == "10.0,100.0,2.0,20.0,0,[app: 2 threads]"
    assert (
        callgraph[5] == "2.0,20.0,1.999,19.990000000000002,4,R00003,task (running),main.c,3,6,,main"
    )
    profiles = text.split("##BEG callgraph region profiles\n")[1]
    assert profiles.split("##END callgraph region profiles")[0].count("##BEG R") == len(PATHS)
    running = profiles.split("##BEG R00003 callgraph profile\n")[2].split("##END R00003")[0]
    assert running.splitlines() == [
        "[*00],app",
        "[+01],R00001,parallel,main.c,1,30,,main",
        "[+02],R00002,single,main.c,2,20,,main",
        "[+03],R00003,task,main.c,3,6,,main",
        "[+04],R00003,task (running),main.c,3,6,,main",
        "TID,execT/I,execT/E,execC",
        "0,0.0,0.0,0",
        "1,2.0,1.999,2",
        "SUM,2.0,1.999,2",
    ]
