"""Records: frozen, equal by value, and as particular about their arguments as a dataclass."""

from __future__ import annotations

import pytest

from pomp_clang.record import record, replace


@record
class Point:
    x: int
    y: int = 2


@record
class Other:
    x: int
    y: int = 2


def test_fields_come_by_place_and_by_name_and_have_defaults() -> None:
    for point in (Point(1), Point(1, 2), Point(1, y=2), Point(y=2, x=1)):
        assert (point.x, point.y) == (1, 2)
        assert point == Point(1)
        assert hash(point) == hash(Point(1))
        assert repr(point) == "Point(x=1, y=2)"


def test_records_differ_by_value_and_by_class() -> None:
    assert Point(1) != Point(2)
    other: object = Other(1)
    assert Point(1) != other
    assert {Point(1), Point(1, 2), Point(1, 3)} == {Point(1, 3), Point(1)}


@pytest.mark.parametrize(
    ("args", "named"),
    [
        ((), {}),
        ((), {"y": 1}),
        ((1, 2, 3), {}),
        ((1,), {"x": 1}),
        ((1,), {"z": 1}),
        ((1, 2), {"y": 3}),
    ],
)
def test_wrong_arguments_are_refused(args: tuple[int, ...], named: dict[str, int]) -> None:
    with pytest.raises(TypeError, match=r"Point\(x, y\)"):
        Point(*args, **named)


def test_a_record_does_not_change() -> None:
    point = Point(1)
    with pytest.raises(AttributeError, match=r"Point\.x is frozen"):
        point.x = 2  # type: ignore[misc]
    with pytest.raises(AttributeError):
        del point.x
    assert point == Point(1)


def test_replace_makes_another() -> None:
    point = Point(1)
    assert replace(point, y=3) == Point(1, 3)
    assert point == Point(1)
    with pytest.raises(TypeError):
        replace(point, z=3)
