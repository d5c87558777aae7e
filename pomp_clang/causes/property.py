"""What a property is: a name, a place in the tree, and how its severity is computed."""

from __future__ import annotations

from enum import Enum
from types import ModuleType
from typing import ClassVar

from pomp_clang.causes.activity import Activity
from pomp_clang.causes.instance_sources import Pieces, intervals, scaled
from pomp_clang.causes.own_cost import net_part, net_seconds
from pomp_clang.causes.run import Cells, Run


class Remedy(Enum):
    """What the program would be without an inefficiency, for the prediction of its gain."""

    BALANCE = "the threads of a team share the work before a barrier evenly"
    DIVIDE = "the threads of a team have as much of the tasks that a barrier waits for"
    COMPLETE = "all leave a barrier at once when the last of them has come"
    STOP = "nobody does more of a construct that was canceled"
    LET_IN = "a lock or critical section is got without waiting for it"
    SHARE_OUT = "all threads take part in what one does alone"
    WIDEN = "all threads are in the team"
    OVERLAP = "the host's threads work while a device does"
    SKIP = "what is on the critical path takes no time"
    IN_TIME = "what another process gives is there when it is needed"
    SHARE = "the processes share evenly what they do before an operation"
    IN_TIME_OR_SHARE = "the better of the two before"
    SHORTEN = "calls take so much less"


class Property:
    """A subclass is a property.  `parent` is the property that has it as a part, None for one
    that begins a tree of its own.

    `unit` is "s" for a time, or what is counted.  `activities` are those whose time it is, where
    it is nothing but that.  A property with a `remedy` is a cause: it is
    looked for at each place, and shown with its `advice`.  In a process of one thread
    `advice_alone` takes the place of that; "" if the property is no cause there.
    `instances_are_counted` is False where the number and length of instances mean nothing: where
    a severity is known for a call path and thread as a whole, or they are parts of a path.
    """

    name: ClassVar[str] = ""
    parent: ClassVar[type[Property] | None] = None
    unit: ClassVar[str] = "s"
    description: ClassVar[str] = ""
    advice: ClassVar[str] = ""
    advice_alone: ClassVar[str | None] = None
    remedy: ClassVar[Remedy | None] = None
    activities: ClassVar[tuple[Activity, ...]] = ()
    instances_are_counted: ClassVar[bool] = True

    def severity(self, run: Run) -> Cells | None:
        """By call path (its row in `run.paths`) and thread; those of the properties that are
        parts of it are in it.  None where it is their sum.  The time of `activities` is without
        what the measurement takes."""
        return net_seconds(run, *self.activities) if self.activities else None

    def instances(self, run: Run) -> Pieces | None:
        """Return when the severity arose, some instances at a time: they sum up to it.  None
        where they are those of the property's parts, or where it has no place in time."""
        if not self.activities:
            return None
        pieces, part = intervals(run, self.activities), net_part(run, *self.activities)
        return scaled(pieces, part) if (part < 1).any() else pieces

    @classmethod
    def path(cls) -> tuple[str, ...]:
        """Its name below those that it is a part of."""
        return (*(cls.parent.path() if cls.parent else ()), cls.name)


def defined_in(module: ModuleType) -> tuple[type[Property], ...]:
    """Return the properties that a module defines, in their order: classes with a name."""
    return tuple(
        each
        for each in vars(module).values()
        if isinstance(each, type)
        and issubclass(each, Property)
        and each.__module__ == module.__name__
        and each.name
    )
