"""List schedules of recorded tasks, step by step: the naive computation of `task_schedule`.

A thread takes its newest task, else the oldest of the others. A thread in a wait takes tasks, too.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from heapq import heappop, heappush, heappushpop

from pomp_clang.causes.remedies.change_tasks import AS_RECORDED, TaskChange
from pomp_clang.causes.remedies.task_kernel import CREATE, WAIT, WORK
from tests.causes.reference.task_graph import ReferenceGraph, TaskPhase

_Step = tuple[int, float]


def phase_time(graph: ReferenceGraph, phase: TaskPhase, change: TaskChange = AS_RECORDED) -> float:
    """Return the ticks until all tasks of a phase are done."""
    return _ListScheduler(graph, phase, change).end()


@dataclass(slots=True)
class _Frame:
    task: int
    steps: Sequence[_Step]
    at: int = 0


@dataclass(slots=True)
class _Team:
    """`stacks` are the open tasks of each thread, `ready` the tasks that it created."""

    stacks: list[list[_Frame]]
    ready: list[deque[int]]
    idle: dict[int, float] = field(default_factory=dict)
    turns: list[tuple[float, int]] = field(default_factory=list)


class _ListScheduler:
    def __init__(self, graph: ReferenceGraph, phase: TaskPhase, change: TaskChange) -> None:
        self._graph, self._change = graph, change
        self._left: dict[int, int] = {}
        self._done: set[int] = set()
        self._before: dict[int, int] = {}
        self._held: dict[int, list[int]] = {}
        stacks = [[_Frame(root, self._steps(root))] for root in phase.roots]
        self._team = _Team(stacks, [deque() for _ in phase.roots])

    def end(self) -> float:
        """Return the moment of the last step; the earliest thread always goes on."""
        turns, last = self._team.turns, 0.0
        turns += [(0.0, thread) for thread in range(len(self._team.stacks))]
        while turns:
            now, thread = heappop(turns)
            while (after := self._turn(thread, now)) is not None:
                last = max(last, now)
                now, thread = heappushpop(turns, (after, thread))
            last = max(last, now)
        return last

    def _steps(self, task: int) -> list[_Step]:
        """Return a task's steps with the tasks below the cutoff in their places."""
        graph, change, steps, place = self._graph, self._change, [], 0
        before: list[int] = []
        round_: list[int] = []
        for kind, value in graph.tasks[task].steps:
            if kind == CREATE:
                child = int(value)
                created = graph.tasks[child]
                if created.inclusive < change.cutoff:
                    steps.append((WORK, created.inclusive))
                    continue
                steps += [(WORK, created.creation), (CREATE, value)]
                if change.in_rounds:
                    if place < len(before):
                        self._before[child] = before[place]
                    round_.append(child)
                    place += 1
            elif kind == WAIT and int(value) in change.dropped:
                before, round_, place = round_, [], 0
            else:
                steps.append((kind, value))
        return steps

    def _turn(self, thread: int, now: float) -> float | None:
        """Execute a thread's next step; return when the next one begins, None for an idle thread."""
        stack = self._team.stacks[thread]
        if not stack:
            return self._take(thread, now)
        frame = stack[-1]
        if frame.at == len(frame.steps):
            stack.pop()
            self._ended(frame.task, now)
            return now
        kind, value = frame.steps[frame.at]
        if kind == WAIT and self._left.get(frame.task, 0):
            return self._take(thread, now)
        frame.at += 1
        if kind == WORK:
            return now + value
        if kind == CREATE:
            self._created(frame.task, int(value), thread, now)
        return now

    def _created(self, task: int, child: int, thread: int, now: float) -> None:
        self._left[task] = self._left.get(task, 0) + 1
        before = self._before.get(child, child)
        if before != child and before not in self._done:
            self._held.setdefault(before, []).append(child)
        else:
            self._offer(child, thread, now)

    def _offer(self, task: int, thread: int, now: float) -> None:
        self._team.ready[thread].append(task)
        if self._team.idle:
            self._wake(next(iter(self._team.idle)), now)

    def _wake(self, thread: int, now: float) -> None:
        heappush(self._team.turns, (max(now, self._team.idle.pop(thread)), thread))

    def _take(self, thread: int, now: float) -> float | None:
        """Begin a task on a thread, and return when its first step begins; None without a task."""
        ready = self._team.ready
        task = ready[thread].pop() if ready[thread] else None
        if task is None:
            queue = max(ready, key=len)
            task = queue.popleft() if queue else None
        if task is None:
            self._team.idle[thread] = now
            return None
        self._team.stacks[thread].append(_Frame(task, self._steps(task)))
        return now + self._graph.dispatch

    def _ended(self, task: int, now: float) -> None:
        self._done.add(task)
        thread = self._graph.tasks[task].thread
        for held in self._held.pop(task, ()):
            self._offer(held, thread if thread < len(self._team.ready) else 0, now)
        parent = self._graph.tasks[task].parent
        if parent < 0:
            return
        self._left[parent] -= 1
        if not self._left[parent]:
            for waiting in list(self._team.idle):
                stack = self._team.stacks[waiting]
                if stack and stack[-1].task == parent:
                    self._wake(waiting, now)
