"""Errors of an experiment that cannot be read."""

from __future__ import annotations


class ExperimentError(Exception):
    """Why an experiment cannot be read, in one line: the file, its error, and what to do."""
