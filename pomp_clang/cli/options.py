"""Options that several verbs share."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
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

sections = click.option(
    "--section",
    "sections",
    multiple=True,
    metavar="NAME",
    help="This section alone, as in --section callpaths; can be given several times.",
)

everything = click.option(
    "--all", "everything", is_flag=True, help="Text has all sections, and leaves nothing out."
)


def _without_pager(ctx: click.Context, _: click.Parameter, value: bool) -> None:
    if value:
        from pomp_clang.report.output import NO_PAGER

        ctx.meta[NO_PAGER] = True


no_pager = click.option(
    "--no-pager",
    is_flag=True,
    expose_value=False,
    callback=_without_pager,
    help="Print long text as it is; the default on a terminal is a pager, unless NO_PAGER is set.",
)


@contextmanager
def failures() -> Iterator[None]:
    """Turn the errors of reports into those of click: wrong usage, or one line."""
    from pomp_clang.report.output import ReportError
    from pomp_clang.report.sections import UnknownSectionError

    try:
        yield
    except UnknownSectionError as error:
        raise click.UsageError(str(error)) from error
    except ReportError as error:
        raise click.ClickException(str(error)) from error


def format_of(*formats: str) -> Callable[[FC], FC]:
    """Return the option `--format`; the first format is the default."""
    return click.option(
        "--format",
        "format_",
        type=click.Choice(formats),
        default=formats[0],
        show_default=True,
        help="What is written.",
    )


def window(subject: str) -> Callable[[FC], FC]:
    """Return the options `--from` and `--to` in seconds, as `since` and `until`, for `subject`."""
    since = click.option(
        "--from",
        "since",
        type=click.FloatRange(min=0),
        metavar="SECONDS",
        help=f"{subject} from there on; default is the program's start.",
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
    """Return the window in seconds, or None if neither end is given."""
    if since is None and until is None:
        return None
    return since or 0.0, float("inf") if until is None else until


T = TypeVar("T")

_OPTIONS = (
    output,
    click.option(
        "--top", type=click.IntRange(min=1), metavar="N", help="Only the first N regions."
    ),
    sections,
    everything,
    no_pager,
    color,
)


def several_options(*formats: str) -> Callable[[Callable[..., T]], Callable[..., T]]:
    """Return a decorator with the options; `formats` come on top of text, JSON and HTML."""

    def add(function: Callable[..., T]) -> Callable[..., T]:
        for option in reversed((format_of("text", "json", "html", *formats), *_OPTIONS)):
            function = option(function)
        return function

    return add
