"""Guards: the program itself asks once for each visit if the calls are to be made.

While a thread's events do not count, or nothing is measured in the process, a visit is left out as
a whole. The answer is kept in a variable of the block in which the visit begins and ends. The guard
reads the thread's own variable. OpenMP allows that in any region except in an untied task.
"""

from __future__ import annotations

import re
from functools import lru_cache

from pomp_clang.frontend.constructs import Construct, Constructs

EVENTS = frozenset(("Critical", "Atomic", "Flush", "Master", "Masked", "Simd"))
"""Events of constructs that may cost less than a call: INLINED in runtime/src/events/events.def."""

VARIABLE = "__pomp_thread"
_ASKED = f"__atomic_load_n({VARIABLE}, 0) - 1u > 1u"
"""Neither POMP_SKIPS nor POMP_IGNORES (runtime/src/location/thread.c)."""

_JUMPS = re.compile(r"\b(?:goto|_*(?:sig)?setjmp|vfork)\b")
"""Ways into a block that pass by its beginning, or lose what its variables are."""


def variable(symbol: str, extern: str) -> str:
    """Return the declaration of the thread's variable, which begins with its mode."""
    return (
        f'{extern}__thread unsigned *{VARIABLE} __asm__("{symbol}") '
        '__attribute__((__tls_model__("initial-exec"), __visibility__("default")));'
    )


def first_statement(flag: str) -> str:
    """Return the statement before the first event of a visit, in the visit's own block."""
    return f"int {flag} = {_ASKED};"


def asked_later(flag: str) -> tuple[str, str]:
    """Return the two statements for a visit that is only part of a block.

    The first stands at the beginning of the block, the second before the first event.
    """
    return f"int {flag} = 1;", f"{flag} = {_ASKED};"


def guarded_call(call: str, flag: str) -> str:
    """Return a statement that makes the call if the visit counts."""
    return f"{{ if ({flag}) {call} }}"


def may_be_guarded(constructs: Constructs, construct: Construct) -> bool:
    """Return True if a construct's visits can be guarded.

    They cannot if two constructs share a descriptor, nor in a file that the compiler reads
    more than once.
    """
    if constructs.repeated or any(
        task.untied for task in (construct, *constructs.around(construct))
    ):
        return False
    if construct.control is not None:
        return _is_of_a_block(constructs, construct)
    directive = construct.directive
    return directive is not None and not directive.leaves and directive.event in EVENTS


def _is_of_a_block(constructs: Constructs, begin: Construct) -> bool:
    """Return True if a user region ends only in the block in which it begins.

    The block must be entered at its beginning, too.
    """
    block = begin.scope
    if block is None or _jumps(constructs.source.text):
        return False
    return all(
        end.begin in block
        and end.outer == begin.outer
        and end.declaration_site.function_at == begin.declaration_site.function_at
        for end in constructs.ends.get(begin.index, ())
    )


@lru_cache(maxsize=1)
def _jumps(text: str) -> bool:
    return _JUMPS.search(text) is not None
