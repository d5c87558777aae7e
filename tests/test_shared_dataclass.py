"""Dataclasses with shared methods behave like those of the standard library."""

from __future__ import annotations

import copy
import dataclasses
import pickle
from typing import Any

import pytest

from pomp_clang.shared_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class SharedPoint:
    """A point."""

    x: int
    y: int = 2
    note: str = dataclasses.field(default="", compare=False)
    tags: list[str] = dataclasses.field(default_factory=list, compare=False, repr=False)


@dataclass(frozen=True, slots=True, eq=False)
class _ByIdentity:
    x: int


def test_fields_come_by_place_and_by_name_and_have_defaults() -> None:
    for point in (SharedPoint(1), SharedPoint(1, 2), SharedPoint(y=2, x=1, note="other")):
        assert (point.x, point.y, point.tags) == (1, 2, [])
        assert point == SharedPoint(1)
        assert hash(point) == hash(SharedPoint(1))
    assert SharedPoint(1).tags is not SharedPoint(1).tags
    assert repr(SharedPoint(1)) == "SharedPoint(x=1, y=2, note='')"
    assert SharedPoint.__doc__ == "A point."


def test_functions_of_dataclasses_work() -> None:
    point = dataclasses.replace(SharedPoint(1), y=3)
    assert dataclasses.astuple(point) == (1, 3, "", [])
    assert SharedPoint.__slots__ == tuple(f.name for f in dataclasses.fields(SharedPoint))
    assert pickle.loads(pickle.dumps(point)) == copy.deepcopy(point) == copy.copy(point) == point


def test_shared_points_differ_by_value_and_others_by_identity() -> None:
    other: object = _ByIdentity(1)
    assert SharedPoint(1) not in (SharedPoint(2), other)
    assert other != _ByIdentity(1)
    assert hash(other) == object.__hash__(other)


@pytest.mark.parametrize(
    ("args", "named"),
    [((), {}), ((), {"y": 1}), ((1, 2, "", [], 5), {}), ((1,), {"x": 1}), ((1,), {"z": 1})],
)
def test_wrong_arguments_of_shared_points_are_refused(
    args: tuple[Any, ...], named: dict[str, Any]
) -> None:
    with pytest.raises(TypeError, match="SharedPoint"):
        SharedPoint(*args, **named)


def test_a_shared_point_does_not_change() -> None:
    point = SharedPoint(1)
    with pytest.raises(dataclasses.FrozenInstanceError, match="frozen"):
        point.x = 2  # type: ignore[misc]
    with pytest.raises(AttributeError):
        del point.x
