"""ccache around an instrumenting compile, with a key of all that the object depends on.

ccache hashes a source, its headers, the command and the compiler. An instrumented object depends
on more: on our version, our options, a filter's rules, and the working directory, which
descriptors name. So ccache runs with `pomp-cc` as its compiler and a hash of all that as the
compiler's identity.
"""

from __future__ import annotations

import os
import sys

from pomp_clang.driver.command.classify import CommandLine, is_cxx
from pomp_clang.driver.command.settings import BuildSettings, from_environment
from pomp_clang.driver.process.programs import is_link_to, which

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

NAME = "ccache"

# ccache sets this for the preprocessor or compiler that it runs.
_UNCACHED = "UNCACHED_ERR_FD"
# ccache sets this, too: a compiler that is ccache itself then caches nothing.
_DISABLED = "CCACHE_DISABLE"
_IDENTITY = "CCACHE_COMPILERCHECK"
_MARK = "string:pomp-clang "


# The command for a preprocessor run of a ccache that does not know our identity. ccache then runs
# the compile itself, uncached, and `with_ccache` starts it again.
_REFUSAL = ["false"]


def with_ccache(
    line: CommandLine, settings: BuildSettings, pomp_options: list[str], instruments: bool
) -> list[str] | None:
    """Return the command that runs a compile under ccache, and set its environment.

    `pomp_options` are the options before the `--`. Return None if ccache has no part in the
    compile.
    """
    if line.mode == "-E" and _runs_us() and not _knows_us():
        return _REFUSAL
    if line.mode != "-c":
        return None
    _warn_if_given_up(line)
    names = [os.path.basename(word) for word in line.words]
    runs_us = _runs_us() and not _knows_us()
    is_asked_for = NAME in names or runs_us or is_link_to(line.words[-1], NAME)
    if not is_asked_for or settings.keep or _is_off():
        return None
    at = names.index(NAME) if NAME in names else -1
    launchers = line.words[: at + 1] if at >= 0 else [which(NAME)]
    compiler = line.words[at + 1 :]
    if not instruments:
        command = [*launchers, *compiler, *line.raw_args]
        return _started_again(command) if runs_us and launchers[0] else None
    ourself = _one_word("pomp-c++" if is_cxx(compiler[-1]) else "pomp-cc")
    program = _behind_links(compiler[-1])
    if not ourself or not program or not launchers[-1] or "=" in compiler[0]:
        return None
    if is_link_to(compiler[-1], NAME):
        compiler = [*compiler[:-1], program]
    import shlex  # slow to import; a cached compile has the time

    variable = "POMP_CXX" if ourself.endswith("++") else "POMP_CC"
    flags = [*from_environment(), *pomp_options]
    os.environ[variable] = shlex.join(compiler)
    os.environ["POMP_FLAGS"] = shlex.join(flags)
    os.environ[_IDENTITY] = _MARK + _identity(program, flags, settings)
    os.environ["CCACHE_CPP2"] = "1"  # we do not instrument preprocessed text
    os.environ.setdefault("CCACHE_COMPILERTYPE", _family(compiler[-1]))
    return _started_again([*launchers, ourself, *line.raw_args])


def _started_again(command: list[str]) -> list[str]:
    """Return the command, with the environment as if no ccache were running."""
    for name in (_UNCACHED, _DISABLED):
        os.environ.pop(name, None)
    return command


def _warn_if_given_up(line: CommandLine) -> None:
    """Warn if a ccache that started us has taken a path behind the `--` for a second source.

    ccache then runs the command that it was given, with one variable added at the end of the
    environment.
    """
    if _runs_us() or [*os.environ][-1:] != [_DISABLED]:
        return
    path = next((word for word in line.words if os.path.isfile(word)), "")
    if path:
        print(
            f"pomp-clang: warning: ccache takes {path} for a second source file; the object is "
            f"not cached; run `pomp-clang -- ccache {path}` instead [pomp-ccache]",
            file=sys.stderr,
            flush=True,
        )


def _behind_links(compiler: str) -> str:
    """Return the path of a compiler, or of the one behind a link to ccache."""
    if not is_link_to(compiler, NAME):
        return which(compiler)
    name = os.path.basename(compiler)
    folders = os.environ.get("PATH", os.defpath).split(os.pathsep)
    paths = (which(os.path.join(folder or ".", name)) for folder in folders)
    return next((path for path in paths if path and not is_link_to(path, NAME)), "")


def _runs_us() -> bool:
    return _UNCACHED in os.environ


def _knows_us() -> bool:
    """Return True if ccache's key has our identity: by us, or by the user (docs/how-to/builds.md)."""
    return "pomp-clang" in os.environ.get(_IDENTITY, "")


def _is_off() -> bool:
    return not _runs_us() and _DISABLED in os.environ


def _one_word(name: str) -> str:
    """Return the path of one of our commands, which stands beside the one that runs."""
    path = os.path.join(os.path.dirname(os.path.abspath(sys.argv[0])), name)
    return path if os.access(path, os.X_OK) else which(name)


def _family(compiler: str) -> str:
    return "clang" if "clang" in os.path.basename(compiler) else "gcc"


def _identity(program: str, flags: list[str], settings: BuildSettings) -> str:
    """Return a hash of all that an object depends on and ccache does not hash."""
    import hashlib

    state = hashlib.sha256()
    for part in (*_own_files(), *_stamp(os.path.realpath(program)), os.getcwd(), *flags):
        state.update(f"{part}\0".encode("utf-8", "surrogateescape"))
    if settings.filter:
        try:
            with open(settings.filter, "rb") as file:
                state.update(file.read())
        except OSError:
            pass  # the compile reports it
    return state.hexdigest()


def _own_files() -> Iterator[str]:
    """Yield the states of our own files: another version may write another text."""
    import pomp_clang

    for place in pomp_clang.__path__:
        for folder, folders, files in os.walk(place):
            folders[:] = sorted(name for name in folders if name != "__pycache__")
            for name in sorted(files):
                yield from _stamp(os.path.join(folder, name))


def _stamp(path: str) -> Iterator[str]:
    about = os.stat(path)
    yield f"{path} {about.st_mtime_ns} {about.st_size}"
