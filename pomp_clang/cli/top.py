"""`pomp-clang top`: a running program."""

from __future__ import annotations

import click

from pomp_clang.cli import options


@click.command(name="top")
@click.argument("program", metavar="[DIR|PID]", required=False)
@click.option(
    "--interval",
    type=click.FloatRange(min=0.1),
    default=1.0,
    show_default=True,
    metavar="SECONDS",
    help="Time between two screens.",
)
@click.option(
    "--count",
    type=click.IntRange(min=1),
    metavar="N",
    help="Stop after N screens; default is the program's end.",
)
@click.option(
    "--top",
    type=click.IntRange(min=1),
    metavar="N",
    help="Only the first N regions; default is as many as the terminal has lines for.",
)
@options.color
def command(
    program: str | None, interval: float, count: int | None, top: int | None, color: str
) -> None:
    """Show where the threads' time goes while the program runs.

    DIR is the experiment of a program or of an MPI job that runs, PID a process; without both, the
    newest experiment here.
    """
    from pomp_clang.report.watch_program import ReportError, WatchRequest, watch

    try:
        watch(WatchRequest(program, interval, count, top, color))
    except ReportError as error:
        raise click.ClickException(str(error)) from error
    except KeyboardInterrupt:
        return
