"""Which place of a file a region of a run is by now.

Lines move between a build and what is in the editor, so a region is known by its kind, its name
and its function, and among several alike by their order.  Where some of these have come or gone,
those go together that most speaks for: the same clauses, the same length, moved as far as others.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Sequence

from pomp_clang.lsp.place import Place
from pomp_clang.lsp.run import Measured

_ALIKE, _CLAUSES, _LENGTH, _MOVED, _MEASURED = 30.0, 3.0, 2.0, 4.0, 0.5
"""What speaks for a pair; that there is one at all comes before the rest."""

_FAR = 1e-3
"""What speaks against it, for each line that it has moved."""

_ALL = ""


def align(regions: Sequence[Measured], places: Sequence[Place]) -> dict[str, Measured]:
    """What was measured, by the id of its place; what has gone from the text has none."""
    found: dict[str, Measured] = {}
    moved = _Movement(regions, places)
    for of_region, of_place in _KEYS:
        laid = {id(each) for each in found.values()}
        rows: dict[Hashable, list[Measured]] = defaultdict(list)
        for region in regions:
            if id(region) not in laid:
                rows[of_region(region)].append(region)
        items: dict[Hashable, list[Place]] = defaultdict(list)
        for place in places:
            if place.id not in found:
                items[of_place(place)].append(place)
        for key, some in rows.items():
            for region, place in _pairs(some, items.get(key, []), moved):
                found[place.id] = region
    return found


def _own(region: Measured) -> Hashable:
    each = region.region
    return each.kind, each.function, each.sub_name, _routine(each.kind, each.name)


def _own_of(place: Place) -> Hashable:
    return place.kind, place.function, place.sub_name, _routine(place.kind, place.words)


def _shape(region: Measured) -> Hashable:
    each = region.region
    name = "" if each.kind == "function" else each.sub_name
    return each.kind, name, each.clauses, _length(region)


def _shape_of(place: Place) -> Hashable:
    name = "" if place.is_function else place.sub_name
    return place.kind, name, place.clauses, place.last - place.first


_KEYS: tuple[tuple[Callable[[Measured], Hashable], Callable[[Place], Hashable]], ...] = (
    (_own, _own_of),
    (_shape, _shape_of),  # in a function that has another name by now
)


def _routine(kind: str, name: str) -> str:
    return name if kind == "lock" else ""


def _length(region: Measured) -> int:
    each = region.region
    return max(each.end_lineN, each.begin_line1) - each.begin_line1


def _distance(region: Measured, place: Place) -> int:
    return place.first + 1 - region.region.begin_line1


class _Movement:
    """By how many lines the pairs that may be one have moved, in each function and in all."""

    def __init__(self, regions: Sequence[Measured], places: Sequence[Place]) -> None:
        self._votes: dict[str, Counter[int]] = defaultdict(Counter)
        by_key: dict[Hashable, list[Place]] = defaultdict(list)
        for place in places:
            by_key[_own_of(place)].append(place)
        for region in regions:
            for place in by_key[_own(region)]:
                if _length(region) == place.last - place.first:
                    self._votes[place.function][_distance(region, place)] += 1
                    self._votes[_ALL][_distance(region, place)] += 1
        self._most = {name: max(votes.values()) for name, votes in self._votes.items()}

    def usual(self, function: str, lines: int) -> float:
        """From 0, none did, to 1, most did."""
        return self._votes[function][lines] / self._most.get(function, 1)


def _pairs(
    regions: Sequence[Measured], places: Sequence[Place], moved: _Movement
) -> list[tuple[Measured, Place]]:
    """Pairs in the order of both, of the largest sum of what speaks for each."""
    rows, columns = len(regions), len(places)
    best = [[0.0] * (columns + 1) for _ in range(rows + 1)]
    for i in range(rows - 1, -1, -1):
        for j in range(columns - 1, -1, -1):
            both = best[i + 1][j + 1] + _weight(regions[i], places[j], moved)
            best[i][j] = max(both, best[i + 1][j], best[i][j + 1])
    pairs = []
    i = j = 0
    while i < rows and j < columns:
        if best[i][j] == best[i + 1][j]:
            i += 1
        elif best[i][j] == best[i][j + 1]:
            j += 1
        else:
            pairs.append((regions[i], places[j]))
            i, j = i + 1, j + 1
    return pairs


def _weight(region: Measured, place: Place, moved: _Movement) -> float:
    lines = _distance(region, place)
    weight = _ALIKE + _MOVED * (moved.usual(place.function, lines) + moved.usual(_ALL, lines))
    weight += _CLAUSES if region.region.clauses == place.clauses else 0.0
    weight += _LENGTH if _length(region) == place.last - place.first else 0.0
    weight += _MEASURED if place.instrumented else 0.0
    return weight - min(1.0, _FAR * abs(lines))
