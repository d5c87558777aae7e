"""Stacked bars and the outlines of many threads."""

from __future__ import annotations

import pytest
from hypothesis import given

from pomp_clang.analysis.profile import flat_profile
from pomp_clang.experiment.model import Experiment, Measured
from pomp_clang.report.html.bars import FULL, Layer, Segment, bar, layers, thread_parts
from tests.handmade import experiment, experiments, region


def test_parts_follow_one_another() -> None:
    assert bar([("work", 1.0), ("sync", 0.5)], 2.0) == (
        Segment("work", 0.0, 500.0),
        Segment("sync", 500.0, 250.0),
    )


def test_what_cannot_be_seen_is_not_drawn_but_keeps_its_place() -> None:
    drawn = bar([("work", 0.5), ("sync", 0.0004), ("mgmt", 0.25)], 1.0)
    assert drawn == (Segment("work", 0.0, 500.0), Segment("mgmt", 500.4, 250.0))


def test_no_bar_is_longer_than_the_whole_and_there_is_none_of_nothing() -> None:
    assert bar([("work", 3.0), ("sync", 1.0)], 2.0) == (Segment("work", 0.0, FULL),)
    assert bar([("work", 3.0)], 0.0) == ()


@pytest.mark.parametrize(
    ("kind", "measured", "parts"),
    [
        ("critical", Measured(1, 4.0, 1, 1.0, 2.0, 0.5),
         {"work": 1.0, "sync": 2.0, "mgmt": 0.5, "rest": 0.5}),
        ("for", Measured(1, 4.0, 1, 1.0, exitBarT=2.0, taskT=1.0),
         {"work": 1.0, "imbal": 2.0, "tasks": 1.0}),
        ("barrier", Measured(1, 4.0, taskT=1.0), {"sync": 3.0, "tasks": 1.0}),
        ("master", Measured(1, 4.0), {"work": 4.0}),
        ("task", Measured(1, 4.0, createC=1, createT=9.0), {"work": 4.0}),
        ("sections", Measured(2, 4.0, 1, 1.0, exitBarT=2.0),
         {"work": 1.0, "limpar": 2.0, "mgmt": 1.0}),
        ("taskloop", Measured(1, 4.0, taskT=1.0), {"work": 3.0, "tasks": 1.0}),
    ],
)  # fmt: skip
def test_what_a_thread_does_in_a_region(
    kind: str, measured: Measured, parts: dict[str, float]
) -> None:
    (profile,) = flat_profile(experiment([region("R1", kind, 3)], {("R1", 0): measured}))
    (thread_part,) = thread_parts(profile)
    assert {style: value for style, value in thread_part if value} == parts


@given(experiments())
def test_the_parts_are_all_of_a_threads_time(run: Experiment) -> None:
    for profile in flat_profile(run):
        for row, parts in zip(profile.reached, thread_parts(profile), strict=True):
            assert min(value for _, value in parts) >= 0
            assert sum(value for _, value in parts) >= row.measured.execT * (1 - 1e-9)


def test_the_outline_of_many_threads_is_as_short_as_it_can_be() -> None:
    threads = [[("work", 1.0), ("sync", 1.0)], [("work", 1.0), ("sync", 0.5)]]
    assert layers(threads, 2.0, 100) == [
        Layer("sync", "M0 100V0h1V25h1V100z"),
        Layer("work", "M0 100V50h2V100z"),
    ]


def test_a_part_that_no_thread_has_is_no_layer() -> None:
    assert [layer.style for layer in layers([[("work", 1.0), ("mgmt", 0.0)]], 1.0, 10)] == ["work"]
    assert layers([], 1.0, 10) == []
