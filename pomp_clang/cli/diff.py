"""`pomp-clang diff`: two runs compared, region by region."""

from __future__ import annotations

import click

from pomp_clang.cli.several import several_options


@click.command(name="diff")
@click.argument("a", metavar="A")
@click.argument("b", metavar="B")
@click.option(
    "--sort",
    type=click.Choice(["execT", "overhead", "count", "place"]),
    default="execT",
    show_default=True,
    help="Order of the regions: the largest change of execT, of lost time, of execC; or place.",
)
@several_options
def command(
    a: str, b: str, sort: str, format_: str, output: str | None, top: int | None, color: str
) -> None:
    """Show how the run B differs from the run A, region by region.

    A and B are what the runs left behind.
    """
    from pomp_clang.report.several import ReportError, Request, produce_diff

    try:
        produce_diff(Request((a, b), format_, output, color, sort, top))
    except ReportError as error:
        raise click.ClickException(str(error)) from error
