"""What is paid for what, in processor cycles: the numbers of the model in docs/explanation/function-selection.md."""

from __future__ import annotations

CYCLES_PER_NANOSECOND = 3.0
EVENTS = 60.0
"""A function's two events: two readings of the clock and what is kept."""

BUDGET = 0.05
WORTH = EVENTS / BUDGET
"""A call that costs less is not measured: its events would be more than the budget of it."""

REPEATED_BUDGET = 0.01
REPEATED_WORTH = EVENTS / REPEATED_BUDGET
"""The same of a function that is called in a loop: there an estimate that errs is paid for
often, and such functions call one another."""

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
"""An instruction that has no row costs OTHER: several are done in a cycle."""

CALL = 4.0
"""The call itself, with the passing of arguments."""

UNKNOWN = 100.0
"""A function of which nothing is known: in another unit, or reached through a pointer."""

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
"""They are given a function, which is as good as called."""

MESSAGES = ("MPI_", "PMPI_", "mpi_")

COUNTED_TRIPS = 100.0
"""How often a loop is assumed to go round whose end is known when it begins, and no constant."""

DEEP = 2
DEEP_TRIPS = 10.0
"""The same within so many loops, those in which the function is called counted as well."""

SEARCH_TRIPS = 10.0
"""The same of any other loop: one that looks for something, or follows pointers."""

REST_TRIPS = 4.0
"""The same of what a vectorised or unrolled loop leaves over."""

TOWARDS_A_LOOP = 0.9
"""How likely a branch is that leads to the beginning of a loop, and not past it."""


def callee(name: str) -> float:
    """What a call of a function costs that the modules do not hold."""
    if name in LIBRARY:
        return LIBRARY[name] + CALL
    return next((cycles for start, cycles in CALLEES if name.startswith(start)), UNKNOWN) + (
        0.0 if name.startswith("llvm.") else CALL
    )


def instruction(opcode: str) -> float:
    """What an instruction that is no call costs."""
    return INSTRUCTIONS.get(opcode, OTHER)
