"""`pomp-clang analyze`: which inefficiencies a trace has, and what they cost."""

from __future__ import annotations

import gc

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
    metavar="N",
    help="Only the worst N causes; text has 5 on its first screen, other formats 10.",
)
@options.sections
@options.everything
@options.no_pager
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
    top: int | None,
    sections: tuple[str, ...],
    everything: bool,
    mpi: bool,
    color: str,
) -> None:
    """Show which inefficiencies a run has, where they are and what they cost.

    DIR is what a run with POMP_TRACE=1 left behind, or a cube that was saved; without it, the
    newest experiment here.  Several are the processes of one program.
    """
    from pomp_clang.progress import Bar

    if sections and (format_ != "text" or against is not None):
        raise click.UsageError("--section is for the text of one run")

    # Objects that refer to each other are few here, and a search for them visits all.
    gc.disable()
    # Imports take time, too, on a busy machine.
    with Bar("analysis") as bar:
        from pomp_clang.causes.cube.algebra import Selection
        from pomp_clang.report.causes_report import AnalyzeRequest, write_causes

        request = AnalyzeRequest(
            directories, format_, output, color, properties, top, against,
            Selection(only, at, thread), saved, mpi,
            sections, everything,
        )  # fmt: skip
        with options.failures():
            write_causes(request, bar)
