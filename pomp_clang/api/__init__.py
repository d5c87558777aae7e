"""The Python API: an experiment as regions, call paths and NumPy arrays.

`pomp_clang.open` is its door, docs/reference/python-api.md its contract.
"""
