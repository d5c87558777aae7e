"""What the verbs that read a source file share: their arguments, and how they fail."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import click

from pomp_clang.driver.errors import DriverError
from pomp_clang.frontend.tree import UnitError
from pomp_clang.frontend.unit import Unit
from pomp_clang.selection.choice import Choice, choose

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


class _Command(click.Command):
    """A bare --pomp-functions is auto, as it is before a compiler's command, and takes no file
    behind it for its value."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        own = args.index("--") if "--" in args else len(args)
        for index, arg in enumerate(args[:own]):
            if arg == "--pomp-functions" and args[index + 1 : index + 2] not in _VALUES:
                args[index] = "--pomp-functions=auto"
        return super().parse_args(ctx, args)


def source_command(name: str) -> Callable[[Callable[..., int]], click.Command]:
    """A command `NAME SOURCE [options] [-- COMPILER ...]`."""

    def wrap(function: Callable[..., int]) -> click.Command:
        for option in _OPTIONS:
            function = option(function)
        compiler = click.argument("compiler", nargs=-1, type=click.UNPROCESSED)
        source = click.argument("source")
        return click.command(name, cls=_Command)(source(compiler(function)))

    return wrap


@contextmanager
def unit_for(
    source: str,
    compiler: tuple[str, ...],
    disable: str,
    functions: str,
    filter_file: str,
    barriers: str = "explicit",
) -> Iterator[tuple[Unit, Choice]]:
    """The unit of a source file under a compiler command, for as long as it is read, and what
    is to be measured in it.

    Raises `click.ClickException` with one line for all that can be wrong with it.
    """
    from pomp_clang.driver.choosing import judging
    from pomp_clang.driver.units import others_of, unit_of

    try:
        choice = _choice(disable, functions, filter_file)
        unit = unit_of(source, list(compiler), barriers, choice.finds_functions)
        units = [unit]
        if functions == "auto":
            # Those of one command are judged together.
            units += [unit_of(other, list(compiler)) for other in others_of(source, list(compiler))]
        yield unit, judging(choice, units, functions)
    except DriverError as error:
        raise click.ClickException(str(error)) from None
    except UnitError as error:
        raise click.ClickException(f"{source}:{error.line}: {error}") from None
    except ValueError as error:
        raise click.UsageError(str(error)) from None
    except OSError as error:
        raise click.ClickException(f"{source}: {error.strerror}") from None


def _choice(disable: str, functions: str, filter_file: str) -> Choice:
    try:
        return choose(disable, functions, filter_file)
    except OSError as error:
        raise click.UsageError(f"--pomp-filter: {filter_file}: {error.strerror}") from None
