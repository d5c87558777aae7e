"""ccache around a compile that instruments: what it keeps is known by all that the object is of.

ccache hashes a source, its headers, the command and the compiler.  An instrumented object
depends on more: on us, on our options, on a filter's rules, and on the folder, which descriptors
name.  So ccache is run with `pomp-cc` as its compiler, and all of that as the compiler's identity.
"""

from __future__ import annotations

import os
import sys

from pomp_clang.driver.glance import Glance, is_cxx
from pomp_clang.driver.path import is_link_to, which
from pomp_clang.driver.settings import Settings, from_environment

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

NAME = "ccache"

# ccache hands this to what it runs to preprocess or compile.
_UNCACHED = "UNCACHED_ERR_FD"
# What it sets there, too, so that a compiler that is ccache itself caches nothing.
_DISABLED = "CCACHE_DISABLE"
_IDENTITY = "CCACHE_COMPILERCHECK"
_MARK = "string:pomp-clang "


# What ccache gets for an answer where it preprocesses without knowing all that an object is of.
# It then runs the compile itself, uncached, and `around` starts it anew.
_REFUSAL = ["false"]


def around(
    view: Glance, settings: Settings, ours: list[str], instruments: bool
) -> list[str] | None:
    """Return the command that has a compile cached, with its environment set, if there is one.

    `ours` are the options before the `--`.  A compile that instruments nothing is the compiler's.
    """
    if view.mode == "-E" and _runs_us() and not _knows_us():
        return _REFUSAL
    if view.mode != "-c":
        return None
    _warn_if_given_up(view)
    names = [os.path.basename(word) for word in view.words]
    runs_us = _runs_us() and not _knows_us()
    is_asked_for = NAME in names or runs_us or is_link_to(view.words[-1], NAME)
    if not is_asked_for or settings.keep or _is_off():
        return None
    at = names.index(NAME) if NAME in names else -1
    launchers = view.words[: at + 1] if at >= 0 else [which(NAME)]
    compiler = view.words[at + 1 :]
    if not instruments:
        command = [*launchers, *compiler, *view.given]
        return _begun_anew(command) if runs_us and launchers[0] else None
    ourself = _one_word("pomp-c++" if is_cxx(compiler[-1]) else "pomp-cc")
    program = _behind_links(compiler[-1])
    if not ourself or not program or not launchers[-1] or "=" in compiler[0]:
        return None
    if is_link_to(compiler[-1], NAME):
        compiler = [*compiler[:-1], program]
    import shlex  # dear, as is the rest: a compile that ccache keeps has the time

    variable = "POMP_CXX" if ourself.endswith("++") else "POMP_CC"
    flags = [*from_environment(), *ours]
    os.environ[variable] = shlex.join(compiler)
    os.environ["POMP_FLAGS"] = shlex.join(flags)
    os.environ[_IDENTITY] = _MARK + _identity(program, flags, settings)
    os.environ["CCACHE_CPP2"] = "1"  # what is preprocessed already is not instrumented
    os.environ.setdefault("CCACHE_COMPILERTYPE", _family(compiler[-1]))
    return _begun_anew([*launchers, ourself, *view.given])


def _begun_anew(command: list[str]) -> list[str]:
    """Return the command, for which the environment is as if no ccache were running."""
    for name in (_UNCACHED, _DISABLED):
        os.environ.pop(name, None)
    return command


def _warn_if_given_up(view: Glance) -> None:
    """Warn if a ccache before us has taken a path behind the `--` for a second source file.

    It then becomes the command that it was given, with one variable added at the end of the
    environment.
    """
    if _runs_us() or [*os.environ][-1:] != [_DISABLED]:
        return
    path = next((word for word in view.words if os.path.isfile(word)), "")
    if path:
        print(
            f"pomp-clang: warning: ccache takes {path} for a second source file; the object is "
            f"not cached; run `pomp-clang -- ccache {path}` instead [pomp-ccache]",
            file=sys.stderr,
            flush=True,
        )


def _behind_links(compiler: str) -> str:
    """Return the path of a compiler; of the one that ccache runs under the compiler's name."""
    if not is_link_to(compiler, NAME):
        return which(compiler)
    name = os.path.basename(compiler)
    folders = os.environ.get("PATH", os.defpath).split(os.pathsep)
    paths = (which(os.path.join(folder or ".", name)) for folder in folders)
    return next((path for path in paths if path and not is_link_to(path, NAME)), "")


def _runs_us() -> bool:
    return _UNCACHED in os.environ


def _knows_us() -> bool:
    """Return True if ccache was told of us: by `around`, or by the user (docs/how-to/builds.md)."""
    return "pomp-clang" in os.environ.get(_IDENTITY, "")


def _is_off() -> bool:
    return not _runs_us() and _DISABLED in os.environ


def _one_word(name: str) -> str:
    """Return the path of one of our commands, which stands beside the one that runs."""
    path = os.path.join(os.path.dirname(os.path.abspath(sys.argv[0])), name)
    return path if os.access(path, os.X_OK) else which(name)


def _family(compiler: str) -> str:
    return "clang" if "clang" in os.path.basename(compiler) else "gcc"


def _identity(program: str, flags: list[str], settings: Settings) -> str:
    """Return a hash of all that an object depends on beside what ccache knows."""
    import hashlib

    state = hashlib.sha256()
    for part in (*_own_files(), *_stamp(os.path.realpath(program)), os.getcwd(), *flags):
        state.update(f"{part}\0".encode("utf-8", "surrogateescape"))
    if settings.filter:
        try:
            with open(settings.filter, "rb") as file:
                state.update(file.read())
        except OSError:
            pass  # the compile says so
    return state.hexdigest()


def _own_files() -> Iterator[str]:
    """Yield the states of our own files: another version may write another text."""
    import pomp_clang

    for place in pomp_clang.__path__:
        for folder, folders, files in os.walk(place):
            folders[:] = sorted(each for each in folders if each != "__pycache__")
            for name in sorted(files):
                yield from _stamp(os.path.join(folder, name))


def _stamp(path: str) -> Iterator[str]:
    about = os.stat(path)
    yield f"{path} {about.st_mtime_ns} {about.st_size}"
