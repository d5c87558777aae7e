"""Instrumented Fortran: lines with calls, and the C text with what they call."""
