"""The prices of the cost model, in processor cycles (docs/explanation/function-selection.md)."""

from __future__ import annotations

CYCLES_PER_NANOSECOND = 3.0
EVENTS = 60.0
"""A function's two events: two readings of the clock, and the bookkeeping."""

BUDGET = 0.05
WORTH = EVENTS / BUDGET
"""A call that costs less is not measured: its events would exceed the budget."""

REPEATED_BUDGET = 0.01
REPEATED_WORTH = EVENTS / REPEATED_BUDGET
"""The same for a function that is called in a loop. There a wrong estimate costs more, and such
functions call one another."""

OTHER = 0.5
INSTRUCTIONS = {
    "phi": 0.0,
    "getelementptr": 0.2,
    "bitcast": 0.0,
    "freeze": 0.0,
    "ret": 1.0,
    "load": 1.5,
    "store": 1.0,
    "fdiv": 8.0,
    "frem": 40.0,
    "udiv": 12.0,
    "sdiv": 12.0,
    "urem": 12.0,
    "srem": 12.0,
    "atomicrmw": 20.0,
    "cmpxchg": 20.0,
    "fence": 20.0,
}
"""An instruction without a row costs OTHER: a cycle executes several of them."""

CALL = 4.0
"""The call itself, with the passing of arguments."""

UNKNOWN = 100.0
"""An unknown function: in another unit, or called through a pointer."""

CALLEES: tuple[tuple[str, float], ...] = (
    ("llvm.memcpy", 40.0),
    ("llvm.memmove", 40.0),
    ("llvm.memset", 40.0),
    ("llvm.sqrt", 10.0),
    ("llvm.sin", 60.0),
    ("llvm.cos", 60.0),
    ("llvm.exp", 50.0),
    ("llvm.log", 50.0),
    ("llvm.pow", 100.0),
    ("llvm.lifetime", 0.0),
    ("llvm.assume", 0.0),
    ("llvm.dbg", 0.0),
    ("llvm.experimental.noalias", 0.0),
    ("llvm.", 1.0),
    ("__kmpc_fork", 6000.0),
    ("__kmpc_global_thread_num", 10.0),
    ("__kmpc_omp_task", 1000.0),
    ("__kmpc_", 300.0),
    ("GOMP_", 300.0),
    ("omp_", 30.0),
    ("MPI_", 3000.0),
    ("PMPI_", 3000.0),
    ("mpi_", 3000.0),
    ("_Zn", 60.0),
    ("_Zd", 30.0),
    ("__cxa_allocate_exception", 0.0),
    ("__cxa_guard", 30.0),
    ("malloc", 60.0),
    ("calloc", 200.0),
    ("realloc", 200.0),
    ("posix_memalign", 200.0),
    ("free", 30.0),
    ("_ZNSo", 300.0),
    ("_ZNSi", 300.0),
    ("_ZSt", 60.0),
    ("_ZNSt", 60.0),
    ("_ZNKSt", 60.0),
)
"""By the beginning of the name; the first row counts."""

LIBRARY: dict[str, float] = {
    **dict.fromkeys(("sin", "cos", "tan", "sinf", "cosf", "tanf", "sincos"), 60.0),
    **dict.fromkeys(("asin", "acos", "atan", "atan2", "sinh", "cosh", "tanh", "erf"), 90.0),
    **dict.fromkeys(("exp", "exp2", "log", "log2", "log10", "expf", "logf", "cbrt"), 50.0),
    **dict.fromkeys(("pow", "powf", "fmod", "hypot"), 100.0),
    **dict.fromkeys(("floor", "ceil", "rint", "round", "fabs", "sqrt", "sqrtf"), 10.0),
    **dict.fromkeys(("printf", "fprintf", "sprintf", "snprintf", "puts", "putchar"), 1000.0),
    **dict.fromkeys(("scanf", "fscanf", "sscanf", "fgets", "fread", "fwrite"), 1000.0),
    **dict.fromkeys(("fopen", "fclose", "open", "close", "read", "write"), 3000.0),
    **dict.fromkeys(("strlen", "strcmp", "strncmp", "memcmp", "strcpy", "strchr"), 30.0),
    **dict.fromkeys(("rand", "random", "drand48", "rand_r", "toupper", "tolower"), 30.0),
    **dict.fromkeys(("atoi", "atof", "strtol", "strtod"), 100.0),
    **dict.fromkeys(("gettimeofday", "clock_gettime", "time", "clock"), 60.0),
    **dict.fromkeys(("qsort", "bsearch"), 2000.0),
}

RUNS_OTHERS = ("__kmpc_fork", "__kmpc_omp_task_alloc", "GOMP_", "pthread_create", "qsort")
"""Functions that call the function that is passed to them."""

MESSAGES = ("MPI_", "PMPI_", "mpi_")

COUNTED_TRIPS = 100.0
"""The assumed trip count of a loop whose end is known when it begins, but not constant."""

DEEP = 2
DEEP_TRIPS = 10.0
"""The same within this many loops, including loops around the function's calls."""

SEARCH_TRIPS = 10.0
"""The same for any other loop: one that searches, or follows pointers."""

REST_TRIPS = 4.0
"""The same for the remainder of a vectorized or unrolled loop."""

TOWARDS_A_LOOP = 0.9
"""The probability of a branch that leads to a loop, against one that passes it."""


def callee(name: str) -> float:
    """Return the cycles of a call of a function that is in no module."""
    if name in LIBRARY:
        return LIBRARY[name] + CALL
    return next((cycles for start, cycles in CALLEES if name.startswith(start)), UNKNOWN) + (
        0.0 if name.startswith("llvm.") else CALL
    )


def instruction(opcode: str) -> float:
    """Return the cycles of an instruction that is no call."""
    return INSTRUCTIONS.get(opcode, OTHER)
