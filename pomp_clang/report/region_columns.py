"""The columns that say which region a row of a table is of."""

from __future__ import annotations

from pomp_clang.experiment.model import Region
from pomp_clang.report.table import Cell, Field
from pomp_clang.report.wording import place, what

REGION_FIELDS = (
    Field("id", right=False),
    Field("kind", right=False, least=8, elastic="right"),
    Field("place", right=False, least=10, elastic="left"),
)


def region_cells(region: Region, ident: str | None = None, role: str = "") -> list[Cell]:
    """`ident` is what stands for its id, `role` is that of all cells in place of their own."""
    said = ident or region.id
    return [Cell(said, role or "id"), Cell(what(region), role), Cell(place(region), role)]
