"""Arguments and errors that the verbs for a source file share."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import click

from pomp_clang.driver import DriverError
from pomp_clang.frontend.unit import Unit, UnitError
from pomp_clang.record import replace
from pomp_clang.selection.selection import ConstructSelection, selection_of_options

_FUNCTIONS = ("auto", "all", "none")
_VALUES = tuple([value] for value in _FUNCTIONS)

_OPTIONS = (
    click.option(
        "--pomp-disable",
        "disable",
        default="",
        metavar="CONSTRUCT,...",
        help="Leave these constructs out (sync: all synchronization).",
    ),
    click.option(
        "--pomp-functions",
        "functions",
        type=click.Choice(_FUNCTIONS),
        default="none",
        help="Measure function bodies, too: those that are worth it, or all.",
    ),
    click.option(
        "--pomp-filter",
        "filter_file",
        metavar="FILE",
        default="",
        help="Rules for what is measured, by name, file and line.",
    ),
)


class _SourceCommand(click.Command):
    """A verb in which a bare --pomp-functions means auto, and does not take the next word."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        separator = args.index("--") if "--" in args else len(args)
        for index, arg in enumerate(args[:separator]):
            if arg == "--pomp-functions" and args[index + 1 : index + 2] not in _VALUES:
                args[index] = "--pomp-functions=auto"
        return super().parse_args(ctx, args)


def source_command(name: str) -> Callable[[Callable[..., int]], click.Command]:
    """Make a verb `NAME SOURCE [options] [-- COMPILER ...]`."""

    def wrap(function: Callable[..., int]) -> click.Command:
        for option in _OPTIONS:
            function = option(function)
        compiler = click.argument("compiler", nargs=-1, type=click.UNPROCESSED)
        source = click.argument("source")
        return click.command(name, cls=_SourceCommand)(source(compiler(function)))

    return wrap


@contextmanager
def unit_for(
    source: str,
    compiler: tuple[str, ...],
    disable: str,
    functions: str,
    filter_file: str,
    barriers: str = "arrival",
    included: str = "each",
) -> Iterator[tuple[Unit, ConstructSelection]]:
    """Yield the unit of a source file under a compiler command, and the choice to measure.

    Errors in the block become a `click.ClickException` with one line.
    """
    from pomp_clang.driver.unit.named_source import others_of, unit_of
    from pomp_clang.driver.unit.option_mapping import with_estimates

    unit = None
    try:
        choice = _choice(disable, functions, filter_file)
        functions_found, iterations = choice.finds_functions, choice.records_iterations
        unit = unit_of(source, list(compiler), barriers, functions_found, iterations)
        unit = replace(unit, each_inclusion=included == "each")
        units = [unit]
        if functions == "auto":
            # Functions of one command's sources are judged together.
            units += [unit_of(other, list(compiler)) for other in others_of(source, list(compiler))]
        yield unit, with_estimates(choice, units, functions)
    except DriverError as error:
        raise click.ClickException(str(error)) from None
    except UnitError as error:
        from pomp_clang.driver.compiler.builtin_headers import INSTALL, lack_builtins

        lacks = unit is not None and lack_builtins(unit.arguments)
        remedy = f"; for clang's builtin headers {INSTALL}" if lacks else ""
        raise click.ClickException(f"{source}:{error.line}: {error}{remedy}") from None
    except ValueError as error:
        raise click.UsageError(str(error)) from None
    except OSError as error:
        raise click.ClickException(f"{source}: {error.strerror}") from None


def _choice(disable: str, functions: str, filter_file: str) -> ConstructSelection:
    try:
        return selection_of_options(disable, functions, filter_file)
    except OSError as error:
        raise click.UsageError(f"--pomp-filter: {filter_file}: {error.strerror}") from None
