"""The lines with a procedure's events: at its begin, behind each ENTRY, and on each way out.

A call in front of a RETURN that depends on a condition makes a block of the IF statement. If the
statement has a label, or follows another one on its line, CONTINUE takes its place there.
"""

from __future__ import annotations

from collections.abc import Iterator

from pomp_clang.frontend.extent import Extent
from pomp_clang.frontend.fortran.places import ProcedureBody, ProcedureExit
from pomp_clang.frontend.source import SourceText
from pomp_clang.frontend.unit import SourceForm
from pomp_clang.record import record
from pomp_clang.rewrite.fortran.lines import MARGIN, LineWriter, marker

_LAST_LABEL = 99_999


@record
class ProcedureCalls:
    """The names of the subroutines that a procedure calls at its begin and at its end."""

    begin: str
    end: str


@record
class ProcedureEdits:
    """The text at a procedure's begin, further lines by their offsets, and new statements."""

    begin: str
    inserted: tuple[tuple[int, str], ...]
    replaced: tuple[tuple[Extent, str], ...]


def procedure_edits(
    source: SourceText, form: SourceForm, body: ProcedureBody, calls: ProcedureCalls
) -> ProcedureEdits:
    """Return the changes of a procedure's text."""
    writer = _ProcedureWriter(source, form, calls)
    inserted = [(exit.line, writer.leave(exit.line)) for exit in body.exits if _by_lines(exit)]
    inserted += writer.entries(body)
    replaced = tuple(writer.replaced(exit) for exit in body.exits if not _by_lines(exit))
    return ProcedureEdits(writer.enter(body.enter), tuple(inserted), replaced)


def _by_lines(exit: ProcedureExit) -> bool:
    return exit.leads and exit.action is None


class _ProcedureWriter:
    def __init__(self, source: SourceText, form: SourceForm, calls: ProcedureCalls) -> None:
        self._source, self._form, self._calls = source, form, calls

    def enter(self, at: int) -> str:
        return self._lines(at, f"call {self._calls.begin}()")

    def leave(self, at: int) -> str:
        return self._lines(at, f"call {self._calls.end}()")

    def _lines(self, at: int, *statements: str) -> str:
        """Return statements as whole lines in front of the line at an offset."""
        writer = LineWriter(self._source, self._form, at)
        for statement in statements:
            writer.statement(statement)
        return writer.text(self._marker(at))

    def entries(self, body: ProcedureBody) -> Iterator[tuple[int, str]]:
        """Yield the begin behind each ENTRY, which control from above passes by."""
        label = _LAST_LABEL
        for entry in body.entries:
            while str(label) in self._source.text:
                label -= 1
            yield entry.start, self._lines(entry.start, f"goto {label}")
            writer = LineWriter(self._source, self._form, entry.start)
            writer.statement(f"call {self._calls.begin}()")
            writer.labelled(label, "continue")
            yield entry.end, writer.text(self._marker(entry.end))
            label -= 1

    def replaced(self, exit: ProcedureExit) -> tuple[Extent, str]:
        """Return the text in the place of a statement, or of the action of an IF statement."""
        extent = exit.action or exit.statement
        text = self._source.text[extent.start : extent.end]
        marker = self._marker(extent.start)
        lines = [
            "continue" if exit.action is None else "then",
            f"{marker}{MARGIN}call {self._calls.end}()",
            f"{marker}{MARGIN}{text}",
        ]
        if exit.action is not None:
            lines.append(f"{self._marker(extent.end - 1)}{MARGIN}end if")
        return extent, "\n".join(lines)

    def _marker(self, at: int) -> str:
        return marker(*self._source.place(at)) if at < len(self._source.text) else ""
