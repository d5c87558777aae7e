"""Texts of files in which the expansions of directives and macro uses stand on their lines."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from functools import cached_property

from pomp_clang.frontend.c.source import CSourceText, last_line
from pomp_clang.frontend.directive_text import DirectiveText
from pomp_clang.frontend.source import Extent, OffsetRanges
from pomp_clang.record import record


@record
class MarkedFile:
    """A file, its live directives, and where it uses macros that may make one."""

    path: str
    source: CSourceText
    pragmas: tuple[DirectiveText, ...]
    uses: tuple[Extent, ...]

    @cached_property
    def items(self) -> list[DirectiveText | Extent]:
        """Uses, and directives outside them, in the order of the text."""
        uses = OffsetRanges((use.start, use.end) for use in self.uses)
        within = {p.start for p in self.pragmas if uses.depth(p.start)}
        by_start: dict[int, DirectiveText | Extent] = {u.start: u for u in self.uses}
        by_start.update((p.start, p) for p in self.pragmas if p.start not in within)
        return [by_start[start] for start in sorted(by_start)]


def written_out(files: Sequence[MarkedFile], expanded: dict[int, str]) -> dict[str, CSourceText]:
    """Return the texts, by path, with expansions in the places of their items.

    The items of all files are numbered one after the other. One without an expansion stays.
    """
    sources = {}
    first = 0
    for marked_file in files:
        text, moved = _with_expansions(marked_file.source, marked_file.items, expanded, first)
        sources[marked_file.path] = CSourceText(marked_file.source.path, text, tuple(moved))
        first += len(marked_file.items)
    return sources


def operator(pragma: str) -> str:
    """Return the `_Pragma` of a pragma's text."""
    escaped = pragma.replace("\\", "\\\\").replace('"', '\\"')
    return f'_Pragma("{escaped}")'


def _with_expansions(
    source: CSourceText, items: list[DirectiveText | Extent], expanded: dict[int, str], first: int
) -> tuple[str, list[tuple[int, int]]]:
    """Return the text with the expansions in their places, and by how many columns they move what
    follows.

    Items in dead branches have no expansion and stay.
    """
    text = source.text
    pieces: list[str] = []
    moved: list[tuple[int, int]] = []
    before = deque(source.moved)
    at = length = 0
    for number, item in enumerate(items, first):
        new = expanded.get(number)
        if new is None or (isinstance(item, DirectiveText) and new.split() == item.body.split()):
            continue
        breaks = text.count("\n", item.start, item.end)
        new = (
            _as_directive(item, new, breaks)
            if isinstance(item, DirectiveText)
            else new + "\n" * breaks
        )
        pieces += [text[at : item.start], new]
        while before and before[0][0] <= item.start:
            where, columns = before.popleft()
            moved.append((where - at + length, columns))
        length += item.start - at + len(new)
        moved.append((length, last_line(new) - last_line(text[item.start : item.end])))
        at = item.end
        while before and before[0][0] <= at:
            where, columns = before.popleft()
            if "\n" not in text[where:at]:
                moved.append((length, columns))
    moved += [(where - at + length, columns) for where, columns in before]
    return "".join([*pieces, text[at:]]), moved


def _as_directive(directive: DirectiveText, body: str, breaks: int) -> str:
    """Return the directive with another body, in its own spelling, over `breaks` line breaks.

    It begins on the first of the lines and ends on the last.
    """
    if directive.spelling == "#pragma":
        splices = "\\\n" * breaks
        return f"#pragma {splices}{directive.sentinel} {body}"
    escaped = body.replace("\\", "\\\\").replace('"', '\\"')
    lines = "\n" * breaks
    return f'_Pragma({lines}"{directive.sentinel} {escaped}")'
