"""pomp-clang list: every construct of a source file."""

from __future__ import annotations

import json

import click

from pomp_clang.cli.source import source_command, unit_for
from pomp_clang.report.constructs import as_json, as_text
from pomp_clang.rewrite.instrument import language_named
from pomp_clang.selection.plan import plan


@source_command("list")
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json"]),
    default="text",
    show_default=True,
    help="What is written.",
)
def command(source: str, compiler: tuple[str, ...], form: str, **chosen: str) -> int:
    """Show every OpenMP construct and function of SOURCE with its extent, its clauses and its state."""
    with unit_for(source, compiler, **chosen) as (unit, choice):
        found_constructs = language_named(unit.language).find(unit)
        decided = [plan(constructs, choice) for constructs in found_constructs.files]
    if form == "json":
        click.echo(json.dumps(as_json(decided, found_constructs.notes), indent=2))
        return 0
    click.echo(as_text(decided), nl=False)
    for note in found_constructs.notes:
        click.echo(str(note), err=True)
    return 0
