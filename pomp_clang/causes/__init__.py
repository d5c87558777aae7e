"""Causes: which inefficiency costs how much, at which call path, on which thread, and what the
program would gain without it.

The way of the data, and the files that it goes through:

    trace -> courses           `follow`, `course`: each location's sums, and where it met others
    courses -> run             `run`: with `teams`, `barriers`, `contention` and `places` of it all
    run -> severities          `properties`, a class each; `delays`, `critical`, `idle` and
                               `own_cost` for them
    severities -> cube         `cube`, kept by `store`, put together and cut by `algebra`
    cube -> findings           `findings`, with `predict`: what is gained if one is gone, for which
                               `graph` has who waits for whom and `retime` goes through it again
    findings -> instances      `occurrences`, `worst`: when each severity arose
    findings -> shown          `show_text`, `show_json`, `show_changes`; the page is report.presenter

`mpi` does the same between the processes of a job; `produce` goes the whole way.
"""

from __future__ import annotations

from pomp_clang.causes.property import Property
from pomp_clang.causes.run import Run

__all__ = ["Property", "Run"]
