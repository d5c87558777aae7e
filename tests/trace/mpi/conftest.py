"""Programs are built once."""

from tests.mpi.conftest import programs

__all__ = ["programs"]
