"""What is said of an experiment that cannot be read."""

from __future__ import annotations


class ExperimentError(Exception):
    """One line for a person: which file, what is wrong with it, what to do."""
