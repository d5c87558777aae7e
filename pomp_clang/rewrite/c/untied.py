"""The variable that has the token of an untied task.

clang makes a function of an untied task that is entered anew after each scheduling point. It keeps
the variables of the task's own block. It keeps none that is declared within another construct
there: `critical`, `taskgroup`, `target data`, ... So the task has one variable for its token, and
its scheduling points use that one.
"""

from __future__ import annotations

from pomp_clang.frontend.constructs import Construct, Constructs
from pomp_clang.record import replace
from pomp_clang.rewrite.c.descriptor_names import DescriptorNames


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
