"""pomp-clang rewrite: the instrumented text of a source file."""

from __future__ import annotations

import os
import sys

import click

from pomp_clang.cli.source import source_command, unit_for
from pomp_clang.frontend.source import bytes_of
from pomp_clang.frontend.unit import Instrumented
from pomp_clang.rewrite.instrument import instrument


@source_command("rewrite")
@click.option("-o", "output", metavar="FILE", default="-", help="Write the text to FILE.")
@click.option("--header", metavar="FILE", default="", help="The text of a header it includes.")
@click.option(
    "--pomp-barriers",
    "barriers",
    type=click.Choice(["arrival", "explicit", "ompt"]),
    default="arrival",
    help="How implied barriers are measured.",
)
@click.option(
    "--pomp-included",
    "included",
    type=click.Choice(["each", "once"]),
    default="each",
    help="Regions of a header that is included within functions.",
)
def command(
    source: str,
    compiler: tuple[str, ...],
    output: str,
    header: str,
    barriers: str,
    included: str,
    **chosen: str,
) -> int:
    """Print SOURCE with the calls of the POMP API."""
    with unit_for(source, compiler, **chosen, barriers=barriers, included=included) as (
        unit,
        choice,
    ):
        instrumented = instrument(unit, choice)
        if header:
            text = bytes_of(_text_of(instrumented, header))
        else:
            text = bytes_of(unit.text if instrumented.text is None else instrumented.text)
    for note in instrumented.notes:
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


def _text_of(instrumented: Instrumented, header: str) -> str:
    path = os.path.realpath(header)
    for copy in instrumented.headers:
        if copy.changed and os.path.realpath(copy.path) == path:
            return copy.text
    raise click.ClickException(f"{header}: no header with an instrumented construct in this unit")
