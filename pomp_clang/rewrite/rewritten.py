"""What the rewriting of a unit's files results in."""

from __future__ import annotations

from pomp_clang.record import record


@record
class Rewritten:
    """The new text of each plan's file, or None if it has none; the unit's own file comes first.

    `companion` is a C text that has to be compiled and linked with them, or "". `is_foreign` is True
    if the compiler refuses the old text for directives of POMP's own. `macros` are definitions that
    the texts need on the command line.
    """

    texts: list[str | None]
    companion: str = ""
    is_foreign: bool = False
    macros: tuple[str, ...] = ()
