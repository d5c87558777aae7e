"""Whether more threads worked at once than there are processors: then they wait for these, too."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np

from pomp_clang.causes.idle import busy_of
from pomp_clang.causes.run import Run


def crowded(runs: Iterable[Run]) -> Iterator[str]:
    """A sentence for each node."""
    nodes: dict[str, list[Run]] = {}
    for run in runs:
        nodes.setdefault(run.records.texts.get("host", ""), []).append(run)
    for node, there in nodes.items():
        told = there[0].records.texts.get("processors", "")
        processors = int(told) if told.isascii() and told.isdigit() else 0
        if not 0 < processors < sum(len(run.threads) for run in there):
            continue
        threads = sum(at_once(run) for run in there)
        if threads > processors:
            of = f" of {node}" if len(nodes) > 1 else ""
            number = "1 processor" if processors == 1 else f"{processors} processors"
            yield (
                f"{threads} threads took turns on {number}{of}: whoever has none keeps those "
                "waiting that need it, at forks, barriers and locks; set OMP_NUM_THREADS."
            )


def at_once(run: Run) -> int:
    """The most threads that had something to do at a time."""
    if not run.courses:
        return 0
    others = [thread for thread in range(len(run.threads)) if thread != run.thread[run.main]]
    spans = [busy_of(run, thread) for thread in others]
    none = np.zeros(0, np.int64)
    moments = np.concatenate([none, *(end for _, end in spans), *(begin for begin, _ in spans)])
    change = np.repeat([-1, 1], len(moments) // 2)
    order = np.argsort(moments, kind="stable")
    return 1 + int(np.cumsum(change[order]).max(initial=0))
