"""The verbs `list`, `rewrite`, `report`, ...; each is imported when it runs."""

from __future__ import annotations

import gc
import importlib
import sys

import click

from pomp_clang.cli import VERBS


class _Verbs(click.Group):
    """A group whose commands are modules of this package, one a file."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(VERBS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in VERBS:
            return None
        command = importlib.import_module(f"pomp_clang.cli.{cmd_name}").command
        assert isinstance(command, click.Command)
        return command


@click.group(
    cls=_Verbs,
    help="Exact performance measurement for OpenMP programs.",
    context_settings={"help_option_names": ["-h", "--help"]},
)
def _group() -> None:
    """Run a verb."""


def main(args: list[str]) -> int:
    """Run a verb and return its status; an error of usage is one line on stderr and status 2."""
    try:
        result = _group.main(args, prog_name="pomp-clang", standalone_mode=False)
        # The interpreter's end would search all objects for cycles.
        gc.freeze()
        if not sys.stdout.closed:
            sys.stdout.flush()
    except click.exceptions.Abort:
        return 130
    except click.UsageError as error:
        print(f"pomp-clang: {error.format_message()}", file=sys.stderr)
        return 2
    except click.ClickException as error:
        print(f"pomp-clang: {error.format_message()}", file=sys.stderr)
        return error.exit_code
    except ModuleNotFoundError as error:
        print(
            f"pomp-clang: cannot run: the Python package {error.name} is not installed; "
            "install pomp-clang again with the packages it depends on",
            file=sys.stderr,
        )
        return 1
    except OSError as error:
        # Without a file name it is standard output.
        if error.filename is not None:
            raise
        return _report_unwritten(error)
    return result if isinstance(result, int) else 0


def _report_unwritten(error: OSError) -> int:
    """Report that standard output is incomplete; a closed pipe (`| head`) is no error."""
    from pomp_clang.report.output import forget_unwritten

    forget_unwritten()
    if isinstance(error, BrokenPipeError):
        return 0
    print(f"pomp-clang: cannot write standard output: {error.strerror}", file=sys.stderr)
    return 1
