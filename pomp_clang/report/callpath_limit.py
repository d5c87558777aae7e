"""Selection of the call paths that a report has room for."""

from __future__ import annotations

from pomp_clang.analysis.callpaths import PathProfile
from pomp_clang.analysis.overheads import share
from pomp_clang.report.phrases import number, percent


def shown_callpaths(
    paths: tuple[PathProfile, ...], most: int, total: float, folded: bool, all_of_them: str
) -> tuple[tuple[PathProfile, ...], list[str]]:
    """Select the `most` call paths with most time, in their order, with notes on the ones left out.

    `whole` is the program's time, duration x threads in seconds; `all_of_them` is the option that
    shows all.
    """
    ranked = sorted(range(len(paths)), key=lambda i: (-paths[i].inclusive, i))
    shown = tuple(paths[i] for i in sorted(ranked[:most]))
    notes = []
    if len(shown) < len(paths):
        most_of_them = percent(share(paths[ranked[most]].inclusive, total))
        limit = most_of_them if most_of_them[0] == "<" else f"at most {most_of_them}"
        more = number(len(paths) - len(shown), "more call path")
        notes.append(f"{more} took {limit} % each; {all_of_them} has them all.")
    if folded:
        notes.append("Some call paths were too deep or too many: their regions stand below none.")
    return shown, notes
