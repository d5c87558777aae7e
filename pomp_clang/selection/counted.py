"""Which constructs have to be left as they are for the compiler's counts to be the user's."""

from __future__ import annotations

import re

from pomp_clang.frontend.constructs import Construct, Constructs
from pomp_clang.frontend.libclang import Kind
from pomp_clang.frontend.pragmas import Reading
from pomp_clang.openmp.coverage import KEPT, Kept
from pomp_clang.openmp.directives import DIRECTIVES, Barrier, Directive
from pomp_clang.rewrite.combined import is_task_reduction

_OF_BODY = "coverage would count its body otherwise in a block"
_COUNTED = frozenset(
    (
        Kind.LABEL_STMT, Kind.IF_STMT, Kind.SWITCH_STMT, Kind.WHILE_STMT, Kind.DO_STMT,
        Kind.FOR_STMT, Kind.CXX_TRY_STMT, Kind.CXX_FOR_RANGE_STMT, Kind.CONDITIONAL_OPERATOR,
    )
)  # fmt: skip
"""Statements that clang has a counter for."""
_BOTH = re.compile(r"\s*if\s*\((?!\s*[a-z]+\s*:(?!:))")
"""An `if` clause that names no directive."""


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
    if directive is None or reading is None:
        return ""
    if kept.untied and _has_variable(directive) and _is_in_untied(constructs, construct):
        return "coverage would count the untied task around it otherwise"
    if construct.block is None:
        return ""
    if directive.leaves:
        found = (
            kept.all
            or directive.words in kept.words
            or (kept.task_reductions and any(map(is_task_reduction, reading.clauses)))
            or (kept.simd_if and "simd" in directive.words.split() and _has_common_if(reading))
        )
        return "coverage would count it otherwise as two directives" if found else ""
    inside = kept.bodies and directive.generates_tasks and directive.inside
    return _OF_BODY if inside and _has_counter(constructs, construct) else ""


def _has_variable(directive: Directive) -> bool:
    """Whether instrumented it needs a variable around it."""
    outer = DIRECTIVES[directive.leaves[0]] if directive.leaves else directive
    return outer.barrier is Barrier.ADDED or outer.scheduling or outer.is_deferred


def _is_in_untied(constructs: Constructs, construct: Construct) -> bool:
    """Whether the variable would be an untied task's, of which clang makes a function more; the
    token of a scheduling point is wherever that stands in the task."""
    leaf = construct.leaf
    for around in constructs.around(construct):
        if around.directive is None:
            continue
        if construct.home.function_at > around.begin.start:
            return False
        if around.generates_tasks or leaf is None or not leaf.scheduling:
            return around.generates_tasks and around.untied
    return False


def _has_common_if(reading: Reading) -> bool:
    return any(_BOTH.match(str(clause)) for clause in reading.clauses)


def _has_counter(constructs: Constructs, construct: Construct) -> bool:
    """Whether clang has a counter for the statement that is the block; what another directive
    governs is that one's."""
    assert construct.block is not None
    between = range(construct.begin.end, construct.block.start)
    if any(other.begin.start in between for other in constructs.items):
        return False
    if construct.statement != Kind.BINARY_OPERATOR:
        return construct.statement in _COUNTED
    text = constructs.source.text[construct.block.start : construct.block.end]
    return "&&" in text or "||" in text or "=" not in text
