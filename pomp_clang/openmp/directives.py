"""The directives: one row each (OpenMP 5.2, chapters 3-16; 6.0 where clang 19 has it).

A row says what the directive's text governs (`Form`), which POMP calls stand round
it and inside it (POMP paper, Tables 1-3), what happens with its implied barrier, and
of which two directives a combined one is made.  A new directive is a row and a test.
"""

from __future__ import annotations

from enum import Enum

from pomp_clang.record import record


class Form(Enum):
    """What follows the directive in the source."""

    BLOCK = "block"
    """a structured block: any one statement"""
    LOOP = "loop"
    """a loop nest; nothing may come between directive and loop"""
    SECTIONS = "sections"
    """a compound statement divided by section directives"""
    SEPARATOR = "separator"
    """section, scan: divides the block of the directive around it"""
    STATEMENT = "statement"
    """an expression statement (or the block of atomic capture): no call inside"""
    STANDALONE = "standalone"
    """nothing: the directive is a statement by itself"""
    DECLARATIVE = "declarative"
    """nothing executable: it speaks of declarations or of the unit"""


class Barrier(Enum):
    """How the barrier at a construct's end gets events of its own."""

    NONE = "none"
    NOWAIT = "nowait"
    """nowait is added and a barrier directive follows (POMP paper, section 3.1)"""
    ADDED = "added"
    """there is no nowait to add: a barrier is put before the implied one"""


class State(Enum):
    """What the instrumentation does about a directive."""

    MEASURED = "measured"
    SILENT = "silent"
    """left as it is, since it takes no time of its own that could be measured"""


@record
class Directive:
    """One directive.

    `event` is <Name> in the calls POMP_<Name>_<type>, `around` and `inside` the
    two <type>s outside and inside the directive.  `leaves` are the two directives
    that a combined one is split into.  At a `scheduling` point (OpenMP 5.2, section 12.9)
    the thread may run other tasks, and an untied task may change its thread: the calls
    there tell the library which task goes on.  `opaque` directives allow no call within
    their block (OpenMP 5.2, sections 10.4, 11.5, 11.7, 13.8, 15.8.4).
    """

    words: str
    form: Form
    state: State
    event: str = ""
    around: tuple[str, str] | tuple[()] = ()
    inside: tuple[str, str] | tuple[()] = ()
    barrier: Barrier = Barrier.NONE
    leaves: tuple[str, str] | tuple[()] = ()
    opaque: bool = False
    scheduling: bool = False
    groups: tuple[str, ...] = ()

    @property
    def bears_code(self) -> bool:
        """Whether a statement belongs to the directive."""
        return self.form in (Form.BLOCK, Form.LOOP, Form.SECTIONS, Form.STATEMENT)

    @property
    def is_deferred(self) -> bool:
        """Whether what stands inside may run later, and on another thread."""
        return self.generates_tasks and bool(self.inside) and self.around == _ENTER_EXIT

    @property
    def generates_tasks(self) -> bool:
        """Whether its block is that of other tasks, explicit or implicit."""
        return not _GENERATING.isdisjoint(self.words.split()) and self.words != "target data"


_ENTER_EXIT = ("enter", "exit")
_BEGIN_END = ("begin", "end")
_FORK_JOIN = ("fork", "join")
_SYNC = ("sync",)
_GENERATING = frozenset(("parallel", "teams", "task", "taskloop", "target"))

MEASURED = (
    Directive("parallel", Form.BLOCK, State.MEASURED, "Parallel", _FORK_JOIN, _BEGIN_END, Barrier.ADDED),
    Directive("for", Form.LOOP, State.MEASURED, "For", _ENTER_EXIT, barrier=Barrier.NOWAIT),
    Directive("for simd", Form.LOOP, State.MEASURED, "For", _ENTER_EXIT, barrier=Barrier.NOWAIT, opaque=True),
    Directive("sections", Form.SECTIONS, State.MEASURED, "Sections", _ENTER_EXIT, barrier=Barrier.NOWAIT),
    Directive("section", Form.SEPARATOR, State.MEASURED, "Section", inside=_BEGIN_END),
    Directive("single", Form.BLOCK, State.MEASURED, "Single", _ENTER_EXIT, _BEGIN_END, Barrier.NOWAIT, groups=_SYNC),
    Directive("critical", Form.BLOCK, State.MEASURED, "Critical", _ENTER_EXIT, _BEGIN_END, groups=_SYNC),
    Directive("master", Form.BLOCK, State.MEASURED, "Master", inside=_BEGIN_END, groups=_SYNC),
    Directive("atomic", Form.STATEMENT, State.MEASURED, "Atomic", _ENTER_EXIT, opaque=True, groups=_SYNC),
    Directive("ordered", Form.BLOCK, State.MEASURED, "Ordered", _ENTER_EXIT, _BEGIN_END),
    Directive("barrier", Form.STANDALONE, State.MEASURED, "Barrier", _ENTER_EXIT),
    Directive("flush", Form.STANDALONE, State.MEASURED, "Flush", _ENTER_EXIT),
    Directive("masked", Form.BLOCK, State.MEASURED, "Masked", inside=_BEGIN_END, groups=_SYNC),
    Directive("scope", Form.BLOCK, State.MEASURED, "Scope", _ENTER_EXIT, _BEGIN_END, Barrier.NOWAIT),
    Directive("task", Form.BLOCK, State.MEASURED, "Task", _ENTER_EXIT, _BEGIN_END, scheduling=True),
    Directive("taskgroup", Form.BLOCK, State.MEASURED, "Taskgroup", _ENTER_EXIT, _BEGIN_END, scheduling=True),
    Directive("taskloop", Form.LOOP, State.MEASURED, "Taskloop", _ENTER_EXIT, scheduling=True),
    Directive("taskloop simd", Form.LOOP, State.MEASURED, "Taskloop", _ENTER_EXIT, scheduling=True, opaque=True),
    *(
        Directive(f"{outer} {loop}", Form.LOOP, State.MEASURED, "Taskloop", _ENTER_EXIT, scheduling=True, opaque="simd" in loop)
        for outer in ("master", "masked")
        for loop in ("taskloop", "taskloop simd")
    ),
    Directive("taskwait", Form.STANDALONE, State.MEASURED, "Taskwait", _ENTER_EXIT, scheduling=True),
    Directive("taskyield", Form.STANDALONE, State.MEASURED, "Taskyield", _ENTER_EXIT, scheduling=True),
    Directive("simd", Form.LOOP, State.MEASURED, "Simd", _ENTER_EXIT, opaque=True),
    Directive("loop", Form.LOOP, State.MEASURED, "Loop", _ENTER_EXIT, opaque=True),
    *(
        Directive(words, Form.LOOP, State.MEASURED, "Distribute", _ENTER_EXIT, opaque=True)
        for words in (
            "distribute", "distribute simd",
            "distribute parallel for", "distribute parallel for simd",
        )
    ),
    Directive("teams", Form.BLOCK, State.MEASURED, "Teams", _ENTER_EXIT, opaque=True),
    *(
        Directive(f"teams {loop}", Form.LOOP, State.MEASURED, "Teams", _ENTER_EXIT, opaque=True)
        for loop in (
            "loop", "distribute", "distribute simd",
            "distribute parallel for", "distribute parallel for simd",
        )
    ),
    *(
        Directive(f"target{inner}", Form.BLOCK, State.MEASURED, "Target", _ENTER_EXIT, opaque=True)
        for inner in ("", " teams", " parallel")
    ),
    *(
        Directive(f"target {loop}", Form.LOOP, State.MEASURED, "Target", _ENTER_EXIT, opaque=True)
        for loop in (
            "simd", "parallel for", "parallel for simd", "parallel loop",
            "teams loop", "teams distribute", "teams distribute simd",
            "teams distribute parallel for", "teams distribute parallel for simd",
        )
    ),
    Directive("target data", Form.BLOCK, State.MEASURED, "Target_data", _ENTER_EXIT, _BEGIN_END),
    Directive("target enter data", Form.STANDALONE, State.MEASURED, "Target_enter_data", _ENTER_EXIT),
    Directive("target exit data", Form.STANDALONE, State.MEASURED, "Target_exit_data", _ENTER_EXIT),
    Directive("target update", Form.STANDALONE, State.MEASURED, "Target_update", _ENTER_EXIT),
    Directive("dispatch", Form.STATEMENT, State.MEASURED, "Dispatch", _ENTER_EXIT, opaque=True),
    Directive("depobj", Form.STANDALONE, State.MEASURED, "Depobj", _ENTER_EXIT),
    Directive("interop", Form.STANDALONE, State.MEASURED, "Interop", _ENTER_EXIT),
    Directive("cancel", Form.STANDALONE, State.MEASURED, "Cancel", _ENTER_EXIT),
    Directive("cancellation point", Form.STANDALONE, State.MEASURED, "Cancellation_point", _ENTER_EXIT),
    Directive("metadirective", Form.BLOCK, State.MEASURED, "Metadirective", _ENTER_EXIT, scheduling=True, opaque=True),
    Directive("parallel for", Form.LOOP, State.MEASURED, leaves=("parallel", "for")),
    Directive("parallel for simd", Form.LOOP, State.MEASURED, leaves=("parallel", "for simd"), opaque=True),
    Directive("parallel sections", Form.SECTIONS, State.MEASURED, leaves=("parallel", "sections")),
    Directive("parallel loop", Form.LOOP, State.MEASURED, leaves=("parallel", "loop"), opaque=True),
    *(
        Directive(f"parallel {inner}", Form.BLOCK, State.MEASURED, leaves=("parallel", inner))
        for inner in ("master", "masked")
    ),
    *(
        Directive(f"parallel {inner}", Form.LOOP, State.MEASURED, leaves=("parallel", inner), opaque="simd" in inner)
        for inner in ("master taskloop", "master taskloop simd", "masked taskloop", "masked taskloop simd")
    ),
)  # fmt: skip

SILENT = (
    Directive("scan", Form.SEPARATOR, State.SILENT),
    Directive("error", Form.STANDALONE, State.SILENT),
    Directive("nothing", Form.STANDALONE, State.SILENT),
    Directive("assume", Form.BLOCK, State.SILENT),
    Directive("unroll", Form.LOOP, State.SILENT),
    Directive("tile", Form.LOOP, State.SILENT),
    Directive("interchange", Form.LOOP, State.SILENT),
    Directive("reverse", Form.LOOP, State.SILENT),
    *(
        Directive(words, Form.DECLARATIVE, State.SILENT)
        for words in (
            "allocate", "assumes", "begin assumes", "end assumes", "begin declare target",
            "begin declare variant", "declare mapper", "declare reduction", "declare simd",
            "declare target", "declare variant", "end declare target", "end declare variant",
            "requires", "threadprivate",
        )
    ),
)  # fmt: skip

DIRECTIVES: dict[str, Directive] = {d.words: d for d in (*MEASURED, *SILENT)}

LONGEST = max(len(words.split()) for words in DIRECTIVES)


def longest_match(words: list[str]) -> Directive | None:
    """The directive whose words are the most of the first of `words`, if any."""
    for count in range(min(LONGEST, len(words)), 0, -1):
        found = DIRECTIVES.get(" ".join(words[:count]))
        if found is not None:
            return found
    return None
