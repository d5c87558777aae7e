"""pomp-clang rewrite: the instrumented text of a source file."""

from __future__ import annotations

import sys

import click

from pomp_clang.cli.source import source_command, unit_for
from pomp_clang.rewrite.instrument import instrument
from pomp_clang.selection.disable import parse_disabled


@source_command("rewrite")
@click.option("-o", "output", metavar="FILE", default="-", help="Write the text to FILE.")
def command(source: str, compiler: tuple[str, ...], disable: str, output: str) -> int:
    """Print SOURCE with the calls of the POMP API."""
    with unit_for(source, compiler) as unit:
        made = instrument(unit, parse_disabled(disable))
        text = (unit.text if made.text is None else made.text).encode("latin-1")
    for note in made.notes:
        click.echo(str(note), err=True)
    if output == "-":
        sys.stdout.buffer.write(text)
        return 0
    try:
        with open(output, "wb") as file:
            file.write(text)
    except OSError as error:
        raise click.ClickException(f"{output}: {error.strerror}") from None
    return 0
