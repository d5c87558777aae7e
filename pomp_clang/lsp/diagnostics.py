"""Diagnostics: what cannot be instrumented, and what is wrong in the filter file."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lsprotocol import types

from pomp_clang.lsp.positions import Lines
from pomp_clang.lsp.session import View

SOURCE = "pomp-clang"


def of_view(view: View, lines: Lines) -> Iterator[types.Diagnostic]:
    """The warnings for a document."""
    if view.error:
        yield _unread(view.error, lines)
    for remark in view.remarks:
        yield types.Diagnostic(
            lines.whole(remark.line),
            remark.text,
            severity=types.DiagnosticSeverity.Warning,
            code=f"pomp-{remark.reason}",
            source=SOURCE,
        )


def _unread(error: str, lines: Lines) -> types.Diagnostic:
    """Why a document's constructs are not known, `line N: what` or what there is to say of its
    command."""
    match = re.fullmatch(r"line (\d+): (.*)", error, re.S)
    advice = "" if match else " (see its command in compile_commands.json)"
    return types.Diagnostic(
        lines.whole(int(match[1]) - 1 if match else 0),
        f"its constructs cannot be found: {match[2] if match else error}{advice}",
        severity=types.DiagnosticSeverity.Warning,
        code="pomp-parse" if match else "pomp-compiler",
        source=SOURCE,
    )


def of_filter(error: str, lines: Lines) -> Iterator[types.Diagnostic]:
    """The error of a filter file, `file:line: what`, if there is one."""
    match = re.fullmatch(r".*?:(\d+): (.*)", error, re.S)
    if match:
        yield types.Diagnostic(
            lines.whole(int(match[1]) - 1),
            match[2],
            severity=types.DiagnosticSeverity.Error,
            source=SOURCE,
        )
