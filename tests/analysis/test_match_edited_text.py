"""Which construct of an edited text is which region of a run."""

from __future__ import annotations

from pomp_clang.analysis.region_matching import WITHIN_FILE, RegionSignature, match_signatures
from pomp_clang.experiment.model import Region
from pomp_clang.lsp.place import SourcePlace
from tests.lsp.handmade import left_out, place, region


def lines(regions: list[Region], places: list[SourcePlace]) -> dict[int, int]:
    """Return the line of each place that has a region, from 0, with that region's line, from 1."""
    old = [RegionSignature.of_region(region) for region in regions]
    new = [place.signature for place in places]
    partner = match_signatures(old, new, WITHIN_FILE)
    return {new[j].first: regions[i].begin_line1 for j, i in partner.items()}


LOOPS = [region("for", "f", 10), region("for", "f", 20), region("for", "f", 30)]


def test_what_has_moved_as_a_whole() -> None:
    places = [place("for", "f", at, nth=n) for n, at in enumerate((14, 24, 34), 1)]
    assert lines(LOOPS, places) == {14: 10, 24: 20, 34: 30}


def test_one_of_several_alike_was_deleted() -> None:
    places = [place("for", "f", 9), place("for", "f", 27, nth=2)]
    assert lines(LOOPS, places) == {9: 10, 27: 30}
    places = [place("for", "f", 16), place("for", "f", 26, nth=2)]
    assert lines(LOOPS, places) == {16: 20, 26: 30}


def test_one_was_written_before_those_that_are_alike() -> None:
    at = (8, 13, 23, 33)
    places = [place("for", "f", line, nth=n) for n, line in enumerate(at, 1)]
    assert lines(LOOPS, places) == {13: 10, 23: 20, 33: 30}


def test_clauses_tell_apart_what_is_alike() -> None:
    regions = [region("for", "f", 10, clauses="schedule(static)")]
    places = [place("for", "f", 9), place("for", "f", 19, nth=2, clauses="schedule(static)")]
    assert lines(regions, places) == {19: 10}


def test_what_was_left_out_in_the_run_gets_none_of_the_others_numbers() -> None:
    regions = [region("for", "f", 20), region("critical", "f", 25), region("single", "f", 31)]
    places = [
        left_out(place("for", "f", 12)),
        place("for", "f", 22, nth=2),
        place("critical", "f", 27),
        place("single", "f", 33),
    ]
    assert lines(regions, places) == {22: 20, 27: 25, 33: 31}


def test_functions_that_changed_places() -> None:
    regions = [region("for", "f", 10), region("for", "g", 20)]
    places = [place("for", "g", 9), place("for", "f", 19)]
    assert lines(regions, places) == {9: 20, 19: 10}


def test_a_function_that_has_another_name() -> None:
    regions = [region("for", "f", 10, clauses="nowait"), region("critical", "f", 14, name="q")]
    places = [place("for", "h", 9, clauses="nowait"), place("critical", "h", 13, name="q")]
    assert lines(regions, places) == {9: 10, 13: 14}


def test_functions_go_by_their_qualified_names() -> None:
    regions = [
        region("function", "run", 3, name="a::run"),
        region("function", "run", 9, name="b::run"),
    ]
    places = [
        place("function", name="b::run", first=1, function="run"),
        place("function", name="a::run", first=7, function="run"),
    ]
    assert lines(regions, places) == {1: 9, 7: 3}


def test_another_name_is_another_critical() -> None:
    regions = [region("critical", "f", 5, name="a")]
    assert lines(regions, [place("critical", "f", 4, name="b")]) == {}
