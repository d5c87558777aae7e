"""How a task is handed the token of its creation.

What is firstprivate has clang make a function more of a task that has no such variable natively,
and of functions of one name it numbers the later ones.  Where these are counted the token is the
size of a type instead, which clang hands over as it does what the task shares.
"""

from __future__ import annotations

from pomp_clang.openmp.coverage import Coverage
from pomp_clang.record import record
from pomp_clang.rewrite.descriptors import Named

_GET = "POMP_Get_creation()"
_UNTOLD = (
    '_Pragma("clang diagnostic push") _Pragma("clang diagnostic ignored \\"-Wvla\\"")',
    '_Pragma("clang diagnostic pop")',
)
_CASTS = {True: "reinterpret_cast<{}>({})", False: "(({})({}))"}
"""By whether it is C++."""


@record
class Creation:
    """What keeps the token, behind `entered`, the clause that hands it over, and the token
    within the task."""

    entered: str
    clause: str
    token: str


def creation(named: Named, entered: str, cplusplus: bool) -> Creation:
    """`entered` is the event before, as an expression."""
    name = f"__pomp_made{named.number}"
    if not named.coverage & Coverage.CLANGS or Coverage.SIZES_CHECKED in named.coverage:
        return Creation(f"void *{name} = ({entered}, {_GET});", f"firstprivate({name})", name)
    cast = _CASTS[cplusplus]
    size = f"{cast.format('__SIZE_TYPE__', f'({entered}, {_GET})')} + 1"
    before, behind = _UNTOLD
    return Creation(
        f"{before} typedef char {name}[{size}]; {behind}",
        "",
        cast.format("void *", f"sizeof({name}) - 1"),
    )
