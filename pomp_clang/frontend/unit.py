"""A translation unit, as the driver hands it over and gets it back."""

from __future__ import annotations

from collections.abc import Mapping

from pomp_clang.openmp.barriers import Barriers
from pomp_clang.record import record


@record
class Unit:
    """One source file of one compiler command, with what its parse needs.

    `path` is spelt as the compiler was given it ("-" for standard input),
    `text` is its bytes by `text_of`, so that an index into it is a byte
    offset.  `arguments` are options for libclang, without -fopenmp and with
    -D_OPENMP and -resource-dir; `libclang` is the library to load, or "" for
    the one that the Python package carries.  `preprocess` is the user's own
    compiler command up to, and without, the input: given -E and a file it
    yields that file preprocessed as the compiler sees it.  `named_by_line` if the
    compiler names a copied file by what a #line directive in it says alone, `scans_alone`
    if it computes a scan rightly in a loop that is no part of a combined construct.
    `barriers` is where the times of its implied barriers are to come from, `functions` whether
    functions may be measured; `inlines` if the compiler may put the events into the code, `thread`
    the symbol by which calls are guarded, if they are; `empty` if they are to be nothing, where a
    unit is one file; `directives` if the
    compiler heeds those of OpenMP; `warns` if its command asks for warnings, `steps` if the
    compiler writes debug information.
    """

    path: str
    text: str
    language: str
    arguments: tuple[str, ...]
    libclang: str = ""
    preprocess: tuple[str, ...] = ()
    named_by_line: bool = False
    scans_alone: bool = False
    barriers: Barriers = Barriers.EXPLICIT
    functions: bool = False
    inlines: bool = False
    thread: str = ""
    empty: bool = False
    directives: bool = True
    warns: bool = False
    steps: bool = False

    @property
    def marks_lines(self) -> bool:
        """Whether what is inserted is to be told from what stands on the lines there.

        clang's debuggers pass over what has no line; gcc has no code without one.
        """
        return self.steps and self.inlines


@record
class Note:
    """One line for a person: `file:line: level: text [pomp-reason]`."""

    file: str
    line: int
    text: str
    reason: str
    level: str = "warning"

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.level}: {self.text} [pomp-{self.reason}]"


@record
class Include:
    """An #include directive on a line of a file, and the file of the project that it
    means, by libclang's name and by the one that gcc makes here; `beside` if that was
    found in the including file's own folder."""

    line: int
    path: str
    spelt: str
    beside: bool


@record
class Header:
    """A header of the project that has a new text, includes one that has, or needs a copy
    for its name's sake.

    `path` is libclang's name for it, `spelt` gcc's, `names` are those that directives
    may ask for it by.
    """

    path: str
    text: str
    changed: bool
    spelt: str = ""
    names: tuple[str, ...] = ()
    includes: tuple[Include, ...] = ()


@record
class Site:
    """Where a construct stands that is instrumented, as the compiler names its lines:
    those of its directive, and the last one of its block."""

    kind: str
    file: str
    line: int
    column: int
    directive_end: int
    last: int


@record
class Why:
    """Why a construct is left out, and the tag of its note."""

    text: str
    reason: str


Refused = Mapping[Site, Why]
"""The constructs that are to be left out."""


@record
class Instrumented:
    """The unit's new text, or None where nothing in it is to be replaced, and the headers
    that go with it; `includes` are the text's own, `sites` the constructs; `hiding` if the
    compiler may say something of the old texts that it does not say of the new."""

    text: str | None
    notes: tuple[Note, ...] = ()
    headers: tuple[Header, ...] = ()
    includes: tuple[Include, ...] = ()
    sites: tuple[Site, ...] = ()
    hiding: bool = False

    @property
    def replaces(self) -> bool:
        """Whether any file has a new text."""
        return self.text is not None or bool(self.headers)
