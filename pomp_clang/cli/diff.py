"""`pomp-clang diff`: two runs compared, region by region."""

from __future__ import annotations

import click

from pomp_clang.cli import options
from pomp_clang.cli.options import several_options

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
    sections: tuple[str, ...],
    everything: bool,
    color: str,
) -> int:
    """Show how the run B differs from the run A, region by region.

    A and B are what the runs left behind.
    """
    from pomp_clang.analysis.comparison.conditions import ConditionError, parse
    from pomp_clang.report.write_comparison import ComparisonRequest, write_comparison

    conditions = []
    for text in fail_on:
        try:
            conditions.append((text, parse(text)))
        except ConditionError as error:
            raise click.UsageError(f"--fail-on '{text}': {error}") from error
    request = ComparisonRequest(
        (a, b), format_, output, color, sort, top, tuple(conditions), root,
        sections, everything,
    )  # fmt: skip
    if sections and format_ != "text":
        raise click.UsageError("--section is for text")
    with options.failures():
        result = write_comparison(request)
    for line in result:
        click.echo(f"pomp-clang: {line}", err=True)
    return FAILED if result else 0
