"""Options that several verbs have."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

FC = TypeVar("FC", bound=Callable[..., Any])

output = click.option(
    "-o", "--output", metavar="FILE", help="Write to FILE, not to standard output."
)

color = click.option(
    "--color",
    type=click.Choice(["auto", "always", "never"]),
    default="auto",
    show_default=True,
    help="Colours in text; auto is on a terminal unless NO_COLOR is set.",
)


def format_of(*formats: str) -> Callable[[FC], FC]:
    """The first is what there is without it."""
    return click.option(
        "--format",
        "format_",
        type=click.Choice(formats),
        default=formats[0],
        show_default=True,
        help="What is written.",
    )
