"""`pomp-clang export`: a run for other tools."""

from __future__ import annotations

import click

from pomp_clang.export.write_export import FORMATS


def _opened_by() -> str:
    """Return a line for each format, with the program that opens it."""
    width = max(map(len, FORMATS))
    rows = (
        f"{format_.name:{width}}  opened by {format_.opened_by}" for format_ in FORMATS.values()
    )
    return "\b\n" + "\n".join(rows)


@click.command(name="export", epilog=_opened_by())
@click.argument("directory", metavar="[DIR]", required=False)
@click.option(
    "--to", "format_", type=click.Choice(list(FORMATS)), required=True, help="What is written."
)
@click.option(
    "-o", "--output", metavar="OUT", help="Where; default is the experiment's name, here."
)
def command(directory: str | None, format_: str, output: str | None) -> None:
    """Write a run for another tool.

    DIR is what a run left behind; without it, the newest experiment here.
    """
    from pomp_clang.export.write_export import ExportError, ExportRequest, write_export

    try:
        click.echo(write_export(ExportRequest(directory, format_, output)))
    except ExportError as error:
        raise click.ClickException(str(error)) from error
