"""The OpenMP runtime routines that become calls of the POMP API (POMP paper, section 3.2)."""

from __future__ import annotations

from pomp_clang.record import record


@record
class Routine:
    """A routine, the POMP function that replaces it, and whether it lets a lock go."""

    name: str
    replacement: str
    releases: bool = False


ROUTINES: dict[str, Routine] = {
    r.name: r
    for r in (
        Routine("omp_set_lock", "POMP_Set_lock"),
        Routine("omp_unset_lock", "POMP_Unset_lock", releases=True),
        Routine("omp_test_lock", "POMP_Test_lock"),
        Routine("omp_set_nest_lock", "POMP_Set_nest_lock"),
        Routine("omp_unset_nest_lock", "POMP_Unset_nest_lock", releases=True),
        Routine("omp_test_nest_lock", "POMP_Test_nest_lock"),
    )
}
