"""`pomp-clang history`: what regions cost over many runs, and where that changed."""

from __future__ import annotations

import click

from pomp_clang.cli import options
from pomp_clang.cli.options import several_options


@click.command(name="history")
@click.argument("directories", metavar="DIR DIR...", nargs=-1, required=True)
@click.option(
    "--by",
    "cost",
    type=click.Choice(["execT", "overhead"]),
    default="execT",
    show_default=True,
    help="Cost of a region: its time, or what it loses itself.",
)
@click.option(
    "--region",
    "regions",
    multiple=True,
    metavar="TEXT",
    help="Only regions with TEXT in id, kind, name, function or place; can be given several times.",
)
@click.option(
    "--order",
    type=click.Choice(["start", "given"]),
    default="start",
    show_default=True,
    help="Order of the runs: by their start, or as they are named.",
)
@several_options("csv", "markdown")
def command(
    directories: tuple[str, ...],
    cost: str,
    regions: tuple[str, ...],
    order: str,
    format_: str,
    output: str | None,
    top: int | None,
    sections: tuple[str, ...],
    everything: bool,
    color: str,
) -> None:
    """Show what each region cost over many runs, the costliest first, and where that changed.

    Each DIR is what a run left behind.
    """
    from pomp_clang.report.write_comparison import HistoryRequest, write_history

    if len(directories) < 2:
        raise click.UsageError("at least two experiments are needed")
    if sections and format_ != "text":
        raise click.UsageError("--section is for text")
    request = HistoryRequest(
        directories, format_, output, color, top, cost, regions, order, sections, everything
    )
    with options.failures():
        write_history(request)
