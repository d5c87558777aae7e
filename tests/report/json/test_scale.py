"""The JSON of runs with more and more threads."""

from __future__ import annotations

import json

from pomp_clang.analysis.comparison.scaling import scale
from pomp_clang.analysis.run import analyze_run
from pomp_clang.report.json.comparison import render_scaling
from tests.analysis.comparison.test_scaling import run_with
from tests.handmade import experiment


def test_runs_in_the_order_of_their_threads_with_their_regions() -> None:
    lone = experiment([], {}, threads=8, duration=4.0)
    scaling = scale(
        [analyze_run(lone), analyze_run(run_with(2, 2.5)), analyze_run(run_with(1, 4.5))]
    )
    read = json.loads(render_scaling(scaling, 1))
    assert [run["threads"] for run in read["runs"]] == [1, 2, 8]
    assert [run["speed_up"] for run in read["runs"]] == [1.0, 1.8, 1.125]
    assert read["runs"][0]["serial_fraction"] is None
    (parallel,) = read["regions"]
    first, second, third = parallel["runs"]
    assert (parallel["kind"], first["wallT"], second["wallT"]) == ("parallel", 4.0, 2.0)
    assert (second["execC"], second["execT"], second["efficiency"]) == (2, 4.0, 1.0)
    assert third is None
