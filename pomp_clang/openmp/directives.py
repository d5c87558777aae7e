"""The directives: one row each (OpenMP 5.2, chapters 3-16; 6.0 where clang 19 has it).

A row has the form of the directive's text (`DirectiveForm`) and the POMP calls around it and inside
it (POMP paper, Tables 1-3). It has the treatment of its implied barrier as well, and the two
directives of a combined one. To add a directive, see docs/contributing/directive.md: its columns are in
`analysis.columns`, its events in runtime/src/events/events.def, and tests name what is missing.
"""

from __future__ import annotations

from enum import Enum

from pomp_clang.record import record


class DirectiveForm(Enum):
    """The kind of text that follows the directive in the source."""

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


class ImpliedBarrier(Enum):
    """How the barrier at a construct's end gets events of its own."""

    NONE = "none"
    NOWAIT = "nowait"
    """nowait is added and a barrier directive follows (POMP paper, section 3.1)"""
    ADDED = "added"
    """there is no nowait to add: a barrier is put before the implied one"""


class DirectiveState(Enum):
    """The treatment of a directive by the instrumentation."""

    MEASURED = "measured"
    SILENT = "silent"
    """left as it is, since it takes no time of its own that could be measured"""


@record
class Directive:
    """One directive.

    `event` is <Name> in the calls POMP_<Name>_<type>, `around` and `inside` the
    two <type>s outside and inside the directive.  `leaves` are the two directives
    that a combined one is split into.  At a `scheduling` point (OpenMP 5.2, section 12.9)
    the thread may run other tasks, and an untied task may change its thread. The calls there tell
    the library which task continues.  `opaque` directives allow no call within
    their block (OpenMP 5.2, sections 10.4, 11.5, 11.7, 13.8, 15.8.4).
    """

    words: str
    form: DirectiveForm
    state: DirectiveState
    event: str = ""
    around: tuple[str, str] | tuple[()] = ()
    inside: tuple[str, str] | tuple[()] = ()
    barrier: ImpliedBarrier = ImpliedBarrier.NONE
    leaves: tuple[str, str] | tuple[()] = ()
    opaque: bool = False
    scheduling: bool = False
    groups: tuple[str, ...] = ()

    @property
    def bears_code(self) -> bool:
        """True if a statement belongs to the directive."""
        return self.form in (
            DirectiveForm.BLOCK,
            DirectiveForm.LOOP,
            DirectiveForm.SECTIONS,
            DirectiveForm.STATEMENT,
        )

    @property
    def is_deferred(self) -> bool:
        """True if the block may run later, and on another thread."""
        return self.generates_tasks and bool(self.inside) and self.around == _ENTER_EXIT

    @property
    def generates_tasks(self) -> bool:
        """True if its block belongs to other tasks, explicit or implicit."""
        return not _GENERATING.isdisjoint(self.words.split()) and self.words != "target data"


_ENTER_EXIT = ("enter", "exit")
_BEGIN_END = ("begin", "end")
_FORK_JOIN = ("fork", "join")
_SYNC = ("sync",)
_GENERATING = frozenset(("parallel", "teams", "task", "taskloop", "target"))

MEASURED = (
    Directive("parallel", DirectiveForm.BLOCK, DirectiveState.MEASURED, "Parallel", _FORK_JOIN, _BEGIN_END, ImpliedBarrier.ADDED),
    Directive("for", DirectiveForm.LOOP, DirectiveState.MEASURED, "For", _ENTER_EXIT, barrier=ImpliedBarrier.NOWAIT),
    Directive("for simd", DirectiveForm.LOOP, DirectiveState.MEASURED, "For", _ENTER_EXIT, barrier=ImpliedBarrier.NOWAIT, opaque=True),
    Directive("sections", DirectiveForm.SECTIONS, DirectiveState.MEASURED, "Sections", _ENTER_EXIT, barrier=ImpliedBarrier.NOWAIT),
    Directive("section", DirectiveForm.SEPARATOR, DirectiveState.MEASURED, "Section", inside=_BEGIN_END),
    Directive("single", DirectiveForm.BLOCK, DirectiveState.MEASURED, "Single", _ENTER_EXIT, _BEGIN_END, ImpliedBarrier.NOWAIT, groups=_SYNC),
    Directive("critical", DirectiveForm.BLOCK, DirectiveState.MEASURED, "Critical", _ENTER_EXIT, _BEGIN_END, groups=_SYNC),
    Directive("master", DirectiveForm.BLOCK, DirectiveState.MEASURED, "Master", inside=_BEGIN_END, groups=_SYNC),
    Directive("atomic", DirectiveForm.STATEMENT, DirectiveState.MEASURED, "Atomic", _ENTER_EXIT, opaque=True, groups=_SYNC),
    Directive("ordered", DirectiveForm.BLOCK, DirectiveState.MEASURED, "Ordered", _ENTER_EXIT, _BEGIN_END),
    Directive("barrier", DirectiveForm.STANDALONE, DirectiveState.MEASURED, "Barrier", _ENTER_EXIT),
    Directive("flush", DirectiveForm.STANDALONE, DirectiveState.MEASURED, "Flush", _ENTER_EXIT),
    Directive("masked", DirectiveForm.BLOCK, DirectiveState.MEASURED, "Masked", inside=_BEGIN_END, groups=_SYNC),
    Directive("scope", DirectiveForm.BLOCK, DirectiveState.MEASURED, "Scope", _ENTER_EXIT, _BEGIN_END, ImpliedBarrier.NOWAIT),
    Directive("task", DirectiveForm.BLOCK, DirectiveState.MEASURED, "Task", _ENTER_EXIT, _BEGIN_END, scheduling=True),
    Directive("taskgroup", DirectiveForm.BLOCK, DirectiveState.MEASURED, "Taskgroup", _ENTER_EXIT, _BEGIN_END, scheduling=True),
    Directive("taskloop", DirectiveForm.LOOP, DirectiveState.MEASURED, "Taskloop", _ENTER_EXIT, scheduling=True),
    Directive("taskloop simd", DirectiveForm.LOOP, DirectiveState.MEASURED, "Taskloop", _ENTER_EXIT, scheduling=True, opaque=True),
    *(
        Directive(f"{outer} {loop}", DirectiveForm.LOOP, DirectiveState.MEASURED, "Taskloop", _ENTER_EXIT, scheduling=True, opaque="simd" in loop)
        for outer in ("master", "masked")
        for loop in ("taskloop", "taskloop simd")
    ),
    Directive("taskwait", DirectiveForm.STANDALONE, DirectiveState.MEASURED, "Taskwait", _ENTER_EXIT, scheduling=True),
    Directive("taskyield", DirectiveForm.STANDALONE, DirectiveState.MEASURED, "Taskyield", _ENTER_EXIT, scheduling=True),
    Directive("simd", DirectiveForm.LOOP, DirectiveState.MEASURED, "Simd", _ENTER_EXIT, opaque=True),
    Directive("loop", DirectiveForm.LOOP, DirectiveState.MEASURED, "Loop", _ENTER_EXIT, opaque=True),
    *(
        Directive(words, DirectiveForm.LOOP, DirectiveState.MEASURED, "Distribute", _ENTER_EXIT, opaque=True)
        for words in (
            "distribute", "distribute simd",
            "distribute parallel for", "distribute parallel for simd",
        )
    ),
    Directive("teams", DirectiveForm.BLOCK, DirectiveState.MEASURED, "Teams", _ENTER_EXIT, opaque=True),
    *(
        Directive(f"teams {loop}", DirectiveForm.LOOP, DirectiveState.MEASURED, "Teams", _ENTER_EXIT, opaque=True)
        for loop in (
            "loop", "distribute", "distribute simd",
            "distribute parallel for", "distribute parallel for simd",
        )
    ),
    *(
        Directive(f"target{inner}", DirectiveForm.BLOCK, DirectiveState.MEASURED, "Target", _ENTER_EXIT, opaque=True)
        for inner in ("", " teams", " parallel")
    ),
    *(
        Directive(f"target {loop}", DirectiveForm.LOOP, DirectiveState.MEASURED, "Target", _ENTER_EXIT, opaque=True)
        for loop in (
            "simd", "parallel for", "parallel for simd", "parallel loop",
            "teams loop", "teams distribute", "teams distribute simd",
            "teams distribute parallel for", "teams distribute parallel for simd",
        )
    ),
    Directive("target data", DirectiveForm.BLOCK, DirectiveState.MEASURED, "Target_data", _ENTER_EXIT, _BEGIN_END),
    Directive("target enter data", DirectiveForm.STANDALONE, DirectiveState.MEASURED, "Target_enter_data", _ENTER_EXIT),
    Directive("target exit data", DirectiveForm.STANDALONE, DirectiveState.MEASURED, "Target_exit_data", _ENTER_EXIT),
    Directive("target update", DirectiveForm.STANDALONE, DirectiveState.MEASURED, "Target_update", _ENTER_EXIT),
    Directive("dispatch", DirectiveForm.STATEMENT, DirectiveState.MEASURED, "Dispatch", _ENTER_EXIT, opaque=True),
    Directive("depobj", DirectiveForm.STANDALONE, DirectiveState.MEASURED, "Depobj", _ENTER_EXIT),
    Directive("interop", DirectiveForm.STANDALONE, DirectiveState.MEASURED, "Interop", _ENTER_EXIT),
    Directive("cancel", DirectiveForm.STANDALONE, DirectiveState.MEASURED, "Cancel", _ENTER_EXIT),
    Directive("cancellation point", DirectiveForm.STANDALONE, DirectiveState.MEASURED, "Cancellation_point", _ENTER_EXIT),
    Directive("metadirective", DirectiveForm.BLOCK, DirectiveState.MEASURED, "Metadirective", _ENTER_EXIT, scheduling=True, opaque=True),
    Directive("parallel for", DirectiveForm.LOOP, DirectiveState.MEASURED, leaves=("parallel", "for")),
    Directive("parallel for simd", DirectiveForm.LOOP, DirectiveState.MEASURED, leaves=("parallel", "for simd"), opaque=True),
    Directive("parallel sections", DirectiveForm.SECTIONS, DirectiveState.MEASURED, leaves=("parallel", "sections")),
    Directive("parallel loop", DirectiveForm.LOOP, DirectiveState.MEASURED, leaves=("parallel", "loop"), opaque=True),
    *(
        Directive(f"parallel {inner}", DirectiveForm.BLOCK, DirectiveState.MEASURED, leaves=("parallel", inner))
        for inner in ("master", "masked")
    ),
    *(
        Directive(f"parallel {inner}", DirectiveForm.LOOP, DirectiveState.MEASURED, leaves=("parallel", inner), opaque="simd" in inner)
        for inner in ("master taskloop", "master taskloop simd", "masked taskloop", "masked taskloop simd")
    ),
)  # fmt: skip

SILENT = (
    Directive("scan", DirectiveForm.SEPARATOR, DirectiveState.SILENT),
    Directive("error", DirectiveForm.STANDALONE, DirectiveState.SILENT),
    Directive("nothing", DirectiveForm.STANDALONE, DirectiveState.SILENT),
    Directive("assume", DirectiveForm.BLOCK, DirectiveState.SILENT),
    Directive("unroll", DirectiveForm.LOOP, DirectiveState.SILENT),
    Directive("tile", DirectiveForm.LOOP, DirectiveState.SILENT),
    Directive("interchange", DirectiveForm.LOOP, DirectiveState.SILENT),
    Directive("reverse", DirectiveForm.LOOP, DirectiveState.SILENT),
    *(
        Directive(words, DirectiveForm.DECLARATIVE, DirectiveState.SILENT)
        for words in (
            "allocate", "assumes", "begin assumes", "end assumes", "begin declare target",
            "begin declare variant", "declare mapper", "declare reduction", "declare simd",
            "declare target", "declare variant", "end declare target", "end declare variant",
            "requires", "threadprivate",
        )
    ),
)  # fmt: skip

DIRECTIVES: dict[str, Directive] = {d.words: d for d in (*MEASURED, *SILENT)}
