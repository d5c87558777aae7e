"""`pomp-clang analyze`: which inefficiencies a trace has, and what they cost."""

from __future__ import annotations

import click


@click.command(name="analyze")
@click.argument("directory", metavar="[DIR]", required=False)
@click.option(
    "--format",
    "format_",
    type=click.Choice(["text", "json"]),
    default="text",
    show_default=True,
    help="What is written.",
)
@click.option("-o", "--output", metavar="FILE", help="Write to FILE, not to standard output.")
@click.option(
    "--properties", metavar="FILE.py", help="Your own properties besides (docs/analysis.md)."
)
@click.option("--against", metavar="DIR", help="Show what became of the causes since that run.")
@click.option(
    "--top", type=click.IntRange(min=1), default=10, show_default=True, metavar="N", help="Causes."
)
@click.option(
    "--color",
    type=click.Choice(["auto", "always", "never"]),
    default="auto",
    show_default=True,
    help="Colours in text; auto is on a terminal unless NO_COLOR is set.",
)
def command(
    directory: str | None,
    format_: str,
    output: str | None,
    properties: str | None,
    against: str | None,
    top: int,
    color: str,
) -> None:
    """Show which inefficiencies a run has, where they are and what they cost.

    DIR is what a run with POMP_TRACE=1 left behind; without it, the newest experiment here.
    """
    from pomp_clang.causes.produce import Request, produce
    from pomp_clang.report.deliver import ReportError

    try:
        produce(Request(directory, format_, output, color, properties, top, against))
    except ReportError as error:
        raise click.ClickException(str(error)) from error
