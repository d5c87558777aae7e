"""Places and regions as tests write them down."""

from __future__ import annotations

from dataclasses import replace

from pomp_clang.experiment.model import Region
from pomp_clang.lsp.place import SourcePlace

FILE = "/home/me/work/src/a.cpp"


def place(
    kind: str,
    inner: str = "",
    first: int = 0,
    *,
    length: int = 1,
    nth: int = 1,
    name: str = "",
    clauses: str = "",
    measured: bool = True,
    function: str = "",
) -> SourcePlace:
    """Return a construct in a function, or, of kind "function", the function `name`."""
    itself = kind == "function"
    names = (name, f"{name}(int)") if itself else (name,)
    within = names if itself else (inner, inner, f"{inner}(int)")
    return SourcePlace(
        kind=kind,
        words=kind,
        sub_name=name,
        first=first,
        column=0,
        head=first,
        last=first + length,
        function=function or inner,
        clauses=clauses,
        state="instrumented" if measured else "disabled",
        why="",
        reason="",
        measured=measured,
        chooses=True,
        names=names,
        mangled="",
        functions=within,
        innermost=within if itself else within[1:],
        file=FILE,
        line=first + 1,
        nth=nth,
        inner=inner,
        label=name if itself else "",
    )


def left_out(source_place: SourcePlace) -> SourcePlace:
    return replace(source_place, state="disabled")


def region(
    kind: str,
    function: str,
    line: int,
    *,
    length: int = 1,
    clauses: str = "",
    name: str = "",
) -> Region:
    """Return a region that begins on a line, from 1."""
    return Region(
        id=f"R{line:05d}",
        kind=kind,
        name=kind,
        sub_name=name,
        num_sections=0,
        file=FILE,
        begin_line1=line,
        begin_lineN=line,
        end_line1=line + length,
        end_lineN=line + length,
        begin_column=1,
        clauses=clauses,
        function=function,
        nowait=False,
        barrier_measured=True,
    )
