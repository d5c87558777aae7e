"""The command line. A compile does not import the modules of the verbs."""

from __future__ import annotations

import sys

VERBS = {
    "rewrite": "print the instrumented text of a source file",
    "list": "list every construct of a source file",
    "report": "show the profile of a run",
    "diff": "compare two runs, region by region",
    "top": "watch a running program: where its time goes now",
    "scale": "lay runs with different numbers of threads side by side",
    "history": "show what regions cost over many runs, and where that changed",
    "trace": "list the events of a run that was recorded",
    "analyze": "show which inefficiencies a recorded run has, and what they cost",
    "export": "write a run for another tool: OTF2 and others",
    "score": "forecast what measuring functions costs, and write the filter for a budget",
    "schedules": "predict the times of loops under other schedules",
    "try": "run a program with several schedules of a loop",
    "lsp": "serve an editor: what is measured, what it cost, what to measure",
    "doctor": "show what was found on this machine, and what is missing",
}


def main(argv: list[str] | None = None) -> int:
    """Run the command line and return the exit status, or become the compiler."""
    args = sys.argv[1:] if argv is None else argv
    if args and args[0] in VERBS:
        from pomp_clang.cli.verbs import main as verbs

        return int(verbs(args) or 0)
    from pomp_clang.cli.compile import main as compile_

    return compile_(args)
