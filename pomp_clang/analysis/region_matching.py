"""Region matching: pairs of the same region in two texts or runs.

Lines move between two builds, or between a build and the text in an editor. Two regions can be the
same if they agree in a key: kind, name, function. Keys are tried from the strictest to the loosest.
In a group of regions that share a key, pairs keep the order of both texts. Their weights add up to
the most: equal clauses, equal length, moved by as many lines as most others.
"""

from __future__ import annotations

import os
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass

from pomp_clang.experiment.model import Region

_PAIR, _CLAUSES, _LENGTH, _SHIFT, _MEASURED = 30.0, 11.0, 2.0, 4.0, 0.5
"""Weights of a pair, of equal clauses and lengths, of the usual shift, of a measured region.

Equal clauses outweigh a shift and a length together.
"""

_LINE = 1e-3
"""Weight that a pair loses for each line between its regions, up to 1."""

_MOST_PAIRS = 1_000_000
"""Candidate pairs of a group up to which the best choice is searched."""

_WHOLE_TEXT = ""

Pairs = list[tuple[Region | None, Region | None]]


@dataclass(frozen=True, slots=True)
class RegionSignature:
    """Properties by which a region is matched; `first` is its line, from 0 or from 1."""

    kind: str
    function: str
    name: str
    routine: str
    clauses: str
    first: int
    length: int
    file: str = ""
    is_measured: bool = True
    included_from: str = ""

    @staticmethod
    def of_region(region: Region) -> RegionSignature:
        """Build the signature of a region of a run, with lines from 0."""
        return RegionSignature(
            region.kind,
            region.function,
            region.sub_name,
            region.name if region.kind == "lock" else "",
            region.clauses,
            region.begin_line1 - 1,
            max(region.end_lineN, region.begin_line1) - region.begin_line1,
            region.file,
            included_from=" ".join(os.path.basename(file) for file, _ in region.included_from),
        )


MatchKey = Callable[[RegionSignature], Hashable]
"""Compute the value in which two regions have to agree."""


def _in_function(region: RegionSignature) -> Hashable:
    return region.kind, region.function, region.name, region.routine


def _by_shape(region: RegionSignature) -> Hashable:
    name = "" if region.kind == "function" else region.name
    return region.kind, name, region.clauses, region.length


WITHIN_FILE: tuple[MatchKey, ...] = (
    _in_function,
    _by_shape,  # the function has another name now
)
"""Keys for two texts of one file."""

_ACROSS_FILES: tuple[MatchKey, ...] = (
    lambda region: (
        region.file,
        region.kind,
        region.name,
        region.function,
        region.included_from,
    ),
    lambda region: (region.file, region.kind, region.name, region.function),
    lambda region: (region.file, region.kind, region.name),
    lambda region: (os.path.basename(region.file), region.kind, region.name, region.function),
)
"""Keys for two runs: the function may have another name now, or the file another folder."""


def match_regions(a: Iterable[Region], b: Iterable[Region]) -> Pairs:
    """Return each region of two runs exactly once: in a pair, or alone with None."""
    left, right = sorted(a, key=_position), sorted(b, key=_position)
    old, new = (list(map(RegionSignature.of_region, side)) for side in (left, right))
    partner = match_signatures(old, new, _ACROSS_FILES)
    pairs: Pairs = [(left[i], right[j]) for j, i in partner.items()]
    paired = set(partner.values())
    pairs += [(region, None) for i, region in enumerate(left) if i not in paired]
    pairs += [(None, region) for j, region in enumerate(right) if j not in partner]
    return pairs


def _position(region: Region) -> tuple[str, int, int, str]:
    return region.file, region.begin_line1, region.begin_column, region.id


def match_signatures(
    old: Sequence[RegionSignature], new: Sequence[RegionSignature], keys: Sequence[MatchKey]
) -> dict[int, int]:
    """Return the index in `old` for each index in `new` that has a partner.

    Both sequences are in the order of their text.
    """
    shifts = _Shifts(old, new, keys[0])
    partner: dict[int, int] = {}
    for key in keys:
        matched = set(partner.values())
        old_groups = _grouped(old, key, matched)
        new_groups = _grouped(new, key, partner.keys())
        for shared, numbers in old_groups.items():
            if shared in new_groups:
                partner |= _align(old, numbers, new, new_groups[shared], shifts)
    return partner


def _grouped(
    regions: Sequence[RegionSignature], key: MatchKey, matched: Iterable[int]
) -> dict[Hashable, list[int]]:
    """Return the indices that are not taken, by key."""
    groups: dict[Hashable, list[int]] = defaultdict(list)
    excluded = frozenset(matched)
    for number, region in enumerate(regions):
        if number not in excluded:
            groups[key(region)].append(number)
    return groups


class _Shifts:
    """A count of the lines by which candidate pairs moved, in each function and in the text."""

    def __init__(
        self, old: Sequence[RegionSignature], new: Sequence[RegionSignature], key: MatchKey
    ) -> None:
        self._votes: dict[str, Counter[int]] = defaultdict(Counter)
        old_groups = _grouped(old, key, ())
        for shared, numbers in _grouped(new, key, ()).items():
            earlier = old_groups.get(shared, [])
            if len(earlier) * len(numbers) > _MOST_PAIRS:
                continue
            for after in (new[number] for number in numbers):
                for before in (old[number] for number in earlier):
                    if before.length == after.length:
                        self._votes[after.function][after.first - before.first] += 1
                        self._votes[_WHOLE_TEXT][after.first - before.first] += 1
        self._most = {name: max(votes.values()) for name, votes in self._votes.items()}

    def usual(self, function: str, lines: int) -> float:
        """Return how usual a shift is: from 0, no pair moved so, to 1, the most frequent one."""
        return self._votes[function][lines] / self._most.get(function, 1)


def _align(
    old: Sequence[RegionSignature],
    rows: Sequence[int],
    new: Sequence[RegionSignature],
    columns: Sequence[int],
    shifts: _Shifts,
) -> dict[int, int]:
    """Pair two groups, given by index, in the order of both, with the largest sum of weights."""
    if len(rows) * len(columns) > _MOST_PAIRS:
        return dict(zip(columns, rows, strict=False))
    best = [[0.0] * (len(columns) + 1) for _ in range(len(rows) + 1)]
    for i in reversed(range(len(rows))):
        for j in reversed(range(len(columns))):
            paired = best[i + 1][j + 1] + _weight(old[rows[i]], new[columns[j]], shifts)
            best[i][j] = max(paired, best[i + 1][j], best[i][j + 1])
    partner: dict[int, int] = {}
    i = j = 0
    while i < len(rows) and j < len(columns):
        if best[i][j] == best[i + 1][j]:
            i += 1
        elif best[i][j] == best[i][j + 1]:
            j += 1
        else:
            partner[columns[j]] = rows[i]
            i, j = i + 1, j + 1
    return partner


def _weight(before: RegionSignature, after: RegionSignature, shifts: _Shifts) -> float:
    lines = after.first - before.first
    shift = shifts.usual(after.function, lines) + shifts.usual(_WHOLE_TEXT, lines)
    weight = _PAIR + _SHIFT * shift
    weight += _CLAUSES if before.clauses == after.clauses else 0.0
    weight += _LENGTH if before.length == after.length else 0.0
    weight += _MEASURED if after.is_measured else 0.0
    return weight - min(1.0, _LINE * abs(lines))
