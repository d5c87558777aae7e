"""The columns that say which region a row of a table is of."""

from __future__ import annotations

from pomp_clang.experiment.model import Region
from pomp_clang.report.phrases import place, what
from pomp_clang.report.text.table import Cell, Field

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
