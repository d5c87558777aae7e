"""Count the instructions that the events of a construct add to it, by callgrind, on one thread.

They are the same in each run, whatever else the machine does.
"""

from __future__ import annotations

import shutil

from tests.benchmark.events import Way, build

CONSTRUCTS = {
    "region": "a user region",
    "atomic": "an atomic",
    "atomics_in_turn": "two atomics in turn",
    "critical": "a critical",
    "parallel": "a parallel region",
    "parallel_for": "a parallel loop",
    "worksharing": "a loop, a single and a barrier",
    "task": "a task",
    "task_and_wait": "a task and a taskwait",
    "tree_of_tasks": "two tasks and a taskwait, in a tree",
}
TRACED = (400, 1200)
"""Turns whose events fit into the blocks of a trace that are there at the start: beyond these,
valgrind ends the program."""


def instructions(compiler: str, folder: str) -> None:
    """Print a row for each construct: bare, and what a profile and a trace add."""
    if shutil.which("valgrind") is None:
        print("instructions: SKIPPED, valgrind is not here")
        return
    bare = Way("bare", build(compiler, folder, "bare", source="instructions.c"))
    program = build(compiler, folder, "measured", "--pomp-strict", source="instructions.c")
    ways = (Way("profile", program), Way("trace", program, (), {"POMP_TRACE": "1"}, turns=TRACED))
    print(f"{compiler}: instructions of a construct, one thread, -O2")
    print(f"  {'':38}{'bare':>8}" + "".join(f"{way.name:>10}" for way in ways))
    for name, title in CONSTRUCTS.items():
        of_bare = bare.instructions(name, folder)
        added = [_difference(way.instructions(name, folder), of_bare) for way in ways]
        print(f"  {title:38}{of_bare or 0:8.0f}" + "".join(added))


def _difference(counted: float | None, bare: float | None) -> str:
    known = "-" if counted is None or bare is None else f"{counted - bare:+.0f}"
    return f"{known:>10}"
