"""What the verbs that read several runs share: their options."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import click

from pomp_clang.cli import options

T = TypeVar("T")

_OPTIONS = (
    options.output,
    click.option(
        "--top", type=click.IntRange(min=1), metavar="N", help="Only the first N regions."
    ),
    options.color,
)


def several_options(*more: str) -> Callable[[Callable[..., T]], Callable[..., T]]:
    """`more` formats than all of them have."""

    def add(function: Callable[..., T]) -> Callable[..., T]:
        for option in reversed((options.format_of("text", "json", "html", *more), *_OPTIONS)):
            function = option(function)
        return function

    return add
