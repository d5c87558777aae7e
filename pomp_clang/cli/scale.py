"""`pomp-clang scale`: runs with different numbers of threads, side by side."""

from __future__ import annotations

import click

from pomp_clang.cli import options
from pomp_clang.cli.options import several_options


@click.command(name="scale")
@click.argument("directories", metavar="DIR DIR...", nargs=-1, required=True)
@several_options()
def command(
    directories: tuple[str, ...],
    format_: str,
    output: str | None,
    top: int | None,
    sections: tuple[str, ...],
    everything: bool,
    color: str,
) -> None:
    """Show speed-up, efficiency and overheads over the number of threads.

    Each DIR is what a run left behind; they come in the order of their threads.
    """
    from pomp_clang.report.write_comparison import ComparisonRequest, write_scaling

    if len(directories) < 2:
        raise click.UsageError("at least two experiments are needed")
    if sections and format_ != "text":
        raise click.UsageError("--section is for text")
    request = ComparisonRequest(
        directories, format_, output, color, None, top, sections=sections, everything=everything
    )
    with options.failures():
        write_scaling(request)
