"""Property: a name, a place in the tree, a severity, and its instances."""

from __future__ import annotations

from enum import Enum
from types import ModuleType
from typing import ClassVar

from pomp_clang.causes.properties.instance_sources import Pieces, shares
from pomp_clang.causes.properties.measurement_cost import net_part, net_seconds
from pomp_clang.causes.run.run import Cells, Run
from pomp_clang.causes.timeline.activity import Activity


class Remedy(Enum):
    """The repair of an inefficiency, by which its gain is predicted."""

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
    """An inefficiency pattern; a subclass is a property. `parent` is the property of which it is a
    part, None for the root of a tree.

    `unit` is "s" for a time, or the thing counted. `activities` are the activities whose time it
    is, if it is nothing else. A property with a `remedy` gives findings: it is searched at each
    call path, and shown with its `advice`. In a process of one thread `advice_alone` takes the
    place of `advice`; "" if the property gives no finding there. `instances_are_counted` is False
    if number and duration of instances are not meaningful. This is the case if a severity is known for a
    call path and thread as a whole, or if instances are pieces of a path.
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
        """Return the severity by call path (row of `run.paths`) and thread, including the
        properties that are parts of it; None if it is their sum. The time of `activities` excludes
        the measurement's own cost."""
        return net_seconds(run, *self.activities) if self.activities else None

    def instances(self, run: Run) -> Pieces | None:
        """Return when the severity arose, some instances at a time: they sum up to it.  None
        where they are those of the property's parts, or where it has no place in time."""
        if not self.activities:
            return None
        return shares(run, self.activities, net_part(run, *self.activities))

    @classmethod
    def path(cls) -> tuple[str, ...]:
        """Return the names of the properties that contain this one, and its own name."""
        return (*(cls.parent.path() if cls.parent else ()), cls.name)


def defined_in(module: ModuleType) -> tuple[type[Property], ...]:
    """Return the properties that a module defines, in their order: classes with a name."""
    return tuple(
        var
        for var in vars(module).values()
        if isinstance(var, type)
        and issubclass(var, Property)
        and var.__module__ == module.__name__
        and var.name
    )
