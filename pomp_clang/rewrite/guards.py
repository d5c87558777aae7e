"""Guards: whether there is anything to call for is asked once for a visit, in the program itself.

A visit that begins while the thread's events do not count, or nothing is measured in the process,
is left out as a whole: the answer is kept in a variable of the block that it begins and ends in.
The thread's own variable is asked, which OpenMP lets be in any region but an untied task's.
"""

from __future__ import annotations

import re
from functools import lru_cache

from pomp_clang.frontend.constructs import Construct, Constructs

EVENTS = frozenset(("Critical", "Atomic", "Flush", "Master", "Masked", "Simd"))
"""Those of constructs that may cost less than a call: HOT of runtime/src/hot.def."""

VARIABLE = "__pomp_thread"
_ASKED = f"__atomic_load_n({VARIABLE}, 0) - 1u > 1u"
"""Neither POMP_SKIPS nor POMP_IGNORES (runtime/src/mode.c)."""

_JUMPS = re.compile(r"\b(?:goto|_*(?:sig)?setjmp|vfork)\b")
"""Ways into a block that pass by its beginning, or lose what its variables are."""


def variable(symbol: str, extern: str) -> str:
    """The declaration of the thread's variable, which begins with its mode."""
    return (
        f'{extern}__thread unsigned *{VARIABLE} __asm__("{symbol}") '
        '__attribute__((__tls_model__("initial-exec"), __visibility__("default")));'
    )


def asked(flag: str) -> str:
    """What stands before the first event of a visit, in the visit's own block."""
    return f"int {flag} = {_ASKED};"


def asked_later(flag: str) -> tuple[str, str]:
    """The same for a visit that is the part of a block: what stands at the block's beginning,
    and before the first event."""
    return f"int {flag} = 1;", f"{flag} = {_ASKED};"


def guarded(call: str, flag: str) -> str:
    """A call as a statement that is made if the visit counts."""
    return f"{{ if ({flag}) {call} }}"


def may_be_guarded(constructs: Constructs, construct: Construct) -> bool:
    """Whether a construct's visits can be: not where one descriptor is of two constructs, nor
    in a file that the compiler reads more than once."""
    if constructs.repeated or any(
        each.untied for each in (construct, *constructs.around(construct))
    ):
        return False
    if construct.control is not None:
        return _is_of_a_block(constructs, construct)
    directive = construct.directive
    return directive is not None and not directive.leaves and directive.event in EVENTS


def _is_of_a_block(constructs: Constructs, begin: Construct) -> bool:
    """Whether a user region ends only in the block that it begins in, and that is entered at
    its beginning."""
    block = begin.scope
    if block is None or _jumps(constructs.source.text):
        return False
    return all(
        end.begin in block
        and end.outer == begin.outer
        and end.home.function_at == begin.home.function_at
        for end in constructs.ends.get(begin.index, ())
    )


@lru_cache(maxsize=1)
def _jumps(text: str) -> bool:
    return _JUMPS.search(text) is not None
