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
    help="Colors in text; auto is on a terminal unless NO_COLOR is set.",
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


def window(what: str) -> Callable[[FC], FC]:
    """`--from` and `--to`, as `since` and `until`: seconds of which `what` is shown."""
    since = click.option(
        "--from",
        "since",
        type=click.FloatRange(min=0),
        metavar="SECONDS",
        help=f"{what} from there on; default is the program's start.",
    )
    until = click.option(
        "--to",
        "until",
        type=click.FloatRange(min=0),
        metavar="SECONDS",
        help="And up to there; default is the program's end.",
    )
    return lambda function: since(until(function))


def window_of(since: float | None, until: float | None) -> tuple[float, float] | None:
    """None where neither is given."""
    if since is None and until is None:
        return None
    return since or 0.0, float("inf") if until is None else until
