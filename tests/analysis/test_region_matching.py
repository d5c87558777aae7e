"""Regions of two experiments are paired though lines have moved."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from pomp_clang.analysis.region_matching import match_regions
from pomp_clang.experiment.model import Region
from tests.handmade import experiments, region


def _ids(a: Iterable[Region], b: Iterable[Region]) -> set[tuple[str, str]]:
    return {
        (one.id if one else "", other.id if other else "") for one, other in match_regions(a, b)
    }


def _loops(prefix: str, *lines: int, **more: object) -> list[Region]:
    """Return loops that have 2, 3, 4, ... lines, in their order."""
    return [
        region(f"{prefix}{n}", "for", line, line + n + 1, **more) for n, line in enumerate(lines)
    ]


def test_what_is_alike_is_paired() -> None:
    assert _ids(_loops("a", 10, 20), _loops("b", 10, 20)) == {("a0", "b0"), ("a1", "b1")}


def test_lines_may_move() -> None:
    assert _ids(_loops("a", 10, 20), _loops("b", 20, 37)) == {("a0", "b0"), ("a1", "b1")}


def test_one_that_came_before_the_others_is_new_though_it_stands_where_another_stood() -> None:
    new = region("new", "for", 10, 18)
    actual = _ids(_loops("a", 10, 20), [new, *_loops("b", 20, 30)])
    assert actual == {("a0", "b0"), ("a1", "b1"), ("", "new")}


def test_one_that_went_from_between_is_gone() -> None:
    a = _loops("a", 10, 20, 30)
    last = replace(a[2], id="b2", begin_line1=25, end_lineN=28)
    assert _ids(a, [replace(a[0], id="b0"), last]) == {
        ("a0", "b0"), ("a1", ""), ("a2", "b2"),
    }  # fmt: skip


def test_clauses_tell_more_than_lines() -> None:
    dynamic = region("a", "for", 10, 12, clauses="schedule(dynamic)")
    static = region("b", "for", 10, 12)
    moved = replace(dynamic, id="c", begin_line1=20, end_lineN=25)
    assert _ids([dynamic], [static, moved]) == {("a", "c"), ("", "b")}


def test_another_kind_or_name_is_another_region() -> None:
    region_ = region("a", "critical", 10, sub_name="sum")
    assert _ids([region_], [replace(region_, id="b", sub_name="max")]) == {("a", ""), ("", "b")}
    assert _ids([region_], [replace(region_, id="b", kind="single")]) == {("a", ""), ("", "b")}


def test_a_function_may_be_renamed_and_a_file_moved() -> None:
    region_ = region("a", "for", 10, file="src/x.c")
    assert _ids([region_], [replace(region_, id="b", function="other")]) == {("a", "b")}
    assert _ids([region_], [replace(region_, id="b", file="lib/x.c", begin_line1=40)]) == {
        ("a", "b")
    }
    assert _ids([region_], [replace(region_, id="b", file="src/y.c")]) == {("a", ""), ("", "b")}


def test_the_same_function_goes_before_another() -> None:
    region_ = region("a", "for", 10)
    others = [replace(region_, id="b", function="other"), replace(region_, id="c", begin_line1=50)]
    assert _ids([region_], others) == {("a", "c"), ("", "b")}


def test_very_many_are_paired_in_order() -> None:
    a = [region(f"a{n}", "for", n + 1) for n in range(1200)]
    b = [region(f"b{n}", "for", n + 7) for n in range(1200)]
    assert _ids(a, b) == {(f"a{n}", f"b{n}") for n in range(1200)}


@given(experiments(), experiments(), st.integers(0, 30))
def test_every_region_is_there_exactly_once(one: object, other: object, shift: int) -> None:
    a, b = one.regions, other.regions  # type: ignore[attr-defined]
    pairs = match_regions(a, b)
    assert sorted(x.id for x, _ in pairs if x) == sorted(r.id for r in a)
    assert sorted(y.id for _, y in pairs if y) == sorted(r.id for r in b)
    moved = [replace(r, begin_line1=r.begin_line1 + shift) for r in a]
    assert {(x.id, y.id) for x, y in match_regions(a, moved) if x and y} == {
        (r.id, r.id) for r in a
    }
