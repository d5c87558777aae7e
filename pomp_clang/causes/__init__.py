"""Causes: which inefficiency costs how much, at which call path, on which thread, and what the
program would gain without it.

A trace's columns are gathered into a `Run`; properties, a class each, compute severities of it;
these are the `Cube`, and what stands out of it are findings.
"""

from __future__ import annotations

from pomp_clang.causes.property import Property
from pomp_clang.causes.run import Run

__all__ = ["Property", "Run"]
