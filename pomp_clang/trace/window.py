"""A time window of a run, as the user asked for it."""

from __future__ import annotations

Window = tuple[float, float]
"""Seconds since the program's start; the second is infinity where it has no end."""


class WindowError(Exception):
    """A window without any of the run; the message is one line."""


def phrase_of(window: Window) -> str:
    """Return a window in words, as "from 1.5 s to 2 s"."""
    since, until = window
    return f"from {since:g} s on" if until == float("inf") else f"from {since:g} s to {until:g} s"


def within(window: Window, duration: float) -> Window:
    """Return the part of a window that lies in a run of this duration. Raises WindowError if there
    is none."""
    since, until = window[0], min(window[1], duration)
    if window[0] >= window[1]:
        raise WindowError(f"{phrase_of(window)} there is nothing: that ends before it begins")
    if since >= until:
        raise WindowError(f"{phrase_of(window)} there is nothing: the program took {duration:g} s")
    return since, until
