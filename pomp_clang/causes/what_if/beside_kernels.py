"""The part of a prediction that is left where kernels keep threads waiting as well: a repair of the
host's work does not end a wait for kernels.
"""

from __future__ import annotations

from collections.abc import Sequence

from pomp_clang.causes.properties import completion, openmp
from pomp_clang.causes.properties.property import Property
from pomp_clang.causes.run.run import Cells, Run
from pomp_clang.causes.waits.kernel_waits import join_wait_times, kernel_times_of

_AT_BARRIERS: dict[type[Property], tuple[str, bool]] = {
    openmp.ImplicitWait: ("last", False),
    openmp.ExplicitWait: ("last", True),
    openmp.ImplicitUnfinished: ("done", False),
    openmp.ExplicitUnfinished: ("done", True),
    completion.ImplicitCompletion: ("left", False),
    completion.ExplicitCompletion: ("left", True),
}


def part_beside_kernels(run: Run, kind: type[Property], paths: Sequence[int]) -> float:
    """Return the property's part of its own time and of the waits for kernels beside it."""
    if kind is openmp.Join:
        kernels: Cells = join_wait_times(run)
    elif kind in _AT_BARRIERS:
        kernels = kernel_times_of(run, *_AT_BARRIERS[kind])
    else:
        return 1.0
    awaited = float(kernels[list(paths)].sum())
    if not awaited:
        return 1.0
    severity = kind().severity(run)
    own = 0.0 if severity is None else float(severity[list(paths)].sum())
    return own / (own + awaited)
