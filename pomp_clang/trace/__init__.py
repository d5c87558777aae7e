"""Traces: every event of every location, read in place as NumPy columns."""
