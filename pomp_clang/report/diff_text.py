"""Two runs compared, as text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pomp_clang.analysis.changes import Change, changes
from pomp_clang.analysis.comparison import Compared, change
from pomp_clang.analysis.overheads import share
from pomp_clang.analysis.properties import lasting
from pomp_clang.analysis.run import Run
from pomp_clang.report.diff_causes import Causes
from pomp_clang.report.parts import shown_parts
from pomp_clang.report.region_columns import REGION_FIELDS, region_cells
from pomp_clang.report.table import Cell, Field, table
from pomp_clang.report.terminal import Terminal, printable
from pomp_clang.report.text import title
from pomp_clang.report.text_properties import LEAST
from pomp_clang.report.wording import (
    decimals_for,
    growth,
    growth_in_percent,
    number,
    percent,
    place,
    seconds,
    signed,
    what,
    wrapped,
)

if TYPE_CHECKING:
    from pomp_clang.causes.tally import Statistics

_ROOMY = 120
_DIGITS, _FEW_DIGITS = 7, 5
"""Of a time, in a terminal that is roomy or not."""
_CHANGED = 0.05
"""A change of a time that is coloured: less is often another run of the same."""

_MATTERS = 0.001
"""The share of a run's time from which on a region's change is more than noise to a person."""

_FINDINGS = 12
"""So many are shown unless a number was asked for."""

_WEIGHTY = 0.01
"""A change of a share that is coloured."""


def render(
    a: Run,
    b: Run,
    regions: tuple[Compared, ...],
    top: int | None,
    terminal: Terminal,
    causes: Causes | None = None,
) -> str:
    sections = (
        ("Runs", _runs(a, b, terminal)),
        ("Where the threads' time went", _parts(a, b, terminal)),
        ("Performance properties (% of each run's time)", _findings(a, b, top, terminal)),
        *([("Causes (seconds of all threads)", _causes(causes, top, terminal))] if causes else []),
        ("Regions", _regions(a, b, regions, top, terminal)),
    )
    lines: list[str] = []
    for heading, body in sections:
        lines += ["", *title(heading, terminal), "", *body]
    return "\n".join(lines).lstrip("\n") + "\n"


def _runs(a: Run, b: Run, terminal: Terminal) -> list[str]:
    decimals = decimals_for([a.duration, b.duration])
    durations = [Cell(seconds(run.duration, decimals)) for run in (a, b)]
    duration = change(a.duration, b.duration)
    rows = [
        [Cell("Duration"), *durations, Cell(_grown(duration, a, b), _role(duration))],
        [Cell("Threads"), Cell(str(a.threads)), Cell(str(b.threads)), Cell("")],
    ]
    fields = [Field("", right=False, least=14), Field("A"), Field("B"), Field("")]
    lines = []
    for name, run in (("A", a), ("B", b)):
        e = run.experiment
        said = f"{name}  {printable(e.directory)}  {printable(e.program)}  {e.start}"
        lines.append(said if terminal.width is None else terminal.shorten(said, terminal.width))
    for name, run in (("A", a), ("B", b)):
        if not run.experiment.complete:
            lines.append(terminal.paint(f"{name} is incomplete: the program ended early.", "hot"))
    lines += ["", *table(terminal, fields, rows)]
    return lines + [line for note in notes(a, b) for line in ("", *wrapped(note, terminal.width))]


def _grown(duration: float | None, a: Run, b: Run) -> str:
    """Return the growth of the duration, with the runs of which it is incomplete."""
    early = [name for name, run in (("A", a), ("B", b)) if not run.experiment.complete]
    said = growth_in_percent(duration)
    return f"{said} ({' and '.join(early)} incomplete)" if early else said


def notes(a: Run, b: Run) -> list[str]:
    """What has to be known to read the times side by side."""
    if a.threads == b.threads:
        return []
    return [
        f"A ran with {number(a.threads, 'thread')}, B with {b.threads}: a region whose execT, the "
        "sum over threads, stays the same has scaled ideally. pomp-clang scale compares wall times."
    ]


def _parts(a: Run, b: Run, terminal: Terminal) -> list[str]:
    """Seconds over all threads, and the share of duration x threads of each run."""
    wholes = (a.analysis.totalT, b.analysis.totalT)
    decimals = decimals_for(wholes)
    fields = [Field("", right=False, least=14)]
    fields += [Field("A"), Field("%"), Field("B"), Field("%"), Field("B - A")]
    rows = []
    named = {"Total": wholes}
    parts = a.parts(), b.parts()
    named |= {part.key: (parts[0][part.key], parts[1][part.key]) for part in shown_parts(*parts)}
    for name, values in named.items():
        cells = [Cell(name, "strong" if name == "Total" else "")]
        for value, whole in zip(values, wholes, strict=True):
            cells += [Cell(seconds(value, decimals)), Cell(percent(share(value, whole)))]
        cells.append(Cell(signed(values[1] - values[0], decimals)))
        rows.append(cells)
    return table(terminal, fields, rows)


def worth(found: tuple[Change, ...]) -> tuple[Change, ...]:
    """Those that weigh enough in either run to be shown to a person."""
    return tuple(each for each in found if each.largest >= LEAST)


def _findings(a: Run, b: Run, top: int | None, terminal: Terminal) -> list[str]:
    found = worth(changes(a, b))
    shown = found[: _FINDINGS if top is None else top]
    roomy = _is_roomy(terminal)
    if not shown:
        return ["No time was lost in either."]
    fields = [
        Field("A", least=5),
        Field("B", least=5),
        Field("B - A", least=6),
        Field("property", right=False, least=12, elastic="right"),
        Field("", right=False),
        *([Field("", right=False, least=10, elastic="right")] if roomy else []),
        Field("", right=False, least=10, elastic="left"),
    ]
    rows = [
        [
            Cell(percent(each.a.share) if each.a else ""),
            Cell(percent(each.b.share) if each.b else ""),
            Cell(points(each), _direction(each.delta)),
            Cell(each.name),
            *_where(each, roomy),
        ]
        for each in shown
    ]
    lines = table(terminal, fields, rows)
    if len(found) > len(shown):
        more = f"{len(found) - len(shown)} more not shown."
        lines += ["", terminal.paint(more, "dim")]
    return lines


def _causes(causes: Causes, top: int | None, terminal: Terminal) -> list[str]:
    shown = causes.rows[: _FINDINGS if top is None else top]
    if not shown:
        note = f"They are not known: {causes.note}" if causes.note else "None takes more or less."
        return wrapped(printable(note), terminal.width)
    decimals = decimals_for([time for each in shown for time in (each.a, each.b)], _FEW_DIGITS)
    roomy = _is_roomy(terminal) and any(each.then or each.now for each in shown)
    fields = [
        Field("A", least=5),
        Field("B", least=5),
        Field("B - A", least=6),
        *([Field("longest A"), Field("longest B")] if roomy else []),
        Field("cause", right=False, least=12, elastic="right"),
        Field("", right=False, least=10, elastic="left"),
    ]
    rows = [
        [
            Cell(seconds(each.a, decimals)),
            Cell(seconds(each.b, decimals)),
            Cell(signed(each.delta, decimals), each.role),
            *([_longest(each.then), _longest(each.now)] if roomy else []),
            Cell(each.name),
            Cell(each.place, "dim"),
        ]
        for each in shown
    ]
    lines = table(terminal, fields, rows)
    if len(causes.rows) > len(shown):
        more = f"{len(causes.rows) - len(shown)} more not shown."
        lines += ["", terminal.paint(more, "dim")]
    return lines


def _longest(found: Statistics | None) -> Cell:
    """Of the instances."""
    return Cell(lasting(found.most) if found else "")


def points(each: Change) -> str:
    """The change in percentage points."""
    return signed(100 * each.delta, 1)


def _where(each: Change, roomy: bool) -> list[Cell]:
    if each.profile is None:
        return [Cell(""), *([Cell("")] if roomy else []), Cell("the program", "dim")]
    region = each.profile.region
    kind = [Cell(what(region), "dim")] if roomy else []
    return [Cell(region.id, "id"), *kind, Cell(place(region), "dim")]


def _direction(delta: float) -> str:
    if abs(delta) < _WEIGHTY:
        return ""
    return "hot" if delta > 0 else "good"


def _regions(
    a: Run, b: Run, regions: tuple[Compared, ...], top: int | None, terminal: Terminal
) -> list[str]:
    if not regions:
        return ["No region ran in either."]
    counts = states(regions)
    legend = "Times are sums over threads; + is what B has more."
    lines = wrapped(", ".join(counts), terminal.width)
    lines += [terminal.paint(line, "dim") for line in wrapped(legend, terminal.width)]
    shown = regions[:top]
    whole = max(a.analysis.totalT, b.analysis.totalT)
    lines += ["", *_table(shown, whole, terminal)]
    if len(regions) > len(shown):
        more = number(len(regions) - len(shown), "more region")
        lines += ["", terminal.paint(f"{more} not shown.", "dim")]
    return lines


def _is_roomy(terminal: Terminal) -> bool:
    return terminal.width is None or terminal.width >= _ROOMY


def states(regions: tuple[Compared, ...]) -> list[str]:
    """How many regions are in both runs, and in one of them, in words."""
    said = []
    for state, words in (("both", "in both"), ("new", "only in B"), ("gone", "only in A")):
        count = sum(each.state == state for each in regions)
        if count:
            said.append(f"{number(count, 'region')} {words}")
    return said


def _table(regions: tuple[Compared, ...], whole: float, terminal: Terminal) -> list[str]:
    roomy = _is_roomy(terminal)
    times = [s.execT for each in regions for s in (each.a, each.b) if s]
    decimals = decimals_for(times, _DIGITS if roomy else _FEW_DIGITS)
    fields = [
        *REGION_FIELDS,
        *([Field("execC A"), Field("execC B")] if roomy else [Field("execC +")]),
        *([Field("execT A")] if roomy else []),
        Field("execT B"),
        Field("execT +"),
        Field("%"),
        Field("lostT +"),
        *([Field("", right=False)] if roomy else []),
    ]
    return table(terminal, fields, [_row(each, whole, decimals, roomy) for each in regions])


def _row(each: Compared, whole: float, decimals: int, roomy: bool) -> list[Cell]:
    region = each.shown.region
    delta = each.delta
    grown = change(each.a.execT, each.b.execT) if each.a and each.b else None
    role = region_role(each, whole)
    sides = (each.a, each.b)
    counts = [Cell(str(s.execC) if s else "", "" if delta.execC else "dim") for s in sides]
    times = [Cell(seconds(s.execT, decimals) if s else "") for s in sides]
    return [
        *region_cells(region, ident(each)),
        *(counts if roomy else [Cell(f"{delta.execC:+d}" if delta.execC else "")]),
        *(times if roomy else times[1:]),
        Cell(signed(delta.execT, decimals), role),
        Cell(growth(grown) if each.state == "both" else each.state, role),
        Cell(signed(delta.lostT, decimals), "dim" if role == "dim" else ""),
        *([Cell(_from(each), "dim")] if roomy else []),
    ]


def ident(each: Compared) -> str:
    """That in B; of what B has not, that in A."""
    return each.shown.region.id if each.b else f"A:{each.shown.region.id}"


def region_role(each: Compared, whole: float) -> str:
    """By how much its execT changed, of itself and of all the time of the run that took more."""
    if share(abs(each.delta.execT), whole) < _MATTERS:
        return "dim"
    return _role(change(each.a.execT, each.b.execT)) if each.a and each.b else ""


def _from(each: Compared) -> str:
    return f"was {place(each.a.profile.region)}" if each.moved and each.a else ""


def _role(grown: float | None) -> str:
    if grown is None or abs(grown) < _CHANGED:
        return ""
    return "hot" if grown > 0 else "good"
