"""`pomp-clang trace`: the events of a run."""

from __future__ import annotations

import click

from pomp_clang.cli import options


@click.command(name="trace")
@click.argument("directory", metavar="[DIR]", required=False)
@click.option(
    "--location",
    "locations",
    type=int,
    multiple=True,
    metavar="N",
    help="Only this location; may be given several times.",
)
@click.option(
    "--head", type=click.IntRange(min=0), metavar="N", help="The first N events of each location."
)
@options.window("Only events")
def command(
    directory: str | None,
    locations: tuple[int, ...],
    head: int | None,
    since: float | None,
    until: float | None,
) -> None:
    """Show the events that a run recorded, location by location.

    DIR is the experiment of a run with POMP_TRACE=1, of one process or of an MPI job, or an
    OTF2 archive. Without DIR, it is the newest experiment here.
    """
    import sys
    from functools import partial

    from pomp_clang.experiment import ExperimentError
    from pomp_clang.progress import Bar

    is_seen = sys.stdout.isatty()
    # Imports take time, too, on a busy machine.
    with Bar("trace") as bar:
        from pomp_clang.experiment.find import find, processes
        from pomp_clang.trace.mpi import text as job
        from pomp_clang.trace.otf2.archive import processes_of
        from pomp_clang.trace.reader import read
        from pomp_clang.trace.text import EventSelection, listing

        try:
            experiment = find(directory)
            selection = EventSelection(locations, head, options.window_of(since, until))
            of_job = bool(processes(experiment)) or bool(processes_of(experiment))
            progress = partial(bar, "trace")
            text = (
                job.listing(experiment, selection, progress)
                if of_job
                else listing(read(experiment), selection, progress)
            )
            for piece in text:
                if is_seen:
                    bar.end()
                click.echo(piece)
        except ExperimentError as error:
            raise click.ClickException(str(error)) from error
