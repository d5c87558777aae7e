"""A directive as it is written, and its words and clauses, split by the tables of `openmp`.

Metadirectives choose among directives by context (OpenMP 5.2, section 7.4).
"""

from __future__ import annotations

import re
from functools import lru_cache

from pomp_clang.frontend.source import IDENTIFIER
from pomp_clang.openmp.directive_lookup import directives_of, longest_match
from pomp_clang.openmp.directives import Directive, DirectiveForm
from pomp_clang.record import record

_WORD = re.compile(rf"\s*({IDENTIFIER})")
_CLAUSE = re.compile(rf"[\s,]*({IDENTIFIER})\s*")
_LITERAL_OR_PAREN = re.compile(r'"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])*\'|[()\[\]{}]')


@record
class DirectiveText:
    """A directive in the text of a file.

    `start` and `end` delimit what has to be replaced to replace it; `body` is what
    follows the sentinel (omp or pomp), comments and line splices as spaces.
    """

    start: int
    end: int
    spelling: str
    sentinel: str
    body: str


@record
class ClauseText:
    """A clause as written: `argument` is what stands in its parentheses, or None."""

    name: str
    argument: str | None

    def __str__(self) -> str:
        return self.name if self.argument is None else f"{self.name}({self.argument})"


@record
class DirectiveReading:
    """A body split by the tables: the directive, its argument in parentheses if it
    takes one there (critical's name, flush's list), and its clauses.

    `fortran` says that the words are Fortran's. `is_whole` is False if the body has more text than
    these parts, which compilers ignore or refuse. `follows_comma` is True if a comma stands before
    the first clause, which some compilers refuse and others of C ignore with what follows."""

    directive: Directive | None
    argument: str | None
    clauses: tuple[ClauseText, ...]
    fortran: bool = False
    is_whole: bool = True
    follows_comma: bool = False

    def clause(self, name: str) -> ClauseText | None:
        """Return the first clause of that name."""
        return next((c for c in self.clauses if c.name == name), None)


@lru_cache(maxsize=4096)
def read_directive(body: str, fortran: bool = False) -> DirectiveReading:
    """Split a directive's body.  `directive` is None if its words are in no table.

    A body in Fortran's words is in lower case, with blanks between the directive's words.
    """
    names = []
    at = 0
    while (match := _WORD.match(body, at)) is not None:
        names.append(match.group(1))
        at = match.end()
    directive = longest_match(names, directives_of(fortran))
    if directive is None:
        return DirectiveReading(None, None, ())
    at = 0
    for _ in directive.words.split():
        match = _WORD.match(body, at)
        assert match is not None
        at = match.end()
    argument, is_whole = None, True
    rest = re.compile(r"\s*\(").match(body, at)
    if rest:
        argument, at, is_whole = _bracketed(body, rest.end())
    clauses: list[ClauseText] = []
    follows_comma = False
    while (match := _CLAUSE.match(body, at)) is not None:
        between = body[at : match.start(1)].strip()
        follows_comma |= not clauses and between == ","
        is_whole &= between in (("", ",") if clauses or fortran else ("",))
        at, value, is_closed = match.end(), None, True
        if body[at : at + 1] == "(":
            value, at, is_closed = _bracketed(body, at + 1)
        clauses.append(ClauseText(match.group(1), value))
        is_whole &= is_closed
    is_whole &= not body[at:].strip()
    return DirectiveReading(directive, argument, tuple(clauses), fortran, is_whole, follows_comma)


def parenthesized(body: str, start: int) -> tuple[str, int]:
    """Return the text from `start` to the matching parenthesis, and the offset behind it.

    If the brackets do not match, return the rest: the compiler reports the error.
    """
    text, end, _ = _bracketed(body, start)
    return text, end


def _bracketed(body: str, start: int) -> tuple[str, int, bool]:
    """Return what `parenthesized` does, and whether a closing parenthesis matches."""
    depth = 1
    for match in _LITERAL_OR_PAREN.finditer(body, start):
        if match.group() in ("(", "[", "{"):
            depth += 1
        elif match.group() in (")", "]", "}"):
            depth -= 1
            if depth == 0:
                return body[start : match.start()].strip(), match.end(), match.group() == ")"
    return body[start:].strip(), len(body), False


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
