"""`pomp-clang [--pomp-...] -- COMPILER ARGS`: the drop-in.

Decides between becoming the compiler at once, which is all that most calls of a
build need, and the work of `driver.jobs`.  Nothing dear may be imported here.
"""

from __future__ import annotations

import os
import sys

import pomp_clang
from pomp_clang.cli import VERBS
from pomp_clang.driver.checks import is_check
from pomp_clang.driver.direct import become, direct
from pomp_clang.driver.errors import DriverError
from pomp_clang.driver.glance import Glance, look
from pomp_clang.driver.path import is_link_to
from pomp_clang.driver.settings import OFF, OPTIONS, Settings, read

# Commands that are this one already: they take its options.
ONE_WORD = frozenset(("pomp-cc", "pomp-c++", "pomp-mpicc", "pomp-mpicxx"))

USAGE = """\
usage: pomp-clang [--pomp-...] -- COMPILER ARGUMENTS
       pomp-clang VERB ...
       pomp-clang --cmake-dir | --version
       pomp-cc, pomp-c++, pomp-mpicc, pomp-mpicxx [--pomp-...] ARGUMENTS

Runs the compiler command with its OpenMP constructs instrumented.

verbs:
{verbs}
options, before the `--` or in the environment variable POMP_FLAGS:
"""


def main(args: list[str]) -> int:
    """Returns the exit status, or becomes the compiler and does not return."""
    try:
        if not args or args[0] in ("--help", "-h"):
            return _help(bool(args))
        if args[0] == "--version":
            return _version()
        if args[0] == "--cmake-dir":
            return _cmake_dir()
        ours, command = _split(args)
        settings = read(ours)
        view = look(command)
        if is_check(view):
            return become(command)
        if view.words and os.path.basename(view.words[-1]) in ONE_WORD:
            return become([*view.words, *ours, *view.given])
    except DriverError as error:
        return _say(error)
    return _drive(view, settings, ours)


def _drive(view: Glance, settings: Settings, ours: list[str]) -> int:
    """Documented boundary: whatever fails inside us, the user's build goes on."""
    command = [*view.words, *view.given]
    try:
        chosen = settings.functions != "none" or bool(settings.filter)
        instruments = view.to_instrument or (chosen and view.compiles)
        if _may_be_cached(view):
            from pomp_clang.driver import ccache

            cached = ccache.around(view, settings, ours, instruments)
            if cached is not None:
                return become(cached)
        if instruments:
            from pomp_clang.driver.early import load_early, wait

            load_early(view)
            try:
                from pomp_clang.driver.jobs import run

                return run(view, settings)
            finally:
                wait()
        return become(direct(view, settings))
    except DriverError as error:
        return _say(error)
    except KeyboardInterrupt:
        from pomp_clang.driver.signals import die_by

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


def _may_be_cached(view: Glance) -> bool:
    """Return True if ccache is before us or behind us."""
    behind = any(os.path.basename(word) == "ccache" for word in view.words[:-1])
    before = "UNCACHED_ERR_FD" in os.environ or "CCACHE_DISABLE" in os.environ
    return behind or before or (view.mode == "-c" and is_link_to(view.words[-1], "ccache"))


def _split(args: list[str]) -> tuple[list[str], list[str]]:
    if "UNCACHED_ERR_FD" in os.environ:
        begin = next((at for at, arg in enumerate(args) if arg[:7] != "--pomp-"), 0)
        if args[begin] != "--":
            return args[:begin], args[begin:]  # by ccache, which drops the `--`
    if "--" not in args:
        first = args[0]
        if first[:1] == "-":
            raise DriverError("the compiler command goes after `--`; see pomp-clang --help")
        raise DriverError(f"'{first}' is no verb; a compiler command goes after `--`")
    end = args.index("--")
    if end + 1 == len(args):
        raise DriverError("no compiler command after `--`")
    return args[:end], args[end + 1 :]


def _say(error: DriverError) -> int:
    print(f"pomp-clang: {error.message}", file=sys.stderr)
    return error.status


def _help(asked: bool) -> int:
    lines = [f"  {name + ('=' + value if value else ''):40}{text}" for name, value, text in OPTIONS]
    verbs = "".join(f"  {verb:<10}{what}\n" for verb, what in VERBS.items())
    text = USAGE.format(verbs=verbs) + "\n".join(lines) + "\n"
    if not asked:
        sys.stderr.write(text)
        return 2
    from pomp_clang.report.deliver import ReportError, deliver

    try:
        deliver(text, None)
    except ReportError as error:
        return _say(DriverError(str(error), 1))
    return 0


def _cmake_dir() -> int:
    for place in pomp_clang.__path__:
        folder = os.path.join(place, "cmake")
        if os.path.isfile(os.path.join(folder, "PompClangConfig.cmake")):
            print(folder)
            return 0
    return _say(DriverError("the package for CMake is missing; reinstall pomp-clang", 1))


def _version() -> int:
    from importlib.metadata import PackageNotFoundError, version

    try:
        print(f"pomp-clang {version('pomp-clang')}")
    except PackageNotFoundError:
        print("pomp-clang (not installed)")
    return 0
