"""Which constructs have to be left as they are for the compiler's counts to be the user's."""

from __future__ import annotations

import re

from pomp_clang.frontend.constructs import Construct, Constructs
from pomp_clang.frontend.source import without_comments
from pomp_clang.openmp.coverage import KEPT, Kept
from pomp_clang.rewrite.combined import is_task_reduction

_OF_BODY = "coverage would count its body otherwise in a block"
_COUNTED = re.compile(
    r"(?:for|while|do|if|switch|try)\b|[A-Za-z_]\w*\s*:(?!:)"
    r"|(?!#|_Pragma\b)[^{].*?(?:&&|\|\||\?)",
    re.S,
)
"""Statements that clang has a counter for."""


def counted_otherwise(constructs: Constructs, construct: Construct) -> str:
    """Why coverage would differ if the construct were instrumented; or ""."""
    for coverage, kept in KEPT.items():
        if coverage in constructs.coverage:
            why = _kept(constructs, construct, kept)
            if why:
                return why
    return ""


def _kept(constructs: Constructs, construct: Construct, kept: Kept) -> str:
    directive, reading, function = construct.directive, construct.reading, construct.function
    if function is not None:
        return _OF_BODY if kept.bodies and function.handlers else ""
    if directive is None or reading is None or construct.block is None:
        return ""
    if directive.leaves:
        tasks = kept.task_reductions and any(map(is_task_reduction, reading.clauses))
        found = kept.all or directive.words in kept.words or tasks
        return "coverage would count it otherwise as two directives" if found else ""
    block = constructs.source.text[construct.block.start : construct.block.end]
    inside = directive.generates_tasks and directive.inside
    found = kept.bodies and bool(inside) and _COUNTED.match(without_comments(block)) is not None
    return _OF_BODY if found else ""
