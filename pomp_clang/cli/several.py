"""Options of the verbs that read several runs."""

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
    options.sections,
    options.everything,
    options.no_pager,
    options.color,
)


def several_options(*formats: str) -> Callable[[Callable[..., T]], Callable[..., T]]:
    """Return a decorator with the options; `formats` come on top of text, JSON and HTML."""

    def add(function: Callable[..., T]) -> Callable[..., T]:
        for option in reversed((options.format_of("text", "json", "html", *formats), *_OPTIONS)):
            function = option(function)
        return function

    return add
