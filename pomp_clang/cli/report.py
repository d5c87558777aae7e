"""`pomp-clang report`: the profile of a run."""

from __future__ import annotations

import click

from pomp_clang.cli import options


@click.command(name="report")
@click.argument("directory", metavar="[DIR]", required=False)
@options.format_of("text", "json", "csv", "html", "svg", "png")
@options.output
@click.option(
    "--sort",
    type=click.Choice(["execT", "overhead", "count", "place", "kind", "id"]),
    help="Order of the regions; text has the largest execT first, json and csv the id.",
)
@click.option(
    "--top",
    type=click.IntRange(min=1),
    metavar="N",
    help="Only the first N findings, regions and call paths.",
)
@options.sections
@options.no_pager
@options.color
@click.option(
    "--threads",
    type=click.Choice(["auto", "all"]),
    default="auto",
    show_default=True,
    help="A row for every thread, or min, mean and max when there are more than 16.",
)
@click.option(
    "--all",
    "everything",
    is_flag=True,
    help="Text has all sections, and leaves nothing out.",
)
@click.option(
    "--source/--no-source", "sources", default=True, help="Source text in html; default is with it."
)
@click.option(
    "--subtract-overhead",
    "subtract",
    is_flag=True,
    help="Take out of the times what the measurement itself cost, as it is estimated.",
)
@click.option(
    "--properties",
    metavar="FILE.py",
    help="Your own properties besides ours, for the causes in html.",
)
@click.option(
    "--chart",
    type=click.Choice(["radar", "pies"]),
    default="radar",
    show_default=True,
    help="What svg and png show: times of regions over processes, or their overheads.",
)
@options.window("The time line in html has each event")
def command(
    directory: str | None,
    format_: str,
    output: str | None,
    sort: str | None,
    top: int | None,
    sections: tuple[str, ...],
    color: str,
    threads: str,
    everything: bool,
    sources: bool,
    subtract: bool,
    properties: str | None,
    chart: str,
    since: float | None,
    until: float | None,
) -> None:
    """Show where the threads' time went, for every construct.

    DIR is what a run left behind; without it, the newest experiment here.
    """
    from pomp_clang.report.options import Options
    from pomp_clang.report.write_report import ReportRequest, write_report

    if format_ != "html" and (since is not None or until is not None):
        raise click.UsageError("--from and --to are for the time line: add --format html")
    if sections and format_ not in ("text", "json", "csv"):
        raise click.UsageError(f"--section is for text, json and csv, not for {format_}")
    report_options = Options(
        sort=sort,
        top=top,
        threads="all" if everything else threads,
        sources=sources,
        subtract=subtract,
        everything=everything,
        properties=properties,
        window=options.window_of(since, until),
        chart=chart,
        sections=sections,
    )
    with options.failures():
        write_report(ReportRequest(directory, format_, output, color, report_options))
