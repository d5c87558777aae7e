"""`pomp-clang analyze`: which inefficiencies a trace has, and what they cost."""

from __future__ import annotations

import click

from pomp_clang.cli import options


@click.command(name="analyze")
@click.argument("directories", metavar="[DIR]...", nargs=-1)
@options.format_of("text", "json", "html")
@options.output
@click.option(
    "--properties",
    metavar="FILE.py",
    help="Your own properties besides ours (docs/how-to/own-property.md).",
)
@click.option("--against", metavar="DIR", help="Show what became of the causes since that run.")
@click.option("--only", metavar="PROPERTY", help="This property and its parts alone.")
@click.option(
    "--at", metavar="FILE:LINE", help="A place and what is below it; a FILE or a NAME will do."
)
@click.option("--thread", metavar="N", help="One thread; P.N is thread N of process P.")
@click.option("--save", "saved", metavar="FILE", help="Write what is shown as a cube, for analyze.")
@click.option(
    "--top",
    type=click.IntRange(min=1),
    default=10,
    show_default=True,
    metavar="N",
    help="Only the worst N causes.",
)
@click.option(
    "--mpi",
    is_flag=True,
    help="Several processes analyse a job: mpiexec -n 4 pomp-clang analyze --mpi DIR.",
)
@options.color
def command(
    directories: tuple[str, ...],
    format_: str,
    output: str | None,
    properties: str | None,
    against: str | None,
    only: str | None,
    at: str | None,
    thread: str | None,
    saved: str | None,
    top: int,
    mpi: bool,
    color: str,
) -> None:
    """Show which inefficiencies a run has, where they are and what they cost.

    DIR is what a run with POMP_TRACE=1 left behind, or a cube that was saved; without it, the
    newest experiment here.  Several are the processes of one program.
    """
    from pomp_clang.progress import Bar

    # What is imported takes its time, too, on a busy machine.
    with Bar("analysis") as bar:
        from pomp_clang.causes.produce import Request, produce
        from pomp_clang.causes.select import Selection
        from pomp_clang.report.deliver import ReportError

        request = Request(
            directories, format_, output, color, properties, top, against,
            Selection(only, at, thread), saved, mpi,
        )  # fmt: skip
        try:
            produce(request, bar)
        except ReportError as error:
            raise click.ClickException(str(error)) from error
