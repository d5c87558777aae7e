"""`--pomp-disable=construct,...` (POMP paper, section 3.9)."""

from __future__ import annotations

from pomp_clang.openmp.directives import DIRECTIVES
from pomp_clang.openmp.fortran_directives import FORTRAN_DIRECTIVES
from pomp_clang.suggestion import suggestion

LOCKS = "locks"

GROUPS: dict[str, frozenset[str]] = {
    "sync": frozenset({d.words for d in DIRECTIVES.values() if "sync" in d.groups} | {"lock"}),
    LOCKS: frozenset({"lock"}),
}
"""The kinds that the name of a group stands for."""

NAMES = frozenset((*DIRECTIVES, *FORTRAN_DIRECTIVES, *GROUPS, "lock", "region"))


def parse_disabled(text: str) -> frozenset[str]:
    """Return the kinds of construct that a comma-separated list leaves out.

    Words of a directive may be joined by spaces, `_` or `-`. Raises `ValueError` with one line for
    a name that is neither a construct nor a group.
    """
    kinds: set[str] = set()
    for item in filter(None, (part.strip() for part in text.split(","))):
        name = item.replace("_", " ").replace("-", " ")
        if name not in NAMES:
            known = ", ".join(sorted(GROUPS))
            suggested = suggestion(name, sorted(NAMES))
            raise ValueError(
                f"'{item}' is no construct{suggested}; write a construct's name or one of {known}"
            )
        kinds |= GROUPS.get(name, frozenset({name}))
    return frozenset(kinds)
