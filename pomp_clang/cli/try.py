# ruff: noqa: N999 (the module has the name of the verb)
"""`pomp-clang try`: a program's loop with several schedules, predicted beside measured."""

from __future__ import annotations

import click

from pomp_clang.analysis.schedules.schedule import Schedule, of_clauses
from pomp_clang.cli import options


class _ScheduleType(click.ParamType):  # type: ignore[type-arg]
    name = "schedule"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> Schedule:
        text = str(value)
        schedule = of_clauses(f"schedule({text})")
        if schedule is None or schedule.chunk == 0:
            self.fail(f"'{text}' is no schedule; write static, dynamic,16 or guided,4", param, ctx)
        return schedule


@click.command(name="try")
@click.argument("directory", metavar="EXPERIMENT")
@click.argument("program", metavar="COMMAND...", nargs=-1, required=True, type=click.UNPROCESSED)
@click.option("--region", metavar="ID", help="The loop; default is the one with most to gain.")
@click.option(
    "--schedule",
    "schedules",
    type=_ScheduleType(),
    multiple=True,
    metavar="KIND[,CHUNK]",
    help="A schedule to try; may be given several times. Default: the best predicted ones.",
)
@click.option(
    "--number",
    type=click.IntRange(min=1),
    default=6,
    show_default=True,
    metavar="N",
    help="How many schedules are tried.",
)
@click.option(
    "--repeats",
    type=click.IntRange(min=1),
    default=3,
    show_default=True,
    metavar="N",
    help="Runs with each schedule.",
)
@options.format_of("text", "json")
@options.color
def command(
    directory: str,
    program: tuple[str, ...],
    region: str | None,
    schedules: tuple[Schedule, ...],
    number: int,
    repeats: int,
    format_: str,
    color: str,
) -> None:
    """Run a program with several schedules of a loop, and show predicted beside measured times.

    EXPERIMENT is a run with recorded iterations. COMMAND, after `--`, starts a program whose loop
    is schedule(runtime).
    """
    from pomp_clang.report.output import ReportError
    from pomp_clang.report.schedule_trials import TrialRequest, write_trial

    request = TrialRequest(directory, program, region, schedules, number, repeats, format_, color)
    try:
        write_trial(request)
    except ReportError as error:
        raise click.ClickException(str(error)) from error
