"""Diagnostics of the user's text that the new text does not cause: where there may be one,
the user's own command is asked.

What is put round a construct is a compound statement: layout that misleads and an `else`
that dangles are seen no more, and a directive that may not stand alone behind an `if` may.
A combined construct that is split passes a variable on by its address, so that gcc no
longer sees that it was never set.  A call may set what a constructor has not.
"""

from __future__ import annotations

import re

from pomp_clang.frontend.constructs import Construct, Constructs, Extent
from pomp_clang.frontend.octets import encoded
from pomp_clang.frontend.source import without_comments
from pomp_clang.rewrite.combined import variables
from pomp_clang.selection.plan import Decision, Plan

_GUARD = re.compile(r"(?:[):]|\b(?:else|do))\s*\Z")
_NEXT = re.compile(r"[^\n]*\n(?:[ \t]*\n)*([ \t]*)(?=[^\s#}])")
_CONSTRUCTOR = (
    r"(?:\b{name}\s*(?:<[^<>]*>\s*)?::\s*"
    r"|^(?:(?:explicit|inline|constexpr)\s+)*){name}$"
)
_TEMPLATE = re.compile(r"template\s*<")
_SET = re.compile(r"[=+\-/%|^?<>.(!]\s*\Z")


def may_hide(decided: Plan, warns: bool) -> bool:
    """Return whether the compiler may say something of the plan's file that it does not say of
    the new text; `warns` if its command asks for warnings."""
    constructs = decided.constructs
    return any(
        entry.construct.directive is not None and _hides(constructs, entry.construct, warns)
        for entry in decided.entries
        if entry.decision is Decision.INSTRUMENTED
    )


def _hides(constructs: Constructs, construct: Construct, warns: bool) -> bool:
    text = constructs.source.text
    end = _end_of_code(text, construct.begin.start)
    guarded = _GUARD.search(text, max(0, end - 200), end) is not None
    if construct.block is None:
        return guarded
    block = text[construct.block.start : construct.block.end]
    if guarded and block.startswith(("if", "for", "while")) and "else" in block:
        return True
    if not warns:
        return False
    if _misleads(text, construct.block) or _unset(constructs, construct):
        return True
    return constructs.language == "c++" and _in_constructor(text, construct)


def _end_of_code(text: str, at: int) -> int:
    """The end of the last line before the one of `at` that is no preprocessor directive."""
    end = text.rfind("\n", 0, at) + 1
    while end:
        start = text.rfind("\n", 0, end - 1) + 1
        if not text[start:end].lstrip().startswith("#"):
            break
        end = start
    return end


def _misleads(text: str, block: Extent) -> bool:
    """What follows is indented as if it belonged to the block."""
    following = _NEXT.match(text, block.end)
    if following is None or text[block.start] == "{":
        return False
    own = text[text.rfind("\n", 0, block.start) + 1 : block.start].expandtabs()
    return len(following.group(1).expandtabs()) > len(own)


def _in_constructor(text: str, construct: Construct) -> bool:
    """Whether the name of the function around it says that it is one."""
    at, name = construct.home.function_at, re.escape(encoded(construct.home.function))
    head = _without_parameters(text[at : text.find("(", at)].strip())
    return bool(name) and re.search(_CONSTRUCTOR.format(name=name), head, re.S) is not None


def _without_parameters(head: str) -> str:
    """A function's head without the parameter lists of templates before it."""
    while (match := _TEMPLATE.match(head)) is not None:
        depth, at = 1, match.end()
        while depth and at < len(head):
            depth += {"<": 1, ">": -1}.get(head[at], 0)
            at += 1
        head = head[at:].lstrip()
    return head


def _unset(constructs: Constructs, construct: Construct) -> bool:
    """A reduction variable of a construct that is split was only declared so far."""
    reading = construct.reading
    if reading is None or construct.directive is None or not construct.directive.leaves:
        return False
    listed = [v for c in reading.clauses if c.name == "reduction" for v in variables(c)]
    if not listed:
        return False
    text = constructs.source.text[construct.home.declared_at : construct.begin.start]
    before = without_comments(text)
    return any(_only_declared(name, before) for name in listed)


def _only_declared(name: str, before: str) -> bool:
    mentions = list(re.finditer(rf"\b{name}\b\s*(?P<after>[;,])?", before))
    if not mentions or mentions[-1]["after"] is None:
        return False
    return _SET.search(before[: mentions[-1].start()]) is None
