"""Counters by region, call path and thread, inclusive and exclusive, with derived metrics.

Metrics are derived by expressions over counters: IPC=PAPI_TOT_INS/PAPI_TOT_CYC. The grammar has
numbers, names, + - * / and parentheses. In a name, `_` equals `-` and capitals equal small letters.
A `-` right before a letter is part of the name around it; a minus is followed by a blank or a
number. Any other text is an error; nothing is executed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from pomp_clang.experiment.model import CallPath, Counters, Experiment
from pomp_clang.shared_dataclass import dataclass

Values = tuple[float | None, ...]
"""Values in the order of the metrics; None where a derived metric is undefined."""


@dataclass(frozen=True, slots=True)
class CounterMetric:
    """A counter, or a metric that is derived from counters by its `expression`, else ""."""

    name: str
    expression: str


@dataclass(frozen=True, slots=True)
class Counted:
    """Inclusive and exclusive values, of one thread or of all together."""

    inclusive: Values
    exclusive: Values


@dataclass(frozen=True, slots=True)
class CountedPlace:
    """The values at a region or call path, given by its id; `threads` are by tid."""

    id: str
    total: Counted
    threads: dict[int, Counted]


@dataclass(frozen=True, slots=True)
class CounterProfile:
    """All counters of a run.

    `outside` was counted in no region, `total` in the whole program. `notes` name derived metrics
    that are not available, with the reason.
    """

    metrics: tuple[CounterMetric, ...]
    regions: tuple[CountedPlace, ...]
    callpaths: tuple[CountedPlace, ...]
    outside: Values
    total: Values
    notes: tuple[str, ...]


_Sums = dict[tuple[str, int], list[float]]
_Counts = Mapping[tuple[str, int], tuple[int, ...]]


def counter_profile(experiment: Experiment) -> CounterProfile | None:
    """Return the counters of a run; None if nothing was counted."""
    counters = experiment.counters
    if counters is None:
        return None
    results, notes = _results(counters)
    derive = _Derivation(counters.metrics, results)
    exclusive: _Sums = {key: list(row) for key, row in counters.values.items()}
    inclusive = _inclusive(experiment, exclusive)
    tids = range(experiment.max_threads)
    paths = {path.id: path for path in experiment.callpaths}
    outermost = [path for path in experiment.callpaths if not _is_within_itself(path, paths)]
    by_region = (
        _by_region(outermost, inclusive, tids),
        _by_region(experiment.callpaths, exclusive, tids),
    )
    width = len(counters.metrics)
    return CounterProfile(
        _metrics(counters, results),
        _places((region.id for region in experiment.regions), *by_region, derive, tids),
        _places((path.id for path in experiment.callpaths), inclusive, exclusive, derive, tids),
        derive(_added((exclusive.get(("", tid)) for tid in tids), width)),
        derive(_added(exclusive.values(), width)),
        tuple(notes),
    )


def metrics_of(counters: Counters) -> tuple[CounterMetric, ...]:
    return _metrics(counters, _results(counters)[0])


def counted_between(counters: Counters, before: _Counts, after: _Counts) -> Values:
    """Return what all threads counted between two moments, with the derived metrics."""
    width = len(counters.metrics)
    earlier, later = (
        _added((list(row) for row in counts.values()), width) for counts in (before, after)
    )
    gain = [max(0.0, late - early) for early, late in zip(earlier, later, strict=True)]
    return _Derivation(counters.metrics, _results(counters)[0])(gain)


def _metrics(
    counters: Counters, results: list[tuple[str, str, Expression]]
) -> tuple[CounterMetric, ...]:
    return (
        *(CounterMetric(name, "") for name in counters.metrics),
        *(CounterMetric(name, text) for name, text, _ in results),
    )


@dataclass(frozen=True, slots=True)
class _Derivation:
    """A function from counted values to the same values followed by derived metrics."""

    names: tuple[str, ...]
    results: list[tuple[str, str, Expression]]

    def __call__(self, row: list[float]) -> Values:
        known: dict[str, float | None] = {
            canonical(name): value for name, value in zip(self.names, row, strict=True)
        }
        values: list[float | None] = [*row]
        for name, _, expression in self.results:
            known[canonical(name)] = expression.value(known)
            values.append(known[canonical(name)])
        return tuple(values)


def _results(counters: Counters) -> tuple[list[tuple[str, str, Expression]], list[str]]:
    known = {canonical(name) for name in counters.metrics}
    results, notes = [], []
    for item in counters.requested.split(","):
        name, equals, text = (part.strip() for part in item.partition("="))
        if not equals:
            continue
        try:
            expression = parse(text)
        except ExpressionError as error:
            notes.append(f"{name} is not shown: {error}.")
            continue
        missing = sorted(expression.names - known)
        if missing:
            notes.append(f"{name} is not shown: {', '.join(missing)} was not counted.")
        elif name:
            known.add(canonical(name))
            results.append((name, text, expression))
    return results, notes


def _inclusive(experiment: Experiment, exclusive: _Sums) -> _Sums:
    inclusive = {key: list(row) for key, row in exclusive.items() if key[0]}
    for path in reversed(experiment.callpaths):
        for tid in range(experiment.max_threads):
            row = inclusive.get((path.id, tid))
            if row is not None and path.above is not None:
                above = inclusive.setdefault((path.above, tid), [0] * len(row))
                above[:] = map(sum, zip(above, row, strict=True))
    return inclusive


def _is_within_itself(path: CallPath, paths: Mapping[str, CallPath]) -> bool:
    above = paths.get(path.above or "")
    while above is not None and above.region != path.region:
        above = paths.get(above.above or "")
    return above is not None


def _by_region(paths: Iterable[CallPath], by_path: _Sums, tids: range) -> _Sums:
    sums: _Sums = {}
    for path in paths:
        for tid in tids:
            row = by_path.get((path.id, tid))
            if row is not None:
                region = sums.setdefault((path.region, tid), [0] * len(row))
                region[:] = map(sum, zip(region, row, strict=True))
    return sums


def _added(rows: Iterable[list[float] | None], width: int) -> list[float]:
    total: list[float] = [0] * width
    for row in rows:
        total = list(map(sum, zip(total, row, strict=True))) if row else total
    return total


def _places(
    idents: Iterable[str], inclusive: _Sums, exclusive: _Sums, derive: _Derivation, tids: range
) -> tuple[CountedPlace, ...]:
    """Return the places at which anything was counted."""
    width = len(derive.names)
    places = []
    for ident in idents:
        threads = {}
        for tid in tids:
            row = inclusive.get((ident, tid))
            if row is not None:
                exclusive_row = exclusive.get((ident, tid), [0] * width)
                threads[tid] = Counted(derive(row), derive(exclusive_row))
        if threads:
            sums = _added((inclusive.get((ident, tid)) for tid in tids), width)
            exclusive_row = _added((exclusive.get((ident, tid)) for tid in tids), width)
            places.append(
                CountedPlace(ident, Counted(derive(sums), derive(exclusive_row)), threads)
            )
    return tuple(places)


_TOKEN = re.compile(
    r"\s*(?:(\d+\.?\d*(?:[eE][+-]?\d+)?)|([A-Za-z_](?:[\w:.]|-(?=[A-Za-z]))*)|([-+*/()]))"
)
_DEEPEST = 50


class ExpressionError(ValueError):
    """An error in an expression's text."""


def canonical(name: str) -> str:
    """Normalize a counter's name, so that equal names are spelled alike."""
    return name.lower().replace("-", "_")


@dataclass(frozen=True, slots=True)
class Expression:
    """An expression as `steps` in reverse Polish order: a number, a name, or an operation's sign."""

    steps: tuple[float | str, ...]

    @property
    def names(self) -> set[str]:
        return {s for s in self.steps if isinstance(s, str) and s not in _OPERATIONS}

    def value(self, values: Mapping[str, float | None]) -> float | None:
        """Compute the value; None if a counter is not known or a divisor is 0."""
        stack: list[float | None] = []
        for step in self.steps:
            if isinstance(step, float):
                stack.append(step)
            elif step in _OPERATIONS:
                right, left = stack.pop(), stack.pop()
                stack.append(_applied(step, left, right))
            else:
                stack.append(values.get(step))
        return stack[0]


_OPERATIONS = {"+": 1, "-": 1, "*": 2, "/": 2}


def _applied(sign: str, left: float | None, right: float | None) -> float | None:
    if left is None or right is None or (sign == "/" and right == 0):
        return None
    if sign == "/":
        return left / right
    return {"+": left + right, "-": left - right, "*": left * right}[sign]


def parse(text: str) -> Expression:
    """Parse an expression; raise `ExpressionError` with the error's text."""
    tokens = _tokens(text)
    steps: list[float | str] = []
    rest = _sum(tokens, steps, 0)
    if rest:
        raise ExpressionError(f"{rest[0]} is not expected")
    return Expression(tuple(steps))


def _tokens(text: str) -> list[float | str]:
    tokens: list[float | str] = []
    at = 0
    text = text.rstrip()
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None:
            raise ExpressionError(f"{text[at:].strip()[:20]} is not understood")
        number, name, sign = match.groups()
        tokens.append(float(number) if number else canonical(name) if name else sign)
        at = match.end()
    return tokens


def _sum(tokens: list[float | str], steps: list[float | str], depth: int) -> list[float | str]:
    return _chain(tokens, steps, depth, 1)


def _chain(
    tokens: list[float | str], steps: list[float | str], depth: int, level: int
) -> list[float | str]:
    """Parse operands of the next level between operations of this level, from left to right."""

    def operand(tokens: list[float | str]) -> list[float | str]:
        if level == 1:
            return _chain(tokens, steps, depth, 2)
        return _factor(tokens, steps, depth)

    rest = operand(tokens)
    while rest and isinstance(rest[0], str) and _OPERATIONS.get(rest[0]) == level:
        sign = rest[0]
        rest = operand(rest[1:])
        steps.append(sign)
    return rest


def _factor(tokens: list[float | str], steps: list[float | str], depth: int) -> list[float | str]:
    if not tokens or depth > _DEEPEST:
        raise ExpressionError("something is missing at its end")
    first, *rest = tokens
    if first == "(":
        rest = _sum(rest, steps, depth + 1)
        if not rest or rest[0] != ")":
            raise ExpressionError("a parenthesis is not closed")
        return rest[1:]
    if first in _OPERATIONS or first == ")":
        raise ExpressionError(f"{first} is not expected")
    steps.append(first)
    return rest
