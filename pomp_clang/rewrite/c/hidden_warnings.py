"""Diagnostics that the user's text may cause and the new text does not.

If there may be one, the driver runs the user's own command as well. A construct is put into a
compound statement. The statement hides misleading layout, a dangling `else`, a directive that may not
stand alone behind an `if`, and a block or section that compilers refuse. A combined construct that is split passes a variable on by its address,
so that gcc no longer sees that it was never set. A call may set what a constructor has not.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from functools import lru_cache

from pomp_clang.frontend.c.source import with_blank_comments
from pomp_clang.frontend.constructs import Construct, Constructs
from pomp_clang.frontend.source import IDENTIFIER, Extent, SourceText, encoded
from pomp_clang.frontend.unit import Unit
from pomp_clang.rewrite.combined import variables
from pomp_clang.selection.plan import Decision, InstrumentationPlan

_GUARD = re.compile(r"(?:[):]|\b(?:else|do))\Z")
_PRAGMA_BEFORE = re.compile(
    r'(?:_Pragma\s*\(\s*"(?:[^"\\]|\\.)*"\s*\)|\[\[(?:[^\]]|\](?!\]))*\]\])\Z'
)
_NEXT = re.compile(r"(?:[ \t]*\n)*([ \t]*)(?=[^\s#}])")
_CONSTRUCTOR = (
    r"(?:\b{name}\s*(?:<[^<>]*>\s*)?::\s*"
    r"|^(?:(?:explicit|inline|constexpr)\s+)*){name}$"
)
_SPACED_SPLICE = re.compile(r"\\[ \t\f\v]+\r?\n")
"""A line that is continued behind a space, which gcc warns of: directives are written on one line."""
_BEFORE_ATTRIBUTES = frozenset(
    ("-ansi", "-std=c++98", "-std=gnu++98", "-std=c++03", "-std=gnu++03")
)
"""Options with which g++ warns of attributes: those that are directives become _Pragma operators."""
_TEMPLATE = re.compile(r"template\s*<")
_NAME = re.compile(rf"(?P<name>{IDENTIFIER})\s*(?P<after>[;,])?")
_SETS = frozenset("=+-/%|^?<>.(!&")
"""The characters before a name that is assigned or used."""


def may_hide(decided: InstrumentationPlan, unit: Unit) -> bool:
    """Return whether the compiler may say something of the plan's file that it does not say of
    the new text."""
    if _SPACED_SPLICE.search(unit.text):
        return True
    constructs = decided.constructs
    if constructs.source.moved and not _BEFORE_ATTRIBUTES.isdisjoint(unit.preprocess):
        return True
    measured = [e.construct for e in decided.entries if e.decision is Decision.INSTRUMENTED]
    if measured and any(construct.may_be_refused for construct in constructs.items):
        return True
    return any(
        construct.directive is not None and _hides(constructs, construct, unit.warns)
        for construct in measured
    )


def _hides(constructs: Constructs, construct: Construct, warns: bool) -> bool:
    source, block = constructs.source, construct.block
    text = source.text
    if block is None:
        return _is_guarded(text, construct.begin.start)
    branches = text.startswith(("if", "for", "while"), block.start)
    may_dangle = branches and text.find("else", block.start, block.end) >= 0
    if may_dangle and _is_guarded(text, construct.begin.start):
        return True
    if not warns:
        return False
    if _has_misleading_indentation(source, block) or _unset(constructs, construct):
        return True
    return constructs.language == "c++" and _in_constructor(text, construct)


def _is_guarded(text: str, at: int) -> bool:
    """Return True if the code before `at` may be the head of a statement with one substatement.

    Comments and directives are no code, on the line of `at` neither.
    """
    code, end = _blank(text), at
    while end >= 0:
        start = code.rfind("\n", 0, end) + 1
        line = code[start:end].strip()
        while match := _PRAGMA_BEFORE.search(line):
            line = line[: match.start()].rstrip()
        if line and not line.startswith(("#", "%:")):
            return _GUARD.search(line) is not None
        end = start - 1
    return False


def _has_misleading_indentation(source: SourceText, block: Extent) -> bool:
    """Return True if the next line is indented as if it belonged to the block."""
    if source.text[block.start] == "{":
        return False
    following = _NEXT.match(source.text, source.next_line(block.end))
    if following is None:
        return False
    wide = len(following.group(1).expandtabs())
    line = source.line_start(block.start)
    return block.start - line < wide and len(source.text[line : block.start].expandtabs()) < wide


def _in_constructor(text: str, construct: Construct) -> bool:
    """Return True if the construct stands in a constructor, by the name of its function."""
    at, name = (
        construct.declaration_site.function_at,
        re.escape(encoded(construct.declaration_site.function)),
    )
    head = _without_parameters(text[at : text.find("(", at)].strip())
    return bool(name) and re.search(_CONSTRUCTOR.format(name=name), head, re.S) is not None


def _without_parameters(head: str) -> str:
    """Return a function's head without the template parameter lists before it."""
    while (match := _TEMPLATE.match(head)) is not None:
        depth, at = 1, match.end()
        while depth and at < len(head):
            depth += {"<": 1, ">": -1}.get(head[at], 0)
            at += 1
        head = head[at:].lstrip()
    return head


def _unset(constructs: Constructs, construct: Construct) -> bool:
    """Return True if a reduction variable of a split construct has only been declared so far."""
    reading = construct.reading
    if reading is None or construct.directive is None or not construct.directive.leaves:
        return False
    listed = [v for c in reading.clauses if c.name == "reduction" for v in variables(c)]
    if not listed:
        return False
    uses = _uses(constructs.source.text)
    return any(_only_declared(uses.get(name, []), construct) for name in listed)


def _only_declared(uses: list[tuple[int, bool]], construct: Construct) -> bool:
    """Return True if the last use of a name before a construct is its declaration.

    Only uses in the same declaration of the unit count.
    """
    last = bisect_left(uses, (construct.begin.start,)) - 1
    return last >= 0 and uses[last][0] >= construct.declaration_site.declared_at and uses[last][1]


@lru_cache(maxsize=1)
def _uses(text: str) -> dict[str, list[tuple[int, bool]]]:
    """Return the offsets of each name in a text, and whether it is only declared there.

    Names in comments are left out.
    """
    uses: dict[str, list[tuple[int, bool]]] = {}
    blank = _blank(text)
    for match in _NAME.finditer(blank):
        at = match.start()
        while at and blank[at - 1].isspace():
            at -= 1
        declared = match["after"] is not None and blank[at - 1 : at] not in _SETS
        uses.setdefault(match["name"], []).append((match.start(), declared))
    return uses


@lru_cache(maxsize=1)
def _blank(text: str) -> str:
    """Return a text with blanks for its comments and line splices."""
    return with_blank_comments(text)
