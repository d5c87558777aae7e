"""Diagnostics: constructs that cannot be instrumented, and errors in the filter file."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lsprotocol import types

from pomp_clang.lsp.positions import DocumentLines
from pomp_clang.lsp.session import DocumentView

SOURCE = "pomp-clang"


def of_view(view: DocumentView, lines: DocumentLines) -> Iterator[types.Diagnostic]:
    """Yield the warnings for a document."""
    if view.error:
        yield _unread(view.error, lines)
    for remark in view.remarks:
        yield types.Diagnostic(
            lines.text_range(remark.line),
            remark.text,
            severity=types.DiagnosticSeverity.Warning,
            code=f"pomp-{remark.reason}",
            source=SOURCE,
        )


def _unread(error: str, lines: DocumentLines) -> types.Diagnostic:
    """Build the diagnostic for a document that cannot be parsed.

    `error` is `line N: what`, or the problem with the document's compile command.
    """
    match = re.fullmatch(r"line (\d+): (.*)", error, re.S)
    advice = "" if match else " (see its command in compile_commands.json)"
    return types.Diagnostic(
        lines.text_range(int(match[1]) - 1 if match else 0),
        f"its constructs cannot be found: {match[2] if match else error}{advice}",
        severity=types.DiagnosticSeverity.Warning,
        code="pomp-parse" if match else "pomp-compiler",
        source=SOURCE,
    )


def of_filter(error: str, lines: DocumentLines) -> Iterator[types.Diagnostic]:
    """Yield the error of a filter file, given as `file:line: what`, if there is one."""
    match = re.fullmatch(r".*?:(\d+): (.*)", error, re.S)
    if match:
        yield types.Diagnostic(
            lines.text_range(int(match[1]) - 1),
            match[2],
            severity=types.DiagnosticSeverity.Error,
            source=SOURCE,
        )
