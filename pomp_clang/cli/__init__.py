"""The command line.  A compile does not wait for what only the verbs need."""

from __future__ import annotations

import sys

VERBS = frozenset(
    ("analyze", "diff", "doctor", "export", "list", "report", "rewrite", "scale", "score", "trace")
)


def main(argv: list[str] | None = None) -> int:
    """Entry of the console script; returns the exit status, or becomes the compiler."""
    args = sys.argv[1:] if argv is None else argv
    if args and args[0] in VERBS:
        from pomp_clang.cli.verbs import main as verbs

        return int(verbs(args) or 0)
    from pomp_clang.cli.compile import main as compile_

    return compile_(args)
