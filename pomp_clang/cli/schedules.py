"""`pomp-clang schedules`: the times of loops under other schedules."""

from __future__ import annotations

import click

from pomp_clang.cli import options


class _ThreadNumbers(click.ParamType):  # type: ignore[type-arg]
    name = "numbers"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[int, ...]:
        numbers = str(value).split(",")
        if not all(word.isdecimal() and 0 < int(word) <= 4096 for word in numbers):
            self.fail(f"'{value}' are no numbers of threads; write 2,4,8", param, ctx)
        return tuple(map(int, numbers))


@click.command(name="schedules")
@click.argument("directory", metavar="[DIR]", required=False)
@click.option("--filter", "filter_", metavar="FILE", help="Write a filter that records the loops.")
@click.option(
    "--runtime-schedule",
    is_flag=True,
    help="The filter lets OMP_SCHEDULE choose the loops' schedule, too.",
)
@click.option(
    "--threads",
    type=_ThreadNumbers(),
    metavar="N,...",
    help="Predict for these numbers of threads, too.",
)
@options.format_of("text", "json")
@options.output
@click.option(
    "--top",
    type=click.IntRange(min=1),
    default=5,
    show_default=True,
    metavar="N",
    help="The first N loops.",
)
@click.option("--all", "everything", is_flag=True, help="Text shows all schedules that were tried.")
@options.color
def command(
    directory: str | None,
    filter_: str | None,
    runtime_schedule: bool,
    threads: tuple[int, ...] | None,
    format_: str,
    output: str | None,
    top: int,
    everything: bool,
    color: str,
) -> None:
    """Predict the times of loops under other schedules.

    DIR is what a run left behind whose build recorded iterations; without it, the newest experiment
    here. With --filter, DIR is any run.
    """
    from pomp_clang.report.output import ReportError
    from pomp_clang.report.schedule_predictions import SchedulesRequest, write_schedules

    if runtime_schedule and filter_ is None:
        raise click.UsageError("--runtime-schedule is for --filter FILE")
    request = SchedulesRequest(
        directory, filter_, runtime_schedule, threads or (), format_, output, top, everything, color
    )
    try:
        write_schedules(request)
    except ReportError as error:
        raise click.ClickException(str(error)) from error
