"""The flaws: the program of each, its threads, and the finding that names it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Flaw:
    """A program of `PROGRAM.c` with one flaw.

    `name` is the program's argument and the mark of the flaw's line. `title` is the finding's in a
    profile and in a trace; `trace_title` if the trace has another one. A "|" separates titles of
    which either is right. Work of programs that `spins` needs a processor for each thread. A flaw of
    the `whole` program has no line.
    """

    program: str
    name: str
    title: str
    trace_title: str = ""
    threads: int = 4
    spins: bool = False
    whole: bool = False

    def titles(self, source: str) -> list[str]:
        """Return the titles that are right in a "profile" or a "trace"."""
        title = self.trace_title if source == "trace" and self.trace_title else self.title
        return title.split("|")


def _storm(name: str, title: str, trace_title: str = "") -> Flaw:
    return Flaw("storms", name, title, trace_title, threads=2, spins=True)


_LOOP = "Wait at the end of a loop"
_REGION = "Wait at the end of a region"
_SECTIONS = "Wait at the end of sections"
_SINGLE = "Wait at the end of a single"
_BARRIER = "Wait at a barrier"
_LAST_TASKS = "Wait for tasks at a barrier"
_TASKS = "Wait for tasks"
_BARRIERS = "Cost of barriers"

FLAWS = (
    Flaw("loops", "triangular", _LOOP),
    Flaw("loops", "one-slow", _LOOP),
    Flaw("loops", "large-chunk", _LOOP),
    Flaw("loops", "few-iterations", _LOOP),
    Flaw("loops", "few-sections", _SECTIONS),
    Flaw("loops", "long-section", _SECTIONS),
    Flaw("loops", "ordered", "Wait for the turn in ordered", threads=2),
    Flaw("loops", "cancelled", "Wait after cancellation", threads=2),
    Flaw("tasks", "giant-task", _SINGLE, _LAST_TASKS),
    Flaw("tasks", "few-tasks", _SINGLE, _LAST_TASKS),
    Flaw("tasks", "slow-creator", _SINGLE),
    Flaw("tasks", "taskwait", _TASKS),
    Flaw("tasks", "taskgroup", _TASKS),
    Flaw("tasks", "chain", _SINGLE, _LAST_TASKS),
    Flaw(
        "tasks",
        "few-of-taskloop",
        f"{_TASKS}|{_SINGLE}",
        f"{_TASKS}|{_SINGLE}|{_LAST_TASKS}",
        threads=2,
        spins=True,
    ),
    Flaw("teams", "uneven-region", _REGION),
    Flaw("teams", "serial", "Idle threads", whole=True),
    Flaw("teams", "single", _SINGLE),
    Flaw("teams", "copyprivate", _SINGLE),
    Flaw("teams", "master", _BARRIER),
    Flaw("teams", "barrier", _BARRIER),
    Flaw("teams", "small-team", "Idle threads beside a small team"),
    Flaw("teams", "critical", "Wait for a critical section", threads=2),
    Flaw("teams", "lock", "Wait for a lock", threads=2),
    Flaw("teams", "tried-lock", "Wait for a lock", threads=2),
    _storm("barriers", _BARRIERS),
    _storm("small-loops", _BARRIERS),
    _storm("small-singles", _BARRIERS),
    _storm("small-regions", "Cost of starting and ending teams"),
    _storm("atomics", "Cost of atomics"),
    _storm("sum-in-critical", "Wait for a critical section"),
    _storm("tiny-tasks", "Cost of small tasks"),
    _storm("tiny-chunks", "Cost of chunks"),
)

OVERSUBSCRIBED = (
    Flaw("storms", "oversubscribed", "", threads=8),
    Flaw("storms", "oversubscribed-by-nesting", "", threads=2),
)
"""Programs of which no finding can be trusted: a warning says so."""

FLAWLESS = (
    Flaw("none", "loop", ""),
    Flaw("none", "dynamic-loop", ""),
    Flaw("none", "tasks", ""),
    Flaw("none", "sections", ""),
    Flaw("none", "pipelines", ""),
    Flaw("none", "nested", "", threads=2),
    Flaw("none", "phases", ""),
    Flaw("none", "short-critical", ""),
    Flaw("none", "taskloop", "", threads=2, spins=True),
    Flaw("none", "own-locks", ""),
)
