"""Parallel regions that follow one another become one region.

The team is started once. The barrier at each region's end stays. Serial code in between is done by
one thread, after which another barrier releases the team.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from pomp_clang.causes.properties.openmp import Fork
from pomp_clang.causes.remedies import RemedyPrediction
from pomp_clang.causes.run.points import Point
from pomp_clang.causes.run.run import Run, once
from pomp_clang.causes.timeline.columns import distinct, median
from pomp_clang.causes.waits.wait_graph import graph_of
from pomp_clang.causes.what_if.remove_work import Spared, without_work
from pomp_clang.causes.what_if.simulate import Case, ChangedTrace, as_it_is, end_of, recorded_end
from pomp_clang.shared_dataclass import dataclass
from pomp_clang.trace.model import Ints

_NO_CODE = 1e-6
"""Seconds between two regions in which there is no code that needs a barrier: what a call and the
measurement take."""

_SHORT = 20e-6
"""Seconds of serial code between two regions, up to which they are neighbors in any case."""

_NAMED = 4

_FUNCTION = 4
"""The place of the function among a region's strings."""


@dataclass(frozen=True, slots=True)
class _Neighbors:
    """Pairs of teams of which the second follows the first with little serial code, `gap` ticks:
    rows of the run's teams."""

    first: Ints
    second: Ints
    gap: Ints


@once
def _neighbors(run: Run) -> _Neighbors:
    teams, members = run.teams, run.membership
    outermost = members.team[members.is_master & members.outermost]
    main_teams = outermost[(teams.master[outermost] == run.main) & (teams.size[outermost] > 1)]
    rows = main_teams[np.argsort(teams.fork[main_teams], kind="stable")]
    if len(rows) < 2:
        return _Neighbors(rows[:0], rows[:0], rows[:0])
    first, second = rows[:-1], rows[1:]
    gap = np.maximum(0, teams.fork[second] - teams.join[first])
    price = median(teams.join[rows] - _ends(run)[rows])
    limit = max(price, _SHORT * run.second)
    within = _surroundings(run)[teams.path]
    near = (gap <= limit) & (within[first] == within[second])
    near &= teams.size[first] == teams.size[second]
    return _Neighbors(first[near], second[near], gap[near])


def _ends(run: Run) -> Ints:
    """Return, for each team, when all members had come to the region's end and its tasks were done."""
    teams = np.arange(len(run.teams.number), dtype=np.int32)
    last = np.searchsorted(run.instances.team, teams, "right") - 1
    return np.maximum(run.instances.last, run.instances.done)[last]


def _surroundings(run: Run) -> Ints:
    """Return, for each call path of the trace, a number for the call path and the function around."""
    records, known = run.records, {("", -1): 0}
    numbers = np.zeros(len(run.places.rows), np.int64)
    for path, raw in records.paths.items():
        region = records.regions.get(raw.region)
        if region is not None and path < len(numbers):
            above = run.paths[run.places.rows[path]].above
            numbers[path] = known.setdefault((region.strings[_FUNCTION], above), len(known))
    return numbers


def merged_regions(run: Run, paths: Sequence[int]) -> Iterator[RemedyPrediction]:
    """Yield the prediction for the regions at the call paths, merged with all their neighbors."""
    pairs = _neighbors(run)
    if not len(pairs.first):
        return
    row = run.places.rows[run.teams.path]
    group = _group(set(paths), row[pairs.first], row[pairs.second])
    is_of_group = np.zeros(len(run.paths), np.bool_)
    is_of_group[list(group)] = True
    is_merged = is_of_group[row[pairs.first]] & is_of_group[row[pairs.second]]
    if not is_merged.any():
        return
    pairs = _Neighbors(pairs.first[is_merged], pairs.second[is_merged], pairs.gap[is_merged])
    end = end_of(run, graph_of(run), _merged(run, pairs))
    change, condition = _change(run, sorted(group))
    yield RemedyPrediction(change, end / run.second, _before(run), condition)


def _before(run: Run) -> float:
    return recorded_end(run) / run.second


def _group(paths: set[int], first: Ints, second: Ints) -> set[int]:
    """Return the call paths of regions that are connected by being neighbors."""
    rows = max(int(first.max()), int(second.max())) + 1
    pairs = {divmod(number, rows) for number in distinct(first * np.int64(rows) + second).tolist()}
    group = {path for path in paths if any(path in pair for pair in pairs)}
    while True:
        more = {path for pair in pairs if group & set(pair) for path in pair} - group
        if not more:
            return group
        group |= more


def _merged(run: Run, pairs: _Neighbors) -> ChangedTrace:
    """Return the trace in which the second region of each pair needs no new team."""
    graph, same, teams = graph_of(run), as_it_is(run), run.teams
    case = Case(run, graph, Fork, 0, run.places.rows == 0)
    since, until = _ends(run)[pairs.first], teams.join[pairs.first]
    changed = without_work(case, same, [Spared(run.main, since, np.maximum(since, until))])
    price = np.full(len(teams.number), np.inf)
    has_code = pairs.gap > _NO_CODE * run.second
    price[pairs.second] = np.where(has_code, _barrier_price(run), 0.0)
    begins = np.flatnonzero(graph.kind == Point.BEGIN)
    lag = changed.lag.astype(np.float64)
    lag[begins] = np.minimum(lag[begins], price[graph.object[begins]])
    return ChangedTrace(changed.work, lag, changed.is_free, changed.tail)


@once
def _barrier_price(run: Run) -> float:
    """Return the median ticks from the last arrival at a barrier until a member goes on."""
    graph = graph_of(run)
    passes = graph.kind == Point.PASS
    return median(graph.lag[passes]) if passes.any() else 0.0


def _change(run: Run, group: Sequence[int]) -> tuple[str, str]:
    """Return the change in words, and which regions it is about."""
    places = [run.paths[path] for path in group]
    names = [f"{place.file.rpartition('/')[2]}:{place.line}" for place in places]
    if len(names) == 1:
        return "one parallel region around the loop that starts this one", ""
    change = f"merging {len(names)} neighboring regions"
    named = ", ".join(names) if len(names) <= _NAMED else f"{names[0]} to {names[-1]}"
    return change, f"They are {named}."
