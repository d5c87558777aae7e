"""The call paths of an analysis: those that the program reached."""

from __future__ import annotations

import pytest

from pomp_clang.causes.timeline.places import places_of
from pomp_clang.experiment.layout import COLUMNS
from pomp_clang.experiment.records import RawPath, RawRegion, Records, RunHeader


def _records(*reached: int) -> Records:
    strings = (("region", "main", "a.c", "", ""), ("region", "solve", "a.c", "", ""))
    return Records(
        sums={(path, 1): [1] * COLUMNS for path in reached},
        header=RunHeader(*[0] * 12),
        regions={
            number: RawRegion(number, 0, 0, (1, 1, 2, 2), 1, words)
            for number, words in enumerate(strings, 1)
        },
        paths={
            1: RawPath(0, 1, False),
            2: RawPath(1, 2, False),
            3: RawPath(0, 2, False),
        },
    )


@pytest.mark.parametrize(
    ("reached", "paths"),
    [
        ((1, 2), [(-1, "a"), (0, "main"), (1, "solve")]),
        ((1, 2, 3), [(-1, "a"), (0, "main"), (1, "solve"), (0, "solve")]),
        # A caller may have no sums of its own.
        ((2,), [(-1, "a"), (0, "main"), (1, "solve")]),
        # Without sums, nothing is known.
        ((), [(-1, "a"), (0, "main"), (1, "solve"), (0, "solve")]),
    ],
)
def test_a_path_that_the_runtime_reserves_for_a_function_is_none_of_the_program(
    reached: tuple[int, ...], paths: list[tuple[int, str]]
) -> None:
    records = _records(*reached)
    records.texts["program"] = "a"
    places = places_of(records)
    assert [(place.above, place.name) for place in places.paths] == paths
    assert places.rows[3] == (3 if len(paths) > 3 else 0)
