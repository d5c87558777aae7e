"""The number of threads from which on more of them save little."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pomp_clang.analysis.comparison.scaling import MeasuredTime, saturation, scale
from pomp_clang.analysis.run import analyze_run
from pomp_clang.report.text.scale import saturation_sentence
from tests.analysis.comparison.test_scaling import run_with, scaled


def amdahl(threads: int, work: float, serial: float, overhead: float = 0.0) -> MeasuredTime:
    own = overhead * threads if threads > 1 else 0.0
    return MeasuredTime(threads, work / threads + serial + own, own)


def test_a_serial_part_is_read_back() -> None:
    """Seven of eight seconds are shared. 64 threads take 1.109 s, and 128 only 4.9 % less."""
    actual = saturation([amdahl(1, 7, 1), amdahl(2, 7, 1)])
    assert actual is not None
    assert (actual.work, actual.serial) == pytest.approx((7, 1))
    assert actual.threads == 64 and actual.time(128) > 0.95 * actual.seconds


def test_overhead_that_grows_with_the_threads_ends_the_gain_sooner() -> None:
    actual = saturation([amdahl(n, 7, 1, 0.01) for n in (1, 2, 4)])
    assert actual is not None
    assert actual.threads == 16
    assert actual.seconds == pytest.approx(7 / 16 + 1 + 0.16)


def test_work_of_one_thread_saturates_at_once() -> None:
    actual = saturation([MeasuredTime(1, 2.0), MeasuredTime(2, 2.1)])
    assert actual is not None and actual.threads == 1


def test_one_number_of_threads_tells_nothing() -> None:
    assert saturation([MeasuredTime(2, 1.0), MeasuredTime(2, 2.0)]) is None
    assert saturation([]) is None


def test_oversubscribed_runs_do_not_count() -> None:
    runs = [run_with(1, 8.0), run_with(2, 4.5), replace(run_with(4, 9.0), processors=2)]
    with_crowd = scale([analyze_run(run) for run in runs])
    without = scaled((1, 8.0), (2, 4.5))
    assert with_crowd.saturation == without.saturation != None  # noqa: E711


def test_regions_have_a_saturation_of_their_own() -> None:
    scaling = scaled((1, 4.5), (2, 2.5), (4, 1.5))
    parallel = scaling.regions[0]
    assert parallel.saturation is not None and parallel.saturation.threads == 1024
    assert scaling.saturation is not None and scaling.saturation.threads < 1024


def test_the_sentence_names_threads_and_times() -> None:
    few = saturation([amdahl(1, 1, 4), amdahl(8, 1, 4)])
    assert few is not None
    assert saturation_sentence(few) == (
        "More than 4 threads save little: twice as many would take 4.13 s instead of 4.25 s."
    )
    many = saturation([amdahl(1, 7, 1), amdahl(2, 7, 1)])
    assert many is not None
    assert saturation_sentence(many) == (
        "64 threads would take 1.11 s instead of 4.50 s with 2 (-75 %); twice as many save less "
        "than 5 % more."
    )
