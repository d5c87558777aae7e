"""Selection of the call paths that a report has room for."""

from __future__ import annotations

from pomp_clang.analysis.callpaths import PathProfile
from pomp_clang.analysis.overheads import share
from pomp_clang.report.phrases import number, percent


def shown_callpaths(
    paths: tuple[PathProfile, ...], count: int, total: float, folded: bool, all_of_them: str
) -> tuple[tuple[PathProfile, ...], list[str]]:
    """Select the `count` call paths with most time, in their order; notes name the ones left out.

    `total` is the program's time, duration x threads in seconds; `all_of_them` is the option that
    shows all.
    """
    ranked = sorted(range(len(paths)), key=lambda i: (-paths[i].inclusive, i))
    kept_paths = tuple(paths[i] for i in sorted(ranked[:count]))
    notes = []
    if len(kept_paths) < len(paths):
        most_of_them = percent(share(paths[ranked[count]].inclusive, total))
        most_share = most_of_them if most_of_them[0] == "<" else f"at most {most_of_them}"
        more_paths = number(len(paths) - len(kept_paths), "more call path")
        notes.append(f"{more_paths} took {most_share} % each; {all_of_them} has them all.")
    if folded:
        notes.append("Some call paths were too deep or too many: their regions stand below none.")
    return kept_paths, notes
