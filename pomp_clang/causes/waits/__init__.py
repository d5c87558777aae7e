"""Waits of threads for each other: graph, dependencies, critical path and delay costs."""
