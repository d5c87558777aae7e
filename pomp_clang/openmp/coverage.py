"""What a compiler that counts what runs counts otherwise once it is instrumented."""

from __future__ import annotations

from enum import Flag

from pomp_clang.record import record


class Coverage(Flag):
    """Whose counts there are to be."""

    NONE = 0
    GCC = 1
    """gcov's, by gcc"""
    CLANG = 2
    """gcov's, by clang"""
    REGIONS = 4
    """clang's of regions of the source"""
    SIZES_CHECKED = 8
    """-fsanitize=vla-bound: the size of a type ends a block"""
    LINES = GCC | CLANG
    CLANGS = CLANG | REGIONS


@record
class Kept:
    """The combined directives that are left as they are: those in `words`, or `all` of them,
    or those with a task reduction, or with an `if` that goes for the part simd, too.  If
    `bodies`, also what has a body of its own that is a statement with a counter: in a block
    it is another's.  If `untied`, also what needs a variable in an untied task."""

    words: frozenset[str] = frozenset()
    all: bool = False
    task_reductions: bool = False
    simd_if: bool = False
    bodies: bool = False
    untied: bool = False


KEPT = {
    Coverage.GCC: Kept(task_reductions=True),
    # Natively clang 19 makes no code of the two.
    Coverage.CLANG: Kept(
        frozenset(("parallel masked taskloop", "parallel masked taskloop simd")),
        task_reductions=True,
        simd_if=True,
        untied=True,
    ),
    # What stands within two directives is counted with what is around them.
    Coverage.REGIONS: Kept(all=True, bodies=True, untied=True),
}
