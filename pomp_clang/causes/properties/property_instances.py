"""When each property's severity arose: its instances, one by one, as columns."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from pomp_clang.causes.properties.property import Property
from pomp_clang.causes.properties.registry import instances_of, severity_of
from pomp_clang.causes.run.instance import Instances, joined
from pomp_clang.causes.run.run import Run


def occurrences_of(kind: type[Property], run: Run, kinds: Iterable[type[Property]]) -> Instances:
    """Return instances that sum up to the property's severity, where that has a place in time.
    A property that is the sum of its parts, which are among `kinds`, has their instances."""
    kinds = list(kinds)
    parts = parts_of(kind, kinds, run)
    return joined((*pieces_of(kind, run), *(occurrences_of(part, run, kinds) for part in parts)))


def pieces_of(kind: type[Property], run: Run) -> Iterator[Instances]:
    """Yield the instances of a property that is not the sum of its parts, some at a time."""
    yield from instances_of(kind, run) or ()


def parts_of(
    kind: type[Property], kinds: Iterable[type[Property]], run: Run
) -> list[type[Property]]:
    """Return the properties whose instances are this one's."""
    if instances_of(kind, run) is not None:
        return []
    parts = [child for child in kinds if child.parent is kind]
    return parts if parts and severity_of(kind, run) is None else []
