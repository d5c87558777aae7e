"""Errors of the driver that the user has to see."""

from __future__ import annotations


class DriverError(Exception):
    """One clear line for the user, and the status to exit with."""

    def __init__(self, message: str, status: int = 2) -> None:
        super().__init__(message)
        self.message = message
        self.status = status
