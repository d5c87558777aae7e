"""`pomp-clang [--pomp-...] -- COMPILER ARGS`: the compiler command.

Most commands of a build have nothing to instrument: this process becomes the compiler at once.
The others go to `driver.instrument_command`. Modules imported here must load fast.
"""

from __future__ import annotations

import os
import sys

from pomp_clang.cli import VERBS
from pomp_clang.driver import DriverError
from pomp_clang.driver.command.classify import CommandLine, classify, is_configure_probe
from pomp_clang.driver.command.other_programs import advice_on
from pomp_clang.driver.command.settings import OFF, OPTIONS, BuildSettings, is_pomp2, read
from pomp_clang.driver.process.programs import become, is_link_to
from pomp_clang.driver.runtime.link import native_command
from pomp_clang.driver.runtime.link_target import links_for_another_target
from pomp_clang.installed_files import installed_files

# Commands that run pomp-clang themselves: they get our options.
ONE_WORD = frozenset(
    ("pomp-cc", "pomp-c++", "pomp-fc", "pomp-mpicc", "pomp-mpicxx", "pomp-mpifort")
)

_COERCED = ("C.UTF-8", "C.utf8", "UTF-8")

USAGE = """\
usage: pomp-clang [--pomp-...] -- COMPILER ARGUMENTS
       pomp-clang VERB ...
       pomp-clang --cmake-dir | --pomp2-libs | --version
       pomp-cc, pomp-c++, pomp-fc, pomp-mpicc, pomp-mpicxx, pomp-mpifort [--pomp-...] ARGUMENTS

Runs the compiler command with its OpenMP constructs instrumented.

verbs:
{verbs}
options, before the `--` or in the environment variable POMP_FLAGS:
"""


def main(args: list[str], is_served: bool = False) -> int:
    """Run the command and return the exit status, or become the compiler.

    `is_served` is true in a process of the server (pomp_clang/driver/server).
    """
    if not is_served:
        _forget_coerced_locale()
    try:
        if not args or args[0] in ("--help", "-h"):
            return _help(bool(args))
        if args[0] == "--version":
            return _version()
        if args[0] == "--cmake-dir":
            return _cmake_dir()
        if args[0] == "--pomp2-libs":
            return _pomp2_libs()
        pomp_options, command = _split(args)
        settings = read(pomp_options)
        line = classify(command)
        status = _run_as_given(line, command, pomp_options)
        if status is not None:
            return status
    except DriverError as error:
        return _say(error)
    if is_served:
        settings.server, settings.commands = "off", ""  # the client has added its command
    return _drive(line, settings, args, pomp_options, is_served)


def _run_as_given(line: CommandLine, command: list[str], pomp_options: list[str]) -> int | None:
    """Run a command that compiles nothing, or is pomp-clang itself; return None for another."""
    if is_configure_probe(line):
        return become(command)
    advice = advice_on(line.words, line.raw_args)
    if advice is not None:
        print(advice, file=sys.stderr, end="\n" if advice else "", flush=True)
        return become(command)
    if line.words and os.path.basename(line.words[-1]) in ONE_WORD:
        return become([*line.words, *pomp_options, *line.raw_args])
    return None


def _forget_coerced_locale() -> None:
    """Remove LC_CTYPE if Python has set it (PEP 538): compilers would change their quotes."""
    if os.environ.get("LC_CTYPE") not in _COERCED:
        return
    try:
        with open("/proc/self/environ", "rb") as file:
            variables = file.read().split(b"\0")
    except OSError:
        return
    if not any(variable.startswith(b"LC_CTYPE=") for variable in variables):
        del os.environ["LC_CTYPE"]


def _drive(
    line: CommandLine,
    settings: BuildSettings,
    args: list[str],
    pomp_options: list[str],
    is_served: bool,
) -> int:
    """Run a command with instrumentation, or without it after any internal error of ours.

    A client has seen to ccache itself.
    """
    command = [*line.words, *line.raw_args]
    if settings.commands and line.compiles and "UNCACHED_ERR_FD" not in os.environ:
        from pomp_clang.driver.command.compile_commands import add_commands

        add_commands(line, settings.commands)
    try:
        line.foreign = line.foreign or links_for_another_target(line)
        chosen = settings.functions != "none" or bool(settings.filter)
        instruments = line.to_instrument or (chosen and line.compiles)
        if not is_served and _may_be_cached(line):
            from pomp_clang.driver.command import ccache

            cached = ccache.with_ccache(line, settings, pomp_options, instruments)
            if cached is not None:
                return become(cached)
        if instruments:
            return _instrument(line, settings, args)
        return _compile_as_given(line, settings)
    except DriverError as error:
        return _say(error)
    except KeyboardInterrupt:
        from pomp_clang.driver.process.signals import die_by

        return die_by(2)
    except Exception as error:
        if os.environ.get("POMP_DEBUG", "").lower() not in OFF:
            raise
        kind = type(error).__name__
        print(
            f"pomp-clang: internal error: {kind}: {' '.join(str(error).split())} "
            "(set POMP_DEBUG=1 for the traceback)",
            file=sys.stderr,
        )
    try:
        return become(command)
    except DriverError as error:
        return _say(error)


def _compile_as_given(line: CommandLine, settings: BuildSettings) -> int:
    if line.links and line.sources:
        from pomp_clang.driver.command.link_notes import say_if_ignored

        say_if_ignored(line)
    elif line.links and line.openmp:
        from pomp_clang.driver.command.link_notes import say_of_objects

        say_of_objects(line)
    if line.links and is_pomp2(settings):
        from pomp_clang.driver.command.link_notes import say_without_event

        say_without_event(line)
    return become(native_command(line, settings))


def _instrument(line: CommandLine, settings: BuildSettings, args: list[str]) -> int:
    """Compile with instrumented texts, by a server's process if there is a server."""
    from pomp_clang.driver.compiler.installed import (
        NO_LIBCLANG,
        expected_libclang,
        has_directive,
    )

    libclang = expected_libclang(line)
    if libclang is None:
        return _end_as(_instrument_here(line, settings))
    if settings.server == "on":
        from pomp_clang.driver.server.client import ask

        status = ask(args, libclang)
        if status is not None:
            return _end_like(status)
    if libclang != NO_LIBCLANG and has_directive(line):
        result = _with_preload(line, settings, libclang)
    else:
        result = _instrument_here(line, settings)
    if settings.server == "on" and (result == 0 or isinstance(result, list)):
        from pomp_clang.driver.server.serve import leave_server

        leave_server(libclang, _serve)
    return _end_as(result)


def _end_as(result: int | list[str]) -> int:
    """Return an exit status, or become a command."""
    return result if isinstance(result, int) else become(result)


def _with_preload(line: CommandLine, settings: BuildSettings, libclang: str) -> int | list[str]:
    """Compile with instrumented texts, while a thread loads libclang."""
    from pomp_clang.frontend.preload import preload, wait_for_preload

    preload(libclang)
    try:
        return _instrument_here(line, settings)
    finally:
        wait_for_preload()


def _instrument_here(line: CommandLine, settings: BuildSettings) -> int | list[str]:
    import gc

    from pomp_clang.driver.instrument_command import run

    gc.disable()  # this process ends soon, and what a parse makes lives as long as it
    return run(line, settings)


def _serve(args: list[str]) -> int:
    return main(args, is_served=True)


def _end_like(status: int) -> int:
    if status >= 0:
        return status
    from pomp_clang.driver.process.signals import end_like

    return end_like(status)


def _may_be_cached(line: CommandLine) -> bool:
    """Return True if ccache is before us or behind us."""
    has_ccache = any(os.path.basename(word) == "ccache" for word in line.words[:-1])
    before = "UNCACHED_ERR_FD" in os.environ or "CCACHE_DISABLE" in os.environ
    return has_ccache or before or (line.mode == "-c" and is_link_to(line.words[-1], "ccache"))


def _split(args: list[str]) -> tuple[list[str], list[str]]:
    if "UNCACHED_ERR_FD" in os.environ:
        begin = next((at for at, arg in enumerate(args) if arg[:7] != "--pomp-"), 0)
        if args[begin] != "--":
            return args[:begin], args[begin:]  # from ccache, which drops the `--`
    if "--" not in args:
        from pomp_clang.suggestion import suggestion

        first = args[0]
        if first[:1] == "-":
            raise DriverError("the compiler command goes after `--`; see pomp-clang --help")
        suggested = suggestion(first, VERBS)
        raise DriverError(f"'{first}' is no verb{suggested}; a compiler command goes after `--`")
    end = args.index("--")
    if end + 1 == len(args):
        raise DriverError("no compiler command after `--`")
    return args[:end], args[end + 1 :]


def _say(error: DriverError) -> int:
    print(f"pomp-clang: {error.message}", file=sys.stderr)
    return error.status


def _help(is_asked: bool) -> int:
    from click import HelpFormatter

    formatter = HelpFormatter()
    formatter.indent()
    formatter.write_dl(
        [(name + (f"={value}" if value else ""), text) for name, value, text in OPTIONS]
    )
    verbs = "".join(f"  {verb:<10}{what}\n" for verb, what in VERBS.items())
    text = USAGE.format(verbs=verbs) + formatter.getvalue()
    if not is_asked:
        sys.stderr.write(text)
        return 2
    from pomp_clang.report.output import ReportError, deliver

    try:
        deliver(text, None)
    except ReportError as error:
        return _say(DriverError(str(error), 1))
    return 0


def _cmake_dir() -> int:
    for package in installed_files("cmake", "PompClangConfig.cmake"):
        print(os.path.dirname(package))
        return 0
    return _say(DriverError("the package for CMake is missing; reinstall pomp-clang", 1))


def _pomp2_libs() -> int:
    from pomp_clang.driver.runtime.link import pomp2_words

    print(*pomp2_words())
    return 0


def _version() -> int:
    from importlib.metadata import PackageNotFoundError, version

    try:
        print(f"pomp-clang {version('pomp-clang')}")
    except PackageNotFoundError:
        print("pomp-clang (not installed)")
    return 0
