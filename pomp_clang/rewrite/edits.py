"""Changes of a text, collected as offset, length and new text, and applied once.

>>> edits = EditSet()
>>> edits.replace(0, 1, "x")
>>> edits.insert(3, ";")
>>> edits.apply("a+b")
'x+b;'
"""

from __future__ import annotations

from pomp_clang.record import record


class EditConflictError(Exception):
    """Two edits claim the same character."""


@record
class Edit:
    """`text` takes the place of start..end; of insertions at one offset the lower rank
    comes first, and all of them before a replacement that begins there."""

    start: int
    end: int
    rank: int
    number: int
    text: str


def _order(edit: Edit) -> tuple[int, int, int, int]:
    return edit.start, edit.end, edit.rank, edit.number


class EditSet:
    """Edits of one text."""

    def __init__(self) -> None:
        self._edits: list[Edit] = []

    def replace(self, start: int, end: int, text: str) -> None:
        """Put `text` in the place of what stands from start up to end."""
        self._edits.append(Edit(start, end, 0, len(self._edits), text))

    def insert(self, at: int, text: str, rank: int = 0) -> None:
        """Put `text` before what stands at `at`."""
        self._edits.append(Edit(at, at, rank, len(self._edits), text))

    def apply(self, text: str) -> str:
        """Make every edit in the text.  Raises `EditConflictError` if two overlap."""
        pieces = []
        at = 0
        for edit in sorted(self._edits, key=_order):
            if edit.start < at:
                raise EditConflictError(f"two changes meet at offset {edit.start}")
            pieces += [text[at : edit.start], edit.text]
            at = edit.end
        return "".join([*pieces, text[at:]])


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
