"""A row of the table of properties; the sets of constructs, and the advice, that several rows name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from pomp_clang.analysis.columns import COLUMNS, Overhead
from pomp_clang.analysis.overheads.off_processor import ProcessorUse
from pomp_clang.analysis.task_size import TaskSize
from pomp_clang.openmp.kinds import has_kernel
from pomp_clang.shared_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class PropertyText:
    """The texts of a property.

    `name` is its identifier in a profile, and `title` what people read. `trace_names` are its names
    in the tree of a trace. `kinds` are the kinds of constructs that can have it, none for the
    program as a whole. In a team of one thread `advice_alone` replaces the advice, unless "". If
    threads waited for a processor, `advice_by_processors` does, and in a program with tasks of a size
    `advice_by_size`. `advice_if_queued` does if threads waited for processors so long that these waits
    may be all of the property's cost. `advice_for_kernels` replaces all of them if all
    awaited tasks are target constructs. `advice_without_nowait` replaces the advice where the construct
    takes no nowait clause.
    """

    name: str
    title: str
    kinds: frozenset[str]
    description: str
    advice: str
    advice_alone: str = ""
    trace_names: tuple[str, ...] = ()
    advice_by_size: Mapping[TaskSize, str] = field(default_factory=dict)
    advice_by_processors: Mapping[ProcessorUse, str] = field(default_factory=dict)
    advice_if_queued: Mapping[ProcessorUse, str] = field(default_factory=dict)
    advice_for_kernels: str = ""
    advice_without_nowait: str = ""

    def advice_for(
        self,
        size: TaskSize | None,
        alone: bool = False,
        processors: ProcessorUse = ProcessorUse.FREE,
        queued: bool = False,
        takes_nowait: bool = True,
    ) -> str:
        """Return the advice that fits the program's tasks, its team, the use of the processors and the
        construct's clauses."""
        chosen = self.advice_alone if alone else ""
        if not chosen and queued:
            chosen = self.advice_if_queued.get(processors, "")
        if not chosen:
            chosen = self.advice_by_processors.get(processors, "")
        if not chosen and size is not None:
            chosen = self.advice_by_size.get(size, "")
        if not chosen and not takes_nowait:
            chosen = self.advice_without_nowait
        return chosen or self.advice


def takes_nowait(kind: str, clauses: str) -> bool:
    """Return whether a construct may have a nowait clause: not with its own team, nor with
    copyprivate."""
    return kind not in TEAMS and "copyprivate" not in clauses


def kinds_of(*kinds: str) -> frozenset[str]:
    return frozenset(kinds)


WITH_BARRIER = frozenset(
    kind
    for kind, columns in COLUMNS.items()
    if any(
        c.name == "exitBarT" and c.overhead in (Overhead.IMBAL, Overhead.LIMPAR) for c in columns
    )
)
"""Constructs with a barrier at their end."""

TEAMS = frozenset(kind for kind in COLUMNS if kind.split()[0] == "parallel")
"""Constructs that start a team."""

KERNELS = frozenset(kind for kind in COLUMNS if has_kernel(kind))
"""Constructs that launch a kernel."""

MAPS = KERNELS | {"target data", "target enter data", "target exit data"}
"""Constructs that map data."""

UPDATES = kinds_of("target update")
"""Constructs that transfer mapped data."""

WAITS = frozenset(
    kind for kind, columns in COLUMNS.items() if any(column.others for column in columns)
)
"""Constructs in which a thread waits for others."""

PARALLEL_LOOPS = kinds_of(
    "parallel for", "parallel for simd", "parallel loop", "parallel do", "parallel do simd"
)
LOOPS = PARALLEL_LOOPS | {"for", "for simd", "do", "do simd"}
REGIONS = kinds_of(
    "parallel",
    "parallel master",
    "parallel masked",
    "scope",
    "parallel master taskloop",
    "parallel masked taskloop",
    "parallel master taskloop simd",
    "parallel masked taskloop simd",
)
SECTIONS = kinds_of("sections", "parallel sections")

# Advice that several rows give

_TOO_MANY_THREADS = "Run with at most as many threads as processors: a thread without a processor keeps others waiting."
OTHER_PROGRAMS = (
    "Run again while no other program uses the processors: threads that have none come late."
)
NO_PROCESSOR = {
    ProcessorUse.OVERSUBSCRIBED: _TOO_MANY_THREADS,
    ProcessorUse.BUSY: OTHER_PROGRAMS,
    ProcessorUse.BUSY_AND_SPINNING: (
        "Run again while no other program uses the processors, or with OMP_WAIT_POLICY=passive: "
        "threads that wait keep the processor from those that have none."
    ),
}
LARGER_TASKS = (
    "Make fewer and larger tasks: stop at a depth or size, or use taskloop with grainsize."
)
ONE_AFTER_ANOTHER = (
    "Check that no other program uses the processors. Then check whether a different thread has more "
    "work each time."
)
