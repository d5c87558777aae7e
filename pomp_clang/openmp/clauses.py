"""The clauses, and where each goes when a combined directive is split.

OpenMP 5.2, section 17.2: a clause of a combined construct takes effect on the
constituents that accept it, with the exceptions given there.  The table
distinguishes only what a split into `parallel` and an inner directive needs.
"""

from __future__ import annotations

from enum import Enum

from pomp_clang.record import record


class Goes(Enum):
    """Which part of `parallel` + worksharing directive a clause is put on."""

    PARALLEL = "parallel"
    INNER = "inner"
    SHARED = "inner, its variables shared outside"
    """the inner directive needs the variable of the enclosing context"""
    MODIFIER = "as its directive-name modifier says"
    PRIVATE = "with the clauses that make its variables private"


@record
class Clause:
    """One clause: its name, and where it goes."""

    name: str
    goes: Goes


CLAUSES: dict[str, Clause] = {
    name: Clause(name, goes)
    for goes, names in {
        Goes.PARALLEL: ("copyin", "default", "num_threads", "proc_bind", "shared", "message", "severity"),
        Goes.INNER: (
            "private", "schedule", "collapse", "ordered", "nowait", "aligned", "safelen",
            "simdlen", "nontemporal", "order", "copyprivate", "bind", "filter",
            "final", "grainsize", "in_reduction", "mergeable", "nogroup", "num_tasks",
            "priority", "untied",
        ),
        Goes.SHARED: ("firstprivate", "lastprivate", "linear", "reduction"),
        Goes.MODIFIER: ("if",),
        Goes.PRIVATE: ("allocate",),
    }.items()
    for name in names
}  # fmt: skip

OTHERS = frozenset(
    (
        "absent", "acq_rel", "acquire", "adjust_args", "affinity", "align", "append_args", "at",
        "atomic_default_mem_order", "capture", "compare", "contains", "depend", "destroy",
        "detach", "device", "device_type", "dist_schedule", "doacross", "dynamic_allocators",
        "enter", "exclusive", "fail", "from", "full",
        "has_device_addr", "hint", "holds", "inbranch", "inclusive", "indirect",
        "init", "initializer", "is_device_ptr", "label", "link", "map", "match",
        "no_openmp", "no_openmp_constructs", "no_openmp_routines", "no_parallelism", "nocontext",
        "notinbranch", "novariants", "num_teams", "otherwise", "partial",
        "permutation", "read", "relaxed", "release", "reverse_offload", "self_maps",
        "seq_cst", "simd", "sizes", "task_reduction", "thread_limit", "threads", "to",
        "unified_address", "unified_shared_memory", "uniform", "update", "use",
        "use_device_addr", "use_device_ptr", "uses_allocators", "weak", "when", "write",
        "parallel", "for", "do", "sections", "taskgroup",
    )
)  # fmt: skip
"""Words that may stand where a clause stands, on directives that are never split."""


def is_clause(name: str) -> bool:
    """Return True if `name` is an OpenMP clause name, so that it need not be a macro."""
    return name in CLAUSES or name in OTHERS
