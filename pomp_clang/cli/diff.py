"""`pomp-clang diff`: two runs compared, region by region."""

from __future__ import annotations

import os

import click

from pomp_clang.cli import options
from pomp_clang.cli.options import several_options

FAILED = 3
"""The exit status where a condition of --fail-on holds."""


_SIDES = "\0--"
"""Stands for `--` among the arguments: click itself drops it."""


class _SidesCommand(click.Command):
    """A command to which `--` separates the runs of two sides; options may stand after it."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        return super().parse_args(ctx, [_SIDES if arg == "--" else arg for arg in args])


def _sides(runs: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the runs of A and of B."""
    if runs.count(_SIDES) == 1:
        middle = runs.index(_SIDES)
        first, second = runs[:middle], runs[middle + 1 :]
        if first and second:
            _check_repetitions(first)
            _check_repetitions(second)
            return first, second
        runs = first or second
    if len(runs) == 2 and _SIDES not in runs:
        return runs[:1], runs[1:]
    raise click.UsageError("name two runs, as in A B, or two sides, as in A1 A2 A3 -- B1 B2 B3")


def _check_repetitions(runs: tuple[str, ...]) -> None:
    """Raise UsageError if a run is named twice: it would count as agreement."""
    places = set()
    for run in runs:
        place = os.path.realpath(run)
        if place in places:
            raise click.UsageError(f"{run} is named twice: each repetition is a run of its own")
        places.add(place)


@click.command(name="diff", cls=_SidesCommand)
@click.argument("runs", metavar="A... [--] B...", nargs=-1, required=True)
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
    runs: tuple[str, ...],
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

    A and B are what the runs left behind.  `A1 A2 A3 -- B1 B2 B3` are repetitions: a change counts
    if it is beyond their noise.
    """
    from pomp_clang.analysis.comparison.conditions import ConditionError, parse
    from pomp_clang.report.write_comparison import ComparisonRequest, write_comparison

    conditions = []
    for text in fail_on:
        try:
            conditions.append((text, parse(text)))
        except ConditionError as error:
            raise click.UsageError(f"--fail-on '{text}': {error}") from error
    a, b = _sides(runs)
    request = ComparisonRequest(
        (*a, *b), format_, output, color, sort, top, tuple(conditions), root,
        sections, everything, len(a),
    )  # fmt: skip
    if sections and format_ != "text":
        raise click.UsageError("--section is for text")
    with options.failures():
        result = write_comparison(request)
    for line in result:
        click.echo(f"pomp-clang: {line}", err=True)
    return FAILED if result else 0
