"""Metadirectives, which choose among directives by context (OpenMP 5.2, section 7.4)."""

from __future__ import annotations

from pomp_clang.frontend.directive_text import DirectiveReading, read_directive
from pomp_clang.openmp.directives import Directive, DirectiveForm

_BRACKETS = {"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}


def alternatives(metadirective: DirectiveReading) -> list[Directive | None]:
    """Return the directives that a metadirective may become, without `nothing`.

    None stands for a directive that no table knows.
    """
    directives = []
    for clause in metadirective.clauses:
        body = clause.argument or ""
        if clause.name == "when":
            body = body[_colon(body) + 1 :]
        directive = read_directive(body, metadirective.fortran).directive
        if body.strip() and (directive is None or directive.words != "nothing"):
            directives.append(directive)
    return directives


def governed(metadirective: DirectiveReading) -> DirectiveForm | None:
    """Return the form of all alternatives: a block or standalone; None if they differ."""
    directives = alternatives(metadirective)
    if directives and all(
        directive is not None and directive.form is DirectiveForm.STANDALONE
        for directive in directives
    ):
        return DirectiveForm.STANDALONE
    if directives and all(
        directive is not None and directive.bears_code for directive in directives
    ):
        return DirectiveForm.BLOCK
    return None


def hides_calls(metadirective: DirectiveReading) -> bool:
    """Return True if one of the alternatives allows no call within its block."""
    return any(directive is None or directive.opaque for directive in alternatives(metadirective))


def may_generate_tasks(metadirective: DirectiveReading) -> bool:
    """Return True if the block may belong to other tasks."""
    return any(
        directive is None or directive.generates_tasks for directive in alternatives(metadirective)
    )


def _colon(text: str) -> int:
    """Return the offset of the colon that ends a context selector, or -1."""
    depth = 0
    for at, character in enumerate(text):
        depth += _BRACKETS.get(character, 0)
        if character == ":" and not depth and ":" not in (text[at + 1 : at + 2], text[at - 1 : at]):
            return at
    return -1
