"""Which constructs have to be left as they are for the compiler's counts to be the user's."""

from __future__ import annotations

from pomp_clang.frontend.constructs import Construct, Constructs
from pomp_clang.openmp.coverage import KEPT, Kept
from pomp_clang.rewrite.combined import is_task_reduction


def counted_otherwise(constructs: Constructs, construct: Construct) -> str:
    """Why coverage would differ if the construct were instrumented; or ""."""
    for coverage, kept in KEPT.items():
        if coverage in constructs.coverage:
            why = _kept(construct, kept)
            if why:
                return why
    return ""


def _kept(construct: Construct, kept: Kept) -> str:
    directive, reading = construct.directive, construct.reading
    if directive is None or reading is None or not directive.leaves:
        return ""
    tasks = kept.task_reductions and any(map(is_task_reduction, reading.clauses))
    if kept.all or directive.words in kept.words or tasks:
        return "coverage would count it otherwise as two directives"
    return ""
