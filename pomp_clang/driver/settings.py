"""Our own options: --pomp-... before the `--`, and the same in POMP_FLAGS.

On the path of every compiler call: no dataclass, no library.
"""

from __future__ import annotations

import os

from pomp_clang.driver.errors import DriverError

# name, value, what --help says.  A name with a value is written --name=value.
OPTIONS: tuple[tuple[str, str, str], ...] = (
    ("--pomp-disable", "construct,...", "leave these constructs out (sync: all synchronization)"),
    ("--pomp-strict", "", "what cannot be instrumented is an error"),
    ("--pomp-keep", "DIR", "keep the rewritten texts and the command that was run"),
    ("--pomp-library", "profile|null|log|FILE", "the POMP library to link (default: profile)"),
    ("--pomp-runtime", "shared|static", "how it is linked (default: shared)"),
    (
        "--pomp-barriers",
        "arrival|explicit|ompt",
        "how implied barriers are measured (default: explicit)",
    ),
    ("--pomp-functions", "auto|all|none", "measure function bodies, too (default: none)"),
    ("--pomp-trace", "", "when linking: the program's runs are recorded, unless POMP_TRACE=0"),
    ("--pomp-filter", "FILE", "rules for what is measured, by name, file and line"),
    (
        "--pomp-inline",
        "on|off",
        "inline events (clang from -O1 on), or guard them (default: on)",
    ),
)

# Options that take one of the values in their row, and what of `Settings` has it.
CHOSEN = {
    "--pomp-barriers": "barriers",
    "--pomp-functions": "functions",
    "--pomp-inline": "inline",
    "--pomp-runtime": "runtime",
}

# Values of an environment variable that switch it off.
OFF = frozenset(("", "0", "no", "false", "off"))

# What an option means that is given without its value.
BARE = {"--pomp-functions": "auto"}


class Settings:
    """What the options say; never changed once read."""

    __slots__ = (
        "barriers",
        "disabled",
        "filter",
        "functions",
        "inline",
        "keep",
        "library",
        "runtime",
        "strict",
        "trace",
    )

    def __init__(self) -> None:
        self.disabled: frozenset[str] = frozenset()
        self.strict = False
        self.trace = False
        self.filter = ""
        self.functions = "none"
        self.inline = "on"
        self.barriers = ""
        self.keep = ""
        self.library = "profile"
        self.runtime = "shared"


def read(args: list[str]) -> Settings:
    """Settings from POMP_FLAGS, then from `args`, which win.

    Raises DriverError for an option or a value that is not ours.
    """
    settings = Settings()
    for arg in [*from_environment(), *args]:
        name, equals, value = arg.partition("=")
        if arg in BARE:
            name, equals, value = arg, "=", BARE[arg]
        row = next((row for row in OPTIONS if row[0] == name), None)
        if row is None:
            raise DriverError(f"unknown option '{arg}'")
        if bool(row[1]) != bool(equals) or (row[1] and not value):
            raise DriverError(f"write {name}={row[1]}" if row[1] else f"{name} takes no value")
        _set(settings, name, value)
    settings.barriers = settings.barriers or "explicit"
    return settings


def from_environment() -> list[str]:
    """Return the options in POMP_FLAGS.  Raises DriverError for a quote without its end."""
    flags = os.environ.get("POMP_FLAGS", "")
    if not any(char in flags for char in "'\"\\"):
        return flags.split()
    import shlex  # dear; only for quoted flags

    try:
        return shlex.split(flags)
    except ValueError as error:
        raise DriverError(f"POMP_FLAGS: {error}") from None


def _set(settings: Settings, name: str, value: str) -> None:
    if name == "--pomp-disable":
        names = {word.strip() for word in value.split(",")} - {""}
        settings.disabled = settings.disabled | names
    elif name == "--pomp-strict":
        settings.strict = True
    elif name == "--pomp-trace":
        settings.trace = True
    elif name == "--pomp-keep":
        settings.keep = value
    elif name == "--pomp-filter":
        settings.filter = value
    elif name in CHOSEN:
        choices = next(row[1].split("|") for row in OPTIONS if row[0] == name)
        if value not in choices:
            raise DriverError(f"{name} is {' or '.join(choices)}, not '{value}'")
        setattr(settings, CHOSEN[name], value)
    else:
        if value not in ("profile", "null", "log") and not os.path.isfile(value):
            raise DriverError(f"--pomp-library: no such file '{value}' (or: profile, null, log)")
        settings.library = value
