"""Waits for tasks that are kernels: target constructs with `nowait` are tasks, which a device runs."""

from __future__ import annotations

from collections.abc import Sequence

from pomp_clang.openmp.kinds import has_kernel, is_parallel
from pomp_clang.shared_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class PathStep:
    """A call path: its construct below that of the row `above`, -1 for none; `is_task` if it runs as a
    task."""

    above: int
    kind: str
    is_task: bool = False


def waits_for_kernels(paths: Sequence[PathStep]) -> list[bool]:
    """Return, for each call path, whether it is a wait for tasks of which all are kernels.

    A taskwait waits for the tasks that its own task made, and a taskgroup for all tasks in it. Each
    path stands behind that of its `above`.
    """
    scopes = _scopes(paths)
    with_tasks = {scope for scope, path in zip(scopes, paths, strict=True) if path.is_task}
    with_kernels = {
        scope for scope, path in zip(scopes, paths, strict=True) if has_kernel(path.kind)
    }
    groups_with_tasks = _groups_around(paths, [path.is_task for path in paths])
    groups_with_kernels = _groups_around(paths, [has_kernel(path.kind) for path in paths])
    awaits = []
    for row, path in enumerate(paths):
        if path.kind == "taskgroup":
            awaits.append(row in groups_with_kernels and row not in groups_with_tasks)
        else:
            is_wait = path.kind == "taskwait" and scopes[row] in with_kernels
            awaits.append(is_wait and scopes[row] not in with_tasks)
    return awaits


def _scopes(paths: Sequence[PathStep]) -> list[int]:
    """Return the row of the task around each call path: an explicit one, or a thread's in its team;
    -1 outside of all."""
    own: list[int] = []
    scopes: list[int] = []
    for row, path in enumerate(paths):
        around = own[path.above] if path.above >= 0 else -1
        scopes.append(around)
        own.append(row if path.is_task or is_parallel(path.kind) else around)
    return scopes


def _groups_around(paths: Sequence[PathStep], is_chosen: Sequence[bool]) -> set[int]:
    """Return the rows of taskgroups around any of the chosen call paths."""
    groups = set()
    for row, path in enumerate(paths):
        above = path.above if is_chosen[row] else -1
        while above >= 0:
            if paths[above].kind == "taskgroup":
                groups.add(above)
            above = paths[above].above
    return groups
