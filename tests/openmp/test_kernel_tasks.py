"""Waits for tasks that are kernels, by the call paths of all tasks."""

from __future__ import annotations

import pytest

from pomp_clang.openmp.kernel_tasks import PathStep, waits_for_kernels

TREES: dict[str, tuple[str, tuple[str, ...]]] = {
    "outside of all": ("target, taskwait", ("taskwait",)),
    "without kernels": ("taskwait, task!", ()),
    "another task of the same task": ("target, taskwait, task!", ()),
    "a task of another task": ("parallel(task!(target, taskwait), taskwait)", ("taskwait",)),
    "the kernel of a task": ("parallel(task!(target), taskwait)", ()),
    "a function between": ("parallel(function(target, taskwait))", ("taskwait",)),
    "a group": ("parallel(taskgroup(target), task!)", ("taskgroup",)),
    "a group with a task": ("parallel(taskgroup(target, task!))", ()),
    "a group whose task has a kernel": ("parallel(taskgroup(task!(target)))", ()),
}


def _steps(tree: str, above: int, steps: list[PathStep]) -> None:
    """Add call paths: names between commas, each with those below it in parentheses; `!` marks a
    task that runs."""
    depth, name, inside = 0, "", ""
    for character in f"{tree},":
        depth -= character == ")"
        if character == "," and depth == 0:
            steps.append(PathStep(above, name.strip(" !"), name.endswith("!")))
            if inside:
                _steps(inside, len(steps) - 1, steps)
            name, inside = "", ""
        elif depth:
            inside += character
        elif character not in "()":
            name += character
        depth += character == "("


@pytest.mark.parametrize("case", TREES)
def test_a_wait_is_for_kernels_if_all_its_tasks_are(case: str) -> None:
    tree, waits = TREES[case]
    steps: list[PathStep] = []
    _steps(tree, -1, steps)
    awaited = waits_for_kernels(steps)
    assert tuple(step.kind for step, is_one in zip(steps, awaited, strict=True) if is_one) == waits
