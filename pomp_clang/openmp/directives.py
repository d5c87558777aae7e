"""The directives: one row each (OpenMP 5.2, chapters 3-16; 6.0 where clang 19 has it).

A row says what the directive's text governs (`Form`), which POMP calls stand round
it and inside it (POMP paper, Tables 1-3), what happens with its implied barrier, and
of which two directives a combined one is made.  A new directive is a row and a test.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


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
    LATER = "later"
    """left as it is and named: no events are defined for it yet"""


@dataclass(frozen=True, slots=True)
class Directive:
    """One directive.

    `event` is <Name> in the calls POMP_<Name>_<type>, `around` and `inside` the
    two <type>s outside and inside the directive.  `leaves` are the two directives
    that a combined one is split into.  `opaque` directives allow no call within
    their block (OpenMP 5.2, sections 10.4, 11.5, 11.7, 13.8, 15.8.4).
    """

    words: str
    form: Form
    state: State = State.LATER
    event: str = ""
    around: tuple[str, str] | tuple[()] = ()
    inside: tuple[str, str] | tuple[()] = ()
    barrier: Barrier = Barrier.NONE
    leaves: tuple[str, str] | tuple[()] = ()
    opaque: bool = False
    groups: tuple[str, ...] = ()

    @property
    def bears_code(self) -> bool:
        """Whether a statement belongs to the directive."""
        return self.form in (Form.BLOCK, Form.LOOP, Form.SECTIONS, Form.STATEMENT)


_ENTER_EXIT = ("enter", "exit")
_BEGIN_END = ("begin", "end")
_FORK_JOIN = ("fork", "join")
_SYNC = ("sync",)

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
    Directive("parallel for", Form.LOOP, State.MEASURED, leaves=("parallel", "for")),
    Directive("parallel for simd", Form.LOOP, State.MEASURED, leaves=("parallel", "for simd"), opaque=True),
    Directive("parallel sections", Form.SECTIONS, State.MEASURED, leaves=("parallel", "sections")),
)  # fmt: skip

SILENT = (
    Directive("cancel", Form.STANDALONE, State.SILENT),
    Directive("cancellation point", Form.STANDALONE, State.SILENT),
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

LATER = (
    Directive("simd", Form.LOOP, opaque=True),
    Directive("loop", Form.LOOP, opaque=True),
    Directive("distribute", Form.LOOP, opaque=True),
    Directive("distribute simd", Form.LOOP, opaque=True),
    Directive("distribute parallel for", Form.LOOP, opaque=True),
    Directive("distribute parallel for simd", Form.LOOP, opaque=True),
    Directive("scope", Form.BLOCK),
    Directive("masked", Form.BLOCK),
    Directive("task", Form.BLOCK),
    Directive("taskgroup", Form.BLOCK),
    Directive("taskloop", Form.LOOP),
    Directive("taskloop simd", Form.LOOP, opaque=True),
    Directive("dispatch", Form.STATEMENT, opaque=True),
    Directive("metadirective", Form.BLOCK, opaque=True),
    Directive("taskwait", Form.STANDALONE),
    Directive("taskyield", Form.STANDALONE),
    Directive("depobj", Form.STANDALONE),
    Directive("interop", Form.STANDALONE),
    Directive("target enter data", Form.STANDALONE),
    Directive("target exit data", Form.STANDALONE),
    Directive("target update", Form.STANDALONE),
    Directive("target data", Form.BLOCK),
    Directive("parallel loop", Form.LOOP, opaque=True),
    Directive("parallel master", Form.BLOCK),
    Directive("parallel masked", Form.BLOCK),
    *(
        Directive(f"{outer}{master}{loop}", Form.LOOP, opaque="simd" in loop)
        for outer in ("", "parallel ")
        for master in ("master ", "masked ")
        for loop in ("taskloop", "taskloop simd")
    ),
    *(
        Directive(f"{target}{teams}", Form.BLOCK, opaque=True)
        for target, teams in (("target", ""), ("", "teams"), ("target ", "teams"))
    ),
    Directive("target parallel", Form.BLOCK, opaque=True),
    *(
        Directive(f"target {loop}", Form.LOOP, opaque=True)
        for loop in ("simd", "parallel for", "parallel for simd", "parallel loop")
    ),
    *(
        Directive(f"{target}teams {loop}", Form.LOOP, opaque=True)
        for target in ("", "target ")
        for loop in (
            "loop", "distribute", "distribute simd",
            "distribute parallel for", "distribute parallel for simd",
        )
    ),
)  # fmt: skip

DIRECTIVES: dict[str, Directive] = {d.words: d for d in (*MEASURED, *SILENT, *LATER)}

LONGEST = max(len(words.split()) for words in DIRECTIVES)


def longest_match(words: list[str]) -> Directive | None:
    """The directive whose words are the most of the first of `words`, if any."""
    for count in range(min(LONGEST, len(words)), 0, -1):
        found = DIRECTIVES.get(" ".join(words[:count]))
        if found is not None:
            return found
    return None
