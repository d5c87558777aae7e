"""Text in aligned columns that fits the terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pomp_clang.experiment.model import Region
from pomp_clang.report.phrases import place, what
from pomp_clang.report.terminal import Terminal
from pomp_clang.shared_dataclass import dataclass

GAP = "  "


@dataclass(frozen=True, slots=True)
class Cell:
    text: str
    role: str = ""


@dataclass(frozen=True, slots=True)
class Field:
    """How one column of a table is set.

    `minimum` is the smallest width of the column.  An elastic column may be shortened, down
    to that width, "left" or "right" saying which end of its texts goes first.
    """

    heading: str
    right: bool = True
    minimum: int = 0
    elastic: str = ""


def table(
    terminal: Terminal, fields: list[Field], rows: list[list[Cell]], gap: str = GAP
) -> list[str]:
    """Format the heading and the rows, one line each, without trailing blanks."""
    widths = _widths(terminal.width, fields, rows, gap)
    heading = [Cell(field.heading, "dim") for field in fields]
    return [_line(terminal, fields, widths, cells, gap) for cells in [heading, *rows]]


def abreast(
    terminal: Terminal, first_width: int, groups: Sequence[Sequence[int]], limit: int
) -> Iterator[range]:
    """Split groups of columns into tables that fit the terminal, at most `limit` groups each and at
    least one.

    `first_width` is the width of the columns that each table begins with; the groups hold widths.
    """
    first, used = 0, first_width
    for number, widths in enumerate(groups):
        needed = sum(len(GAP) + width for width in widths)
        is_fitting = terminal.width is None or used + needed <= terminal.width
        if number > first and (number - first == limit or not is_fitting):
            yield range(first, number)
            first, used = number, first_width
        used += needed
    if groups:
        yield range(first, len(groups))


def _widths(limit: int | None, fields: list[Field], rows: list[list[Cell]], gap: str) -> list[int]:
    widths = [
        max([field.minimum, len(field.heading), *(len(row[i].text) for row in rows)])
        for i, field in enumerate(fields)
    ]
    if limit is None:
        return widths
    excess = sum(widths) + len(gap) * (len(widths) - 1) - limit
    while excess > 0:
        spare = [i for i, f in enumerate(fields) if f.elastic and widths[i] > max(f.minimum, 1)]
        if not spare:
            break
        widest = max(spare, key=lambda i: widths[i])
        widths[widest] -= 1
        excess -= 1
    return widths


def _line(
    terminal: Terminal, fields: list[Field], widths: list[int], cells: list[Cell], gap: str
) -> str:
    cells_ = []
    for field, width, cell in zip(fields, widths, cells, strict=True):
        text = cell.text
        if field.elastic:
            is_place = field.elastic == "left"
            text = (terminal.shorten_place if is_place else terminal.shorten)(text, width)
        blanks = " " * (width - len(text))
        painted = terminal.paint(text, cell.role)
        cells_.append(blanks + painted if field.right else painted + blanks)
    return gap.join(cells_).rstrip()


REGION_FIELDS = (
    Field("id", right=False),
    Field("kind", right=False, minimum=8, elastic="right"),
    Field("place", right=False, minimum=10, elastic="left"),
)


def region_cells(region: Region, ident: str | None = None, role: str = "") -> list[Cell]:
    """Return the cells that identify a region; `ident` replaces its id, `role` the cells' own
    roles."""
    text = ident or region.id
    return [Cell(text, role or "id"), Cell(what(region), role), Cell(place(region), role)]
