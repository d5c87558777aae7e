"""Instrumented and native: what is built, said and done is the same."""
