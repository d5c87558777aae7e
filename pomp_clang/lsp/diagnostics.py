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
    for remark in view.remarks:
        yield types.Diagnostic(
            lines.whole(remark.line),
            remark.text,
            severity=types.DiagnosticSeverity.Warning,
            code=f"pomp-{remark.reason}",
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
