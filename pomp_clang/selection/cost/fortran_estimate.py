"""An estimate of a procedure's cost from its Fortran text, where there is no bitcode."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from pomp_clang.frontend.constructs import Construct, Constructs
from pomp_clang.frontend.fortran.classify import StatementKind, assigned, classify
from pomp_clang.frontend.fortran.lines import logical_lines
from pomp_clang.frontend.fortran.statements import statements
from pomp_clang.frontend.unit import SourceForm
from pomp_clang.record import record
from pomp_clang.selection.cost import prices
from pomp_clang.selection.cost.debug_information import own_name
from pomp_clang.selection.cost.estimates import Estimate

_FREE = SourceForm(fixed=False, columns=132)
_TOKEN = re.compile(r"[^\W\d]\w*|\d[\w.]*|'_*|[-+*/%<>=]+|[^\s\w]")
_BOUNDS = re.compile(r"do\d*,?[^\W\d]\w*=(-?\d+),(-?\d+)(?:,(\d+))?\Z")
_CALL = re.compile(r"([^\W\d]\w*)\(")
_SUBROUTINE = re.compile(r"call([^\W\d]\w*)")
_SECTION = re.compile(r"\([^()]*:")
_OUTPUT = frozenset(("read", "write", "print", "open", "close"))
_PER_TOKEN = 0.5
_OUTPUT_CYCLES = 1000.0


@record
class _Line:
    """A statement of a procedure: its text, and the loops that it opens and ends."""

    text: str
    keyword: str
    opens: bool
    label: str
    ends: str


@record
class _Procedures:
    """The statements of a file's procedures, and the cycles known so far, by their names."""

    constructs: Constructs
    lines: Mapping[str, tuple[_Line, ...]]
    cycles: dict[str, float]


_read: list[_Procedures] = []


def estimate(constructs: Constructs, construct: Construct) -> Estimate:
    """Estimate the cost of a procedure; the procedures that it calls are looked up in its file."""
    if not _read or _read[0].constructs is not constructs:
        functions = [item for item in constructs.items if item.function is not None]
        lines = {_name(item): tuple(_lines(constructs, item)) for item in functions}
        _read[:] = [_Procedures(constructs, lines, {})]
    reading = _ProcedureText(_read[0])
    nanoseconds = reading.cycles(_name(construct)) / prices.CYCLES_PER_NANOSECOND
    return Estimate(nanoseconds, False, reading.loops > 0, reading.sends)


def _name(construct: Construct) -> str:
    return own_name(construct.sub_name).lower()


def _lines(constructs: Constructs, construct: Construct) -> Iterator[_Line]:
    """Yield the executable statements of a procedure, without those of its internal ones."""
    assert construct.block is not None and construct.function is not None
    text = constructs.source.text[construct.function.enter : construct.block.end]
    form = constructs.form or _FREE
    for line in logical_lines(text, form):
        for statement in () if line.sentinel else statements(line):
            compact = statement.compact
            kind = classify(compact, statement.text, form.fixed)
            if kind.kind is StatementKind.CONTAINS:
                return
            opens = kind.kind is StatementKind.DO
            ends = "enddo" if kind.kind is StatementKind.END_BLOCK and kind.keyword == "do" else ""
            yield _Line(compact, kind.keyword, opens, kind.label, statement.label or ends)


class _ProcedureText:
    """The text of one procedure, statement by statement."""

    def __init__(self, known: _Procedures) -> None:
        self._known = known
        self.loops = 0
        self.sends = False

    def cycles(self, name: str) -> float:
        """Return the cycles of a call."""
        # A procedure that calls itself does so for a part of its work: a call is one part.
        self._known.cycles[name] = 0.0
        cost, trips = 0.0, [1.0]
        labels: list[str] = []
        for line in self._known.lines.get(name, ()):
            cost += trips[-1] * self._statement(line)
            if line.opens:
                self.loops += 1
                labels.append(line.label or "enddo")
                trips.append(trips[-1] * _trips(line.text, len(labels)))
            while labels and line.ends and labels[-1] == line.ends:
                labels.pop()
                trips.pop()
                if line.ends == "enddo":
                    break
        self._known.cycles[name] = cost
        return cost

    def _statement(self, line: _Line) -> float:
        cost = _PER_TOKEN * len(_TOKEN.findall(line.text))
        if line.keyword in _OUTPUT:
            cost += _OUTPUT_CYCLES
        elif assigned(line.text) and _SECTION.search(line.text):
            self.loops += 1
            cost *= prices.COUNTED_TRIPS
        called = _SUBROUTINE.match(line.text) if line.keyword in ("call", "if") else None
        names = _CALL.findall(line.text)
        functions = [name for name in names if name in self._known.lines]
        functions += [name for name in names if name in prices.LIBRARY]
        if called is not None and called[1] not in functions:
            functions.append(called[1])
        return cost + sum(map(self._call, functions))

    def _call(self, name: str) -> float:
        self.sends = self.sends or name.startswith(prices.MESSAGES)
        if name not in self._known.lines:
            return prices.callee(name)
        known = self._known.cycles.get(name)
        if known is None:
            known = _ProcedureText(self._known).cycles(name)
        return known + prices.CALL


def _trips(text: str, depth: int) -> float:
    """Return the assumed trips of a DO statement; `depth` counts it and the loops around it."""
    bounds = _BOUNDS.search(text)
    if bounds is not None:
        step = int(bounds[3] or 1) or 1
        return float(max(0, (int(bounds[2]) - int(bounds[1])) // step + 1))
    if "while" in text or text == "do":
        return prices.SEARCH_TRIPS
    return prices.DEEP_TRIPS if depth > prices.DEEP else prices.COUNTED_TRIPS
