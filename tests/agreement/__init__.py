"""Instrumented and native builds produce the same files, messages and results."""
