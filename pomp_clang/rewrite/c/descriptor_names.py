"""The names that a construct's descriptor has in the text.

clang makes a function of an untied task that is entered anew after each scheduling point. It keeps
the variables of the task's own block. It keeps none that is declared within another construct
there: `critical`, `taskgroup`, `target data`, ... So the task has one variable for its token, and
its scheduling points use that one.
"""

from __future__ import annotations

import os
from functools import lru_cache

from pomp_clang.frontend.constructs import Construct, Constructs
from pomp_clang.frontend.source import mapped
from pomp_clang.openmp.barriers import Barriers
from pomp_clang.record import record, replace
from pomp_clang.rewrite.c.outlined_events import called


@record
class DescriptorNames:
    """The names and properties of a construct's descriptor in a rewritten text."""

    construct: Construct
    number: int
    """the number of the descriptor in its file, from 1"""
    suffix: str
    """the end of its names"""
    keeper: DescriptorNames | None = None
    """the untied task of which the construct is a scheduling point"""
    keeps: bool = False
    """whether it is an untied task with scheduling points, and keeps its token"""
    barriers: Barriers = Barriers.EXPLICIT
    inlined: bool = False
    """whether the last event of a function has to be inlined"""
    guarded: bool = False
    """whether the calls depend on `flag`"""
    own_name: str | None = None
    """the tag of the file's own functions for events, if its events are outlined"""
    separate: bool = False
    """whether the function that returns the address is never inlined"""
    entry: tuple[str, int] | None = None
    """the end of its list's name and its index there, if one function returns all addresses"""
    dissolves: bool = False
    """whether the function that returns the address is inlined before clang analyzes functions"""
    by_name: bool = False
    """whether calls name the object: gcc's debuggers stop in a function that returns its address"""
    steps: bool = False
    """whether a debugger may step through the text"""
    from_outside: bool = False
    """whether the construct is measured from outside: no event stands within its directive"""
    iterations: bool = False
    """whether the iterations of the loop have events"""
    inclusion: str = ""
    """the expression for the number of its file's inclusion, if inclusions have
    descriptors of their own"""

    def called(self, event: str) -> str:
        """Return the function that is called for an event."""
        return f"POMP_{event}" if self.own_name is None else called(event, self.own_name)

    @property
    def reach(self) -> str:
        """The expression that is passed to a call."""
        if self.by_name:
            return f"(struct ompregdescr *)(void *)&__pomp_d{self.suffix}"
        if self.entry:
            return f"__pomp_entry{self.entry[0]}({self.entry[1]})"
        return f"__pomp_rd{self.suffix}({self.inclusion})"

    @property
    def leave(self) -> str:
        """The clean-up function of a measured function's variable."""
        return f"__pomp_leave{self.suffix}"

    @property
    def own_token(self) -> str:
        """The variable that keeps an untied task's token."""
        return f"__pomp_self{self.number}"

    @property
    def flag(self) -> str:
        """The variable that says whether the visit counts."""
        return f"__pomp_on{self.number}"


def name_descriptor(
    constructs: Constructs,
    number: int,
    construct: Construct,
    barriers: Barriers = Barriers.EXPLICIT,
    inlined: bool = False,
    guarded: bool = False,
    outlined: bool = False,
    separate: bool = False,
    entry: tuple[str, int] | None = None,
    dissolves: bool = False,
    steps: bool = False,
    iterations: bool = False,
    inclusion: str = "",
) -> DescriptorNames:
    """Name a construct's descriptor.

    An inline function of external linkage (C99, 6.7.4) may refer to nothing static:
    what it needs is hidden instead, under a name of the unit's own.
    """
    # Another source of the command may read other constructs of one text, and must find its own.
    place = construct.begin.start if constructs.enclosures else number
    suffix = f"{constructs.tag}_{place}" if constructs.tag else str(number)
    if construct.declaration_site.external_inline and not constructs.tag:
        suffix += "_" + _unit_tag(
            mapped(os.getcwd(), constructs.prefix_maps),
            constructs.source.path,
            constructs.source.text,
        )
    event_tag = constructs.tag if outlined else None
    return DescriptorNames(
        construct,
        number,
        suffix,
        barriers=barriers,
        inlined=inlined,
        guarded=guarded,
        own_name=event_tag,
        separate=separate,
        entry=entry,
        dissolves=dissolves,
        by_name=steps and not constructs.repeated and _may_be_named(constructs, construct),
        steps=steps,
        from_outside=constructs.is_measured_from_outside(construct),
        iterations=iterations,
        inclusion=inclusion,
    )


@lru_cache(maxsize=1)
def _unit_tag(folder: str, path: str, text: str) -> str:
    """Return a tag that no other unit's names have."""
    import hashlib  # dear, and seldom needed

    key = f"{folder}\0{path}\0{text}"
    return hashlib.sha256(key.encode("utf-8", "surrogateescape")).hexdigest()[:16]


def _may_be_named(constructs: Constructs, construct: Construct) -> bool:
    """Return True if every call for a construct stands where a variable may be named.

    A `default` clause can exclude that.  A user region may end elsewhere than it begins.
    """
    if construct.control is not None:
        return all(map(_shares, constructs.items))
    return all(map(_shares, (construct, *constructs.around(construct))))


def _shares(construct: Construct) -> bool:
    """Return True if a variable of the file's is shared in the construct's block as it stands."""
    if construct.directive is None:
        return True
    default = construct.reading.clause("default") if construct.reading else None
    return construct.reading is not None and (default is None or default.argument == "shared")


def with_keepers(
    constructs: Constructs, named: dict[int, DescriptorNames]
) -> dict[int, DescriptorNames]:
    """Link each scheduling point of an untied task with that task."""
    result = dict(named)
    for index, name in named.items():
        task = _task(constructs, name.construct) if _is_scheduling(name.construct) else None
        if task is not None and task.untied and task.index in named:
            result[index] = replace(result[index], keeper=named[task.index])
            result[task.index] = replace(result[task.index], keeps=True)
    return result


def _is_scheduling(construct: Construct) -> bool:
    return construct.leaf is not None and construct.leaf.scheduling


def _task(constructs: Constructs, construct: Construct) -> Construct | None:
    """Return the task directive in whose function the construct stands, or None.

    A construct that generates tasks has a function of its own, as has a lambda.
    """
    for around in constructs.around(construct):
        if construct.declaration_site.function_at > around.begin.start:
            return None
        if around.generates_tasks:
            return around if around.kind == "task" else None
    return None
