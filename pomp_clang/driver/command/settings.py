"""Our own options: --pomp-... before the `--`, and the same in POMP_FLAGS.

On the path of every compiler call: no dataclass, no library.
"""

from __future__ import annotations

import os

from pomp_clang.driver import DriverError

# name, value, text of --help.  A name with a value is written --name=value.
OPTIONS: tuple[tuple[str, str, str], ...] = (
    ("--pomp-disable", "construct,...", "leave these constructs out (sync: all synchronization)"),
    ("--pomp-strict", "", "what cannot be instrumented is an error"),
    ("--pomp-keep", "DIR", "keep the rewritten texts and the command that was run"),
    (
        "--pomp-library",
        "profile|null|log|pomp2[:FILE]|FILE",
        "the POMP library to link (default: profile)",
    ),
    ("--pomp-runtime", "shared|static", "how it is linked (default: shared)"),
    (
        "--pomp-barriers",
        "arrival|explicit|ompt",
        "how implied barriers are measured (default: arrival)",
    ),
    ("--pomp-functions", "auto|all|none", "measure function bodies, too (default: none)"),
    (
        "--pomp-included",
        "each|once",
        "regions in a header that is included within functions: for each inclusion, or once "
        "for all (default: each)",
    ),
    ("--pomp-trace", "", "when linking: the program's runs are recorded, unless POMP_TRACE=0"),
    ("--pomp-filter", "FILE", "rules for what is measured, by name, file and line"),
    ("--pomp-commands", "FILE", "add each command to FILE, a compile_commands.json"),
    (
        "--pomp-inline",
        "on|off",
        "inline events (clang from -O1 on), or guard them (default: on)",
    ),
    (
        "--pomp-budget",
        "N[,SECONDS]",
        "compile a source as it stands after N times its plain compile (default: 10,30; 0: never)",
    ),
    ("--pomp-cache", "on|off", "do not parse a source again that has not changed (default: on)"),
    (
        "--pomp-server",
        "on|off",
        "leave a process behind that serves the next compiles for 20 s (default: on)",
    ),
)

POMP2 = "pomp2"
LIBRARIES = ("profile", "null", "log", POMP2)

# Values of an environment variable that switch it off.
OFF = frozenset(("", "0", "no", "false", "off"))

# The value of an option that is given without one.
BARE = {"--pomp-functions": "auto"}


class BuildSettings:
    """The values of our options; constant once read.

    An attribute has its option's name without --pomp-; a switch is False or True.
    """

    disabled: frozenset[str] = frozenset()
    strict = False
    trace = False
    filter = ""
    commands = ""
    functions = "none"
    included = "each"
    inline = "on"
    barriers = ""
    budget = ""
    cache = "on"
    keep = ""
    library = "profile"
    runtime = "shared"
    server = "on"


def read(args: list[str]) -> BuildSettings:
    """Read the settings from POMP_FLAGS and then from `args`, which win.

    Raises DriverError for an option or a value that is not ours.
    """
    settings = BuildSettings()
    for arg in [*from_environment(), *args]:
        name, equals, value = arg.partition("=")
        if arg in BARE:
            name, equals, value = arg, "=", BARE[arg]
        row = next((row for row in OPTIONS if row[0] == name), None)
        if row is None:
            from pomp_clang.suggestion import suggestion

            hint = suggestion(name, [row[0] for row in OPTIONS], "--pomp-")
            raise DriverError(f"unknown option '{arg}'{hint}")
        if bool(row[1]) != bool(equals) or (row[1] and not value):
            raise DriverError(f"write {name}={row[1]}" if row[1] else f"{name} takes no value")
        _set(settings, name, value)
    requested_barriers = settings.barriers
    settings.barriers = requested_barriers or _barriers_for(settings.library)
    if is_pomp2(settings) and requested_barriers not in ("", "explicit"):
        raise DriverError(
            f"--pomp-barriers={requested_barriers}: POMP2 has events for explicit barriers alone; "
            "leave it out"
        )
    return settings


def is_pomp2(settings: BuildSettings) -> bool:
    """Return True if the library is one that implements POMP2."""
    return settings.library.partition(":")[0] == POMP2


def _barriers_for(library: str) -> str:
    """Return how implied barriers are measured for a POMP library.

    Only our own libraries compute waits from times of arrival; another one knows the calls of the
    POMP paper, or those of POMP2.
    """
    return "arrival" if library in ("profile", "null") else "explicit"


def from_environment() -> list[str]:
    """Return the options in POMP_FLAGS.  Raises DriverError for a quote without its end."""
    flags = os.environ.get("POMP_FLAGS", "")
    if not any(char in flags for char in "'\"\\"):
        return flags.split()
    import shlex  # slow to import; only for quoted flags

    try:
        return shlex.split(flags)
    except ValueError as error:
        raise DriverError(f"POMP_FLAGS: {error}") from None


def _set(settings: BuildSettings, name: str, value: str) -> None:
    if name == "--pomp-disable":
        names = {word.strip() for word in value.split(",")} - {""}
        settings.disabled = settings.disabled | names
    elif name == "--pomp-library":
        file = value.removeprefix(f"{POMP2}:")
        if value not in LIBRARIES and not os.path.isfile(file):
            known = ", ".join(LIBRARIES)
            raise DriverError(f"--pomp-library: no such file '{file}' (or: {known}, {POMP2}:FILE)")
        settings.library = value
    elif name == "--pomp-budget":
        from pomp_clang.driver.process.time_budget import parse_budget

        try:
            parse_budget(value)
        except ValueError:
            raise DriverError(f"--pomp-budget is N or N,SECONDS, not '{value}'") from None
        settings.budget = value
    else:
        choices = next(row[1] for row in OPTIONS if row[0] == name).split("|")
        if len(choices) > 1 and value not in choices:
            raise DriverError(f"{name} is {' or '.join(choices)}, not '{value}'")
        setattr(settings, name.removeprefix("--pomp-"), value or True)
