"""Estimates of what a call of each function costs, from a unit's bitcode."""
