"""Which place of a file a region of a run, or a place of an earlier text, is by now.

Lines move between a build and what is in the editor, so each is known by its kind, its name
and its function, and among several alike by their order.  Where some of these have come or gone,
those go together that most speaks for: the same clauses, the same length, moved as far as others.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass

from pomp_clang.experiment.model import Region
from pomp_clang.lsp.place import Place

_ALIKE, _CLAUSES, _LENGTH, _MOVED, _MEASURED = 30.0, 3.0, 2.0, 4.0, 0.5
"""What speaks for a pair; that there is one at all comes before the rest."""

_FAR = 1e-3
"""What speaks against it, for each line that it has moved."""

_ALL = ""


@dataclass(frozen=True, slots=True)
class Spot:
    """What a region or a place is known by; `first` is its line, from 0."""

    kind: str
    function: str
    name: str
    routine: str
    clauses: str
    first: int
    length: int

    @staticmethod
    def of_region(region: Region) -> Spot:
        lock = region.name if region.kind == "lock" else ""
        first, last = region.begin_line1, max(region.end_lineN, region.begin_line1)
        head = (region.kind, region.function, region.sub_name, lock, region.clauses)
        return Spot(*head, first - 1, last - first)

    @staticmethod
    def of_place(place: Place) -> Spot:
        lock = place.words if place.kind == "lock" else ""
        head = (place.kind, place.function, place.sub_name, lock, place.clauses)
        return Spot(*head, place.first, place.last - place.first)


def align(spots: Sequence[Spot], places: Sequence[Place]) -> dict[str, int]:
    """Which of the spots each place is, by the place's id; what has gone from the text is none."""
    found: dict[str, int] = {}
    known = [_Known(Spot.of_place(place), place) for place in places]
    moved = _Movement(spots, known)
    for key in _KEYS:
        laid = set(found.values())
        rows: dict[Hashable, list[int]] = defaultdict(list)
        for number, spot in enumerate(spots):
            if number not in laid:
                rows[key(spot)].append(number)
        items: dict[Hashable, list[_Known]] = defaultdict(list)
        for each in known:
            if each.place.id not in found:
                items[key(each.spot)].append(each)
        for shared, numbers in rows.items():
            some = [(number, spots[number]) for number in numbers]
            for number, each in _pairs(some, items.get(shared, []), moved):
                found[each.place.id] = number
    return found


@dataclass(frozen=True, slots=True)
class _Known:
    spot: Spot
    place: Place


def _own(spot: Spot) -> Hashable:
    return spot.kind, spot.function, spot.name, spot.routine


def _shape(spot: Spot) -> Hashable:
    name = "" if spot.kind == "function" else spot.name
    return spot.kind, name, spot.clauses, spot.length


_KEYS: tuple[Callable[[Spot], Hashable], ...] = (
    _own,
    _shape,  # in a function that has another name by now
)


class _Movement:
    """By how many lines the pairs that may be one have moved, in each function and in all."""

    def __init__(self, spots: Sequence[Spot], known: Sequence[_Known]) -> None:
        self._votes: dict[str, Counter[int]] = defaultdict(Counter)
        by_key: dict[Hashable, list[Spot]] = defaultdict(list)
        for each in known:
            by_key[_own(each.spot)].append(each.spot)
        for spot in spots:
            for now in by_key[_own(spot)]:
                if spot.length == now.length:
                    self._votes[now.function][now.first - spot.first] += 1
                    self._votes[_ALL][now.first - spot.first] += 1
        self._most = {name: max(votes.values()) for name, votes in self._votes.items()}

    def usual(self, function: str, lines: int) -> float:
        """From 0, none did, to 1, most did."""
        return self._votes[function][lines] / self._most.get(function, 1)


def _pairs(
    spots: Sequence[tuple[int, Spot]], known: Sequence[_Known], moved: _Movement
) -> list[tuple[int, _Known]]:
    """Pairs in the order of both, of the largest sum of what speaks for each."""
    rows, columns = len(spots), len(known)
    best = [[0.0] * (columns + 1) for _ in range(rows + 1)]
    for i in range(rows - 1, -1, -1):
        for j in range(columns - 1, -1, -1):
            both = best[i + 1][j + 1] + _weight(spots[i][1], known[j], moved)
            best[i][j] = max(both, best[i + 1][j], best[i][j + 1])
    pairs = []
    i = j = 0
    while i < rows and j < columns:
        if best[i][j] == best[i + 1][j]:
            i += 1
        elif best[i][j] == best[i][j + 1]:
            j += 1
        else:
            pairs.append((spots[i][0], known[j]))
            i, j = i + 1, j + 1
    return pairs


def _weight(spot: Spot, known: _Known, moved: _Movement) -> float:
    now = known.spot
    lines = now.first - spot.first
    weight = _ALIKE + _MOVED * (moved.usual(now.function, lines) + moved.usual(_ALL, lines))
    weight += _CLAUSES if spot.clauses == now.clauses else 0.0
    weight += _LENGTH if spot.length == now.length else 0.0
    weight += _MEASURED if known.place.instrumented else 0.0
    return weight - min(1.0, _FAR * abs(lines))
