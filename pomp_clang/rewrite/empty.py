"""The POMP functions of the null library, as a unit's own that leave nothing behind.

Of GNU's kind of inline functions: never compiled but where they are called, so that what the
unit is linked with has nothing to do with it, and an inline function may call them.
"""

from __future__ import annotations

_LOCKS = frozenset(("lock", "nest_lock"))
_ARGUMENT = "__pomp_argument{} __attribute__((__unused__))"


def defined(call: str, signature: str, extern: str, attributes: str) -> str:
    """A function that does nothing, or calls the lock routine that it stands for."""
    head, _, rest = signature.partition("{}(")
    types = rest.rstrip(")").split(", ")
    named = [f"{each} {_ARGUMENT.format(n)}" for n, each in enumerate(types) if each != "void"]
    routine = f"__omp_{call[len('POMP_') :]}"
    body, before = "", ""
    if call.partition("_")[2].partition("_")[2] in _LOCKS:
        before = f'{extern}{head}{routine}(void *) __asm__("{routine[2:].lower()}"); '
        body = f"{'' if head == 'void ' else 'return '}{routine}(__pomp_argument0);"
    elif head != "void ":
        body = f"return {'__null' if 'C' in extern else '0'};"
    kind = f"__inline__ __attribute__((__gnu_inline__, __always_inline__, {attributes}))"
    return f"{before}{extern}{kind} {head}{call}({', '.join(named) or 'void'}) {{ {body} }}"
