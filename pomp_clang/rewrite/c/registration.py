"""The text that a file needs once, before its first descriptor: declarations, a constructor.

Behind the null library these are functions that cost nothing: GNU inline functions, which are only
compiled where they are called. So the unit's link needs no library, and an inline function may call
them.
"""

from __future__ import annotations

from pomp_clang.rewrite.c.c_text import (
    HIDDEN,
    OURS,
    QUIET,
    TEAM_SIZE,
    declared,
    quoted,
    signature,
    tagged,
)
from pomp_clang.rewrite.c.call_guards import variable
from pomp_clang.rewrite.c.descriptors import MEMBERS, OBJECT, SECTION

MOST_REGISTRATIONS = 16
"""The number of a unit's files that register all descriptors of the program.

One would do, but the compiler may not read the new text of a header. Each file costs clang time."""

REGISTER = "POMP_Register"

_EARLY = ".init_array.00100"
"""Constructors that run before those of priority 101, the first that a program may ask for."""


def prologue(
    calls: set[str],
    cplusplus: bool,
    tag: str,
    repeated: bool,
    thread: str = "",
    empty: bool = False,
) -> str:
    """Return the declarations that a file needs once, before its first descriptor; `repeated` if
    another file of the unit may have some of them too; `thread` is what guards ask; `empty`
    if the calls are to be nothing."""
    extern = 'extern "C" ' if cplusplus else "extern "
    parts = ["struct ompregdescr;"]
    if repeated:
        parts += [f"_Pragma({quoted(words)})" for words in QUIET]
    called = calls & {TEAM_SIZE} if empty else calls
    parts += declared(called, extern)
    if empty:
        nothing = {*calls, REGISTER} - called
        parts += (_null_function(c, signature(c), extern, OURS) for c in sorted(nothing))
    if thread:
        parts.append(variable(thread, extern))
    if repeated:
        parts.append('_Pragma("GCC diagnostic pop")')
    parts.append(
        '_Pragma("pack(push, 8)") '
        f"struct {tagged(OBJECT, tag)} {{ {MEMBERS} }}; "
        '_Pragma("pack(pop)")'
    )
    return " ".join(parts)


def registration(
    cplusplus: bool, tag: str, repeated: bool, empty: bool = False, early: bool = False
) -> str:
    """Return the constructor that registers the descriptors of all files that are linked together.
    `early` if they have to be known before the constructor that registers a device image runs: it
    makes libomp ask for a tool."""
    extern = 'extern "C" ' if cplusplus else "extern "
    bounds = f"{extern}struct ompregdescr *__{{}}_{SECTION}[] {HIDDEN};"
    parts = [f"_Pragma({quoted(words)})" for words in QUIET] if repeated else []
    parts += [bounds.format("start"), bounds.format("stop")]
    parts += [] if empty else declared({REGISTER}, extern)
    parts += ['_Pragma("GCC diagnostic pop")'] if repeated else []
    register = tagged("__pomp_register", tag)
    if early:
        parts.append(
            f"static void {register}(void) __attribute__(({OURS})); "
            f"static void (*{tagged('__pomp_early', tag)})(void) "
            f'__attribute__((__section__("{_EARLY}"), __used__)) = {register};'
        )
    else:
        parts.append(f"static void {register}(void) __attribute__((__constructor__(101), {OURS}));")
    parts.append(
        f"static void {register}(void) {{ {REGISTER}(__start_{SECTION}, __stop_{SECTION}); }}"
    )
    return " ".join(parts)


_LOCKS = frozenset(("lock", "nest_lock"))
_ARGUMENT = "__pomp_argument{} __attribute__((__unused__))"


def _null_function(call: str, signature: str, extern: str, attributes: str) -> str:
    """Return a function that does nothing, or calls the lock routine that it replaces."""
    head, _, rest = signature.partition("{}(")
    types = rest.rstrip(")").split(", ")
    named = [
        f"{kind_of_argument} {_ARGUMENT.format(n)}"
        for n, kind_of_argument in enumerate(types)
        if kind_of_argument != "void"
    ]
    routine = f"__omp_{call[len('POMP_') :]}"
    body, before = "", ""
    if call.partition("_")[2].partition("_")[2] in _LOCKS:
        before = f'{extern}{head}{routine}(void *) __asm__("{routine[2:].lower()}"); '
        body = f"{'' if head == 'void ' else 'return '}{routine}(__pomp_argument0);"
    elif head != "void ":
        body = f"return {'__null' if 'C' in extern else '0'};"
    kind = f"__inline__ __attribute__((__gnu_inline__, __always_inline__, {attributes}))"
    return f"{before}{extern}{kind} {head}{call}({', '.join(named) or 'void'}) {{ {body} }}"
