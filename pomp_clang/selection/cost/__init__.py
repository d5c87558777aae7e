"""Optimised code of a unit -> what a call of each of its functions is estimated to cost."""
