"""`pomp-clang doctor`: the compilers and libraries of this machine, and the environment variables
of a run, from the table that the runtime is built with."""

from __future__ import annotations

import re
from dataclasses import dataclass

import click

from pomp_clang.driver.command.settings import OPTIONS
from pomp_clang.driver.doctor import MISSING, OK, examine
from pomp_clang.experiment import ExperimentError
from pomp_clang.installed_files import installed_files

_COLOURS = {OK: "green", MISSING: "red"}


@click.command("doctor")
@click.option("--settings", is_flag=True, help="List the environment variables and options.")
def command(settings: bool) -> int:
    """Show the tools and libraries found on this machine, and the missing ones."""
    if settings:
        return _settings()
    findings = examine()
    width = max(len(f.name) for f in findings)
    for finding in findings:
        state = click.style(f"{finding.state:8}", fg=_COLOURS.get(finding.state))
        click.echo(f"{state}  {finding.name:{width}}  {finding.advice}".rstrip())
    return 1 if any(f.state == MISSING for f in findings) else 0


def _settings() -> int:
    """List every POMP_ variable with its default, and our options."""
    try:
        rows = read_settings()
    except ExperimentError as error:
        raise click.ClickException(str(error)) from None
    click.echo("environment of a run")
    width = max(len(row.name) for row in rows)
    for row in rows:
        default = f" (default {row.default})" if row.default else ""
        click.echo(f"  {row.name:{width}}  {row.effect}{default}")
    click.echo("options before `--`, or in POMP_FLAGS")
    names = [name + (f"={value}" if value else "") for name, value, _ in OPTIONS]
    for name, (_, _, does) in zip(names, OPTIONS, strict=True):
        click.echo(f"  {name:{max(map(len, names))}}  {does}")
    return 0


_ROW = re.compile(r'^SETTING\((\w+), (\w+), "([^"]*)", "([^"]*)"\)$', re.M)


@dataclass(frozen=True, slots=True)
class Setting:
    """An environment variable, its default ("" if there is none), and its effect."""

    name: str
    default: str
    effect: str


def read_settings() -> list[Setting]:
    """Return the rows of settings.def. Raises `ExperimentError` if the runtime is not installed."""
    for path in installed_files("runtime", "share", "settings.def"):
        with open(path, encoding="utf-8") as file:
            rows = _ROW.findall(file.read())
        return [Setting(name, default, effect) for name, _, default, effect in rows]
    raise ExperimentError("the runtime library is missing; reinstall pomp-clang")
