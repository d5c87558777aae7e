"""`pomp-clang diff`: two runs compared, region by region."""

from __future__ import annotations

import click

from pomp_clang.cli.several import several_options

FAILED = 3
"""The exit status where a condition of --fail-on holds."""


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
@click.option(
    "--fail-on",
    multiple=True,
    metavar="CONDITION",
    help="Exit with 3 where it holds, as in 'imbalance > 5%' or 'execT > 20% and execT > 0.1s'.",
)
@click.option(
    "--root", default=".", metavar="DIR", help="Folder that SARIF names sources from (default: .)."
)
@several_options("markdown", "sarif")
def command(
    a: str,
    b: str,
    sort: str,
    fail_on: tuple[str, ...],
    root: str,
    format_: str,
    output: str | None,
    top: int | None,
    color: str,
) -> int:
    """Show how the run B differs from the run A, region by region.

    A and B are what the runs left behind.
    """
    from pomp_clang.analysis.conditions import ConditionError, parse
    from pomp_clang.report.several import ReportError, Request, produce_diff

    conditions = []
    for text in fail_on:
        try:
            conditions.append((text, parse(text)))
        except ConditionError as error:
            raise click.UsageError(f"--fail-on '{text}': {error}") from error
    request = Request((a, b), format_, output, color, sort, top, tuple(conditions), root)
    try:
        said = produce_diff(request)
    except ReportError as error:
        raise click.ClickException(str(error)) from error
    for line in said:
        click.echo(f"pomp-clang: {line}", err=True)
    return FAILED if said else 0
