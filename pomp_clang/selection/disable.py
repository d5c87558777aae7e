"""`--pomp-disable=construct,...` (POMP paper, section 3.9)."""

from __future__ import annotations

from pomp_clang.openmp.directives import DIRECTIVES

LOCKS = "locks"

GROUPS: dict[str, frozenset[str]] = {
    "sync": frozenset({d.words for d in DIRECTIVES.values() if "sync" in d.groups} | {"lock"}),
    LOCKS: frozenset({"lock"}),
}
"""What a name that is no construct's stands for."""

NAMES = frozenset((*DIRECTIVES, *GROUPS, "lock", "region"))


def parse_disabled(text: str) -> frozenset[str]:
    """The kinds of construct that a comma-separated list leaves out.

    Words of a directive may be joined by spaces, `_` or `-`.  Raises `ValueError`
    with one line for a name that is neither a construct nor a group.
    """
    kinds: set[str] = set()
    for item in filter(None, (part.strip() for part in text.split(","))):
        name = item.replace("_", " ").replace("-", " ")
        if name not in NAMES:
            known = ", ".join(sorted(GROUPS))
            raise ValueError(f"'{item}' is no construct; a construct's name or one of {known}")
        kinds |= GROUPS.get(name, frozenset({name}))
    return frozenset(kinds)
