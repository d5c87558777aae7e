"""`pomp-clang scale`: runs with different numbers of threads, side by side."""

from __future__ import annotations

import click

from pomp_clang.cli.several import several_options


@click.command(name="scale")
@click.argument("directories", metavar="DIR DIR...", nargs=-1, required=True)
@several_options()
def command(
    directories: tuple[str, ...],
    format_: str,
    output: str | None,
    top: int | None,
    color: str,
) -> None:
    """Show speed-up, efficiency and overheads over the number of threads.

    Each DIR is what a run left behind; they come in the order of their threads.
    """
    from pomp_clang.report.several import ReportError, Request, produce_scale

    if len(directories) < 2:
        raise click.UsageError("at least two experiments are needed")
    try:
        produce_scale(Request(directories, format_, output, color, None, top))
    except ReportError as error:
        raise click.ClickException(str(error)) from error
