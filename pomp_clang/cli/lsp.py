"""`pomp-clang lsp`: the language server."""

from __future__ import annotations

import click


@click.command(name="lsp")
@click.option("--check", is_flag=True, help="Say what hinders it, if anything does, and end.")
def command(check: bool) -> None:
    """Serve an editor on standard input and output (Language Server Protocol)."""
    try:
        import pygls  # noqa: F401
    except ImportError:
        message = "the language server needs pygls: install pomp-clang[lsp]"
        raise click.ClickException(message) from None
    if check:
        return
    from pomp_clang.lsp.features import make

    make().start_io()
