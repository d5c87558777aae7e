"""`pomp-clang score`: a forecast of the overhead, and a filter that meets a budget."""

from __future__ import annotations

import click

from pomp_clang.cli import options


class _BudgetType(click.ParamType):  # type: ignore[type-arg]
    name = "share"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        try:
            share = float(str(value).removesuffix("%")) / 100
        except ValueError:
            self.fail(f"'{value}' is no share; write 3%", param, ctx)
        if not 0 <= share < 1e6:
            self.fail(f"'{value}' is no share; write 3%", param, ctx)
        return share


_ROWS = 25
"""The rows of text: with the forecast below, they fill one screen."""


@click.command(name="score")
@click.argument("directory", metavar="[DIR]", required=False)
@click.option(
    "--budget", type=_BudgetType(), metavar="3%", help="Leave out what costs more than this."
)
@click.option(
    "--duration",
    type=click.FloatRange(min=0, min_open=True),
    metavar="SECONDS",
    help="What the program takes without measurement, if that is known.",
)
@click.option("--pomp-filter", "rules", metavar="FILE", help="Forecast what this filter leaves.")
@click.option("-o", "--output", metavar="FILE", help="Write the filter of the selection to FILE.")
@options.format_of("text", "json")
@click.option(
    "--top",
    type=click.IntRange(min=1),
    metavar="N",
    help="The first N rows; text has 25 unless it has all.",
)
@click.option("--all", "everything", is_flag=True, help="Text has all rows.")
@options.no_pager
@options.color
def command(
    directory: str | None,
    budget: float | None,
    duration: float | None,
    rules: str | None,
    output: str | None,
    format_: str,
    top: int | None,
    everything: bool,
    color: str,
) -> None:
    """Forecast what measuring costs, and write the filter that meets a budget.

    DIR is what a run left behind, best one with --pomp-functions; without it, the newest
    experiment here.
    """
    from pomp_clang.report.output import ReportError
    from pomp_clang.score.write_score import ScoreRequest, UnscorableError, write_score

    rows = top if top is not None or everything else _ROWS
    try:
        request = ScoreRequest(
            directory, budget, duration, rules or "", output, format_, rows, color
        )
        write_score(request)
    except (ReportError, UnscorableError) as error:
        raise click.ClickException(str(error)) from error
    except ValueError as error:
        raise click.UsageError(str(error)) from None
    except OSError as error:
        raise click.UsageError(f"--pomp-filter: {rules}: {error.strerror}") from None
