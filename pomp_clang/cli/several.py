"""What the verbs that read several runs share: their options."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import click

T = TypeVar("T")

_OPTIONS = (
    click.option("-o", "--output", metavar="FILE", help="Write to FILE, not to standard output."),
    click.option(
        "--top", type=click.IntRange(min=1), metavar="N", help="Only the first N regions."
    ),
    click.option(
        "--color",
        type=click.Choice(["auto", "always", "never"]),
        default="auto",
        show_default=True,
        help="Colours in text; auto is on a terminal unless NO_COLOR is set.",
    ),
)


def several_options(*more: str) -> Callable[[Callable[..., T]], Callable[..., T]]:
    """`more` formats than all of them have."""
    form = click.option(
        "--format",
        "format_",
        type=click.Choice(["text", "json", "html", *more]),
        default="text",
        show_default=True,
        help="What is written.",
    )

    def add(function: Callable[..., T]) -> Callable[..., T]:
        for option in reversed((form, *_OPTIONS)):
            function = option(function)
        return function

    return add
