"""Benchmarks: `python -m tests.benchmark.run [NAME ...]` from the top of the repository."""
