"""A stretch of a run's time that somebody wants to see."""

from __future__ import annotations

Window = tuple[float, float]
"""Seconds since the program's start; the second is infinity where it has no end."""


class WindowError(Exception):
    """Why there is nothing in it, in one line."""


def said(window: Window) -> str:
    """As "from 1.5 s to 2 s"."""
    since, until = window
    return f"from {since:g} s on" if until == float("inf") else f"from {since:g} s to {until:g} s"


def within(window: Window, duration: float) -> Window:
    """What a program that took so long has of it; raises WindowError where that is nothing."""
    since, until = window[0], min(window[1], duration)
    if window[0] >= window[1]:
        raise WindowError(f"{said(window)} there is nothing: that ends before it begins")
    if since >= until:
        raise WindowError(f"{said(window)} there is nothing: the program took {duration:g} s")
    return since, until
