"""Work during which threads were on no processor: a part of its own, in all forms of the report."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pomp_clang.analysis.job import ProcessProfile, over_processes
from pomp_clang.analysis.overheads import analyze_overheads
from pomp_clang.analysis.profile import flat_profile
from pomp_clang.analysis.run import Breakdown, analyze_run, break_down
from pomp_clang.analysis.timeline import timeline
from pomp_clang.experiment.model import Experiment, Location, Measured
from pomp_clang.report.csv import job as csv_job
from pomp_clang.report.csv import profile as csv_report
from pomp_clang.report.html import job as job_page
from pomp_clang.report.html import profile as profile_page
from pomp_clang.report.json import job as json_job
from pomp_clang.report.json import profile as json_report
from pomp_clang.report.model import profile_report
from pomp_clang.report.options import Options
from pomp_clang.report.terminal import Terminal
from pomp_clang.report.text import job as text_job
from pomp_clang.report.text import profile as text
from tests.handmade import experiment, experiments, region, with_snapshots

PARTS = Options(sections=("parts",))


def ran(experiment: Experiment, times: Sequence[float | None]) -> Experiment:
    return replace(
        experiment, locations=tuple(Location(tid, 0, time) for tid, time in enumerate(times))
    )


def late(*times: float | None) -> Experiment:
    """Return a run of 4 s. Threads are in a region for 3 s, at whose end the second waits 1 s. Work
    is 3 and 2 s, and the first thread's serial second.
    """
    profile = {
        ("R1", 0): Measured(1, 3.0, 1, 3.0),
        ("R1", 1): Measured(1, 3.0, 1, 2.0, exitBarT=1.0),
    }
    run = experiment([region("R1", "parallel", 1, 9)], profile, threads=2, duration=4.0)
    return ran(run, times)


def broken_down(experiment: Experiment) -> Breakdown:
    return break_down(analyze_overheads(experiment, flat_profile(experiment)))


def test_what_threads_did_not_run_is_taken_from_their_work() -> None:
    """The first thread ran 1 s of 4, a quarter of them serial; the second ran 1.5 s of 2."""
    parts = broken_down(late(1.0, 1.5)).parts()
    assert parts["NotRun"] == pytest.approx(3 + 0.5)
    assert parts["Work"] == pytest.approx(5 - 3 * 3 / 4 - 0.5)
    assert parts["Serial"] == pytest.approx(1 - 3 / 4)
    assert (parts["Imbal"], parts["Idle"]) == (1, 1)


def test_waiting_is_not_work_that_did_not_run() -> None:
    """The second thread slept while it waited: it ran for as long as it had work."""
    assert broken_down(late(4.0, 2.0)).parts()["NotRun"] == 0


def test_a_thread_that_spins_while_it_waits_has_no_less_work() -> None:
    assert broken_down(late(4.0, 3.0)).parts()["NotRun"] == 0


def test_of_threads_that_do_not_tell_nothing_is_said() -> None:
    assert broken_down(late(None, 1.5)).parts()["NotRun"] == pytest.approx(0.5)
    older = broken_down(late(None, None))
    assert older.not_running is None
    assert "NotRun" not in older.parts()


@given(any_run=experiments(), data=st.data())
def test_all_parts_are_all_of_the_time(any_run: Experiment, data: st.DataObject) -> None:
    times = st.one_of(st.none(), st.floats(0.001, 100))
    known = [data.draw(times) for _ in any_run.locations]
    before, after = broken_down(any_run), broken_down(ran(any_run, known))
    assert sum(after.parts().values()) == pytest.approx(sum(before.parts().values()))
    assert min(after.parts().values()) >= -1e-9
    assert (after.lost, after.unused, after.spared) == (before.lost, before.unused, before.spared)


def test_all_forms_of_a_run_have_it() -> None:
    experiment = late(1.0, 1.5)
    (line,) = [
        x
        for x in text.render(profile_report(experiment, relative=True), PARTS, Terminal()).split(
            "\n"
        )
        if "Not running" in x
    ]
    assert line.split()[2:4] == ["3.500000", "43.8"]
    document = json.loads(json_report.render(profile_report(experiment), Options()))
    assert document["parts"]["NotRun"] == 3.5
    assert [location["ranT"] for location in document["locations"]] == [1.0, 1.5]
    rows = list(csv.reader(io.StringIO(csv_report.render(profile_report(experiment), Options()))))
    assert ["NotRun", "3.5", "0.4375"] in rows
    page = profile_page.render(profile_report(experiment), Options())
    assert 'class="notrun"' in page and "Not running" in page


def test_all_forms_of_a_job_have_it() -> None:
    runs = [analyze_run(late(1.0, 1.5)), analyze_run(late(4.0, 2.0))]
    job = over_processes([ProcessProfile(rank, run) for rank, run in enumerate(runs)], ())
    output = text_job.render(job, Options(everything=True), Terminal())
    assert "NotRun" in output and "43.8" in output
    document = json.loads(json_job.render(job, Options()))
    assert [process["parts"]["NotRun"] for process in document["processes"]] == [3.5, 0]
    rows = list(csv.reader(io.StringIO(csv_job.render(job, Options()))))
    (heading,) = [row for row in rows if row[:2] == ["rank", "host"]]
    assert heading[-2:] == ["NotRun", "Events"]
    assert "Not running" in job_page.render(job, Options())


def test_forms_of_an_older_run_are_without_it() -> None:
    experiment = late(None, None)
    assert "Not running" not in text.render(
        profile_report(experiment, relative=True), PARTS, Terminal()
    )
    assert (
        "NotRun"
        not in json.loads(json_report.render(profile_report(experiment), Options()))["parts"]
    )
    assert "NotRun" not in csv_report.render(profile_report(experiment), Options())


def test_over_time_each_step_has_its_own() -> None:
    """Each step has half of the time, as the snapshot has half of the total."""
    experiment = with_snapshots(late(1.0, 1.5), 0.5)
    (snapshot,) = experiment.snapshots
    halves = tuple(Location(tid, 0, time / 2) for tid, time in enumerate((1.0, 1.5)))
    experiment = replace(experiment, snapshots=(replace(snapshot, locations=halves),))
    assert [step.parts["NotRun"] for step in timeline(experiment, 10)] == pytest.approx(
        [1.75, 1.75]
    )
