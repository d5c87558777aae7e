"""A translation unit as the driver passes it on, and its instrumented form."""

from __future__ import annotations

from collections.abc import Mapping

from pomp_clang.openmp.barriers import Barriers
from pomp_clang.record import record


class UnitError(Exception):
    """The unit cannot be read as the compiler reads it; `line` says where."""

    def __init__(self, message: str, line: int = 1, reason: str = "parse") -> None:
        super().__init__(message)
        self.line = line
        self.reason = reason


@record
class SourceForm:
    """How the lines of a Fortran text are read: `columns` is the length of the longest, 0 for
    lines of any length."""

    fixed: bool
    columns: int


@record
class Unit:
    """One source file of one compiler command, with all that its parse needs."""

    path: str
    """its name as the command has it, "-" for standard input"""
    text: str
    """its bytes, decoded by `text_of`: an index is a byte offset. In Fortran it is the
    preprocessed text, with INCLUDE lines expanded and `# line "file"` markers"""
    language: str
    """"c", "c++" or "fortran\""""
    arguments: tuple[str, ...]
    """options for libclang: no -fopenmp, but -D_OPENMP and -resource-dir"""
    libclang: str = ""
    """the library to load, or "" for the one in the Python package"""
    preprocess: tuple[str, ...] = ()
    """the user's own command without the input; with -E and a file it preprocesses that file"""
    output_options: tuple[str, ...] = ()
    """the option for a short output of -E"""
    named_by_line: bool = False
    """whether only a #line directive tells the compiler the name of a copied file"""
    scans_alone: bool = False
    """whether the compiler computes a scan rightly in a loop that is split off its parallel"""
    warned: bool = False
    """whether the preprocessor, which made the text, warned of the source"""
    barriers: Barriers = Barriers.EXPLICIT
    """how implied barriers get their times"""
    functions: bool = False
    """whether functions may be measured"""
    iterations: bool = False
    """whether iterations of loops may be recorded"""
    inlines: bool = False
    """whether the compiler may inline events"""
    thread: str = ""
    """the symbol that guards of calls read, or "" without guards"""
    empty: bool = False
    """whether the calls do nothing, if the unit is one file"""
    pomp2: bool = False
    """whether the library is one of POMP2, whose handles OPARI2's script assigns"""
    directives: bool = True
    """whether the compiler heeds OpenMP's directives"""
    attributes: bool = True
    """whether it heeds directives that are attributes"""
    warns: bool = False
    """whether the command asks for warnings of layout or of variables that are not set"""
    steps: bool = False
    """whether the compiler writes debug information"""
    each_inclusion: bool = True
    """whether a header that is included inside declarations has regions for each inclusion"""
    prefix_maps: tuple[str, ...] = ()
    """"old=new" for each begin of a file's name that the compiler replaces in a program"""
    shares_headers: bool = False
    """whether other sources of the command read the headers' texts that this unit has"""
    offloads: bool = False
    """whether the compiler makes code for devices as well"""
    form: SourceForm | None = None
    """the form of a Fortran text"""
    nest_locks_by_address: bool = False
    """whether a nestable lock of Fortran holds the address of one of C, as with libgomp"""
    bounds_outside: bool = False
    """whether the bounds of a Fortran `parallel do` are evaluated in front of it, as by gfortran"""
    tasks_copy_late: bool = False
    """whether firstprivate variables of a task get their values when it runs, as with flang 19"""

    @property
    def marks_lines(self) -> bool:
        """True if inserted text gets marks that separate it from the user's text on its lines.

        clang's debuggers skip code that has no line; gcc has no code without one.
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
    """An #include directive on a line of a file, and the file of the project that it means.

    `path` is libclang's name for that file, `spelt` the one that gcc makes here. `beside` is True
    if the file was found in the including file's own folder. With `varies` the line has a macro that
    names other files as well.
    """

    line: int
    path: str
    spelt: str
    beside: bool
    varies: bool = False


@record
class RewrittenHeader:
    """A header of the project that has a new text, includes one that has, or needs a copy
    for its name's sake.

    `path` is libclang's name for it, `spelt` gcc's. `names` are all names by which directives may
    ask for it.
    """

    path: str
    text: str
    changed: bool
    spelt: str = ""
    names: tuple[str, ...] = ()
    includes: tuple[Include, ...] = ()


@record
class Site:
    """The lines of an instrumented construct as the compiler names them.

    They are those of its directive, and the last one of its block.
    """

    kind: str
    file: str
    line: int
    column: int
    directive_end: int
    last: int


@record
class Why:
    """The reason for which a construct is left out, and the tag of its note."""

    text: str
    reason: str


Refused = Mapping[Site, Why]
"""The constructs that are to be left out."""


@record
class Instrumented:
    """A unit's new text, or None if nothing in it is replaced, and the headers that go with it.

    `includes` are the #include directives of the text, `sites` the constructs. `hiding` is True if
    the compiler may report something of the old texts that it does not report of the new ones.
    `companion` is a C text that has to be compiled and linked with the text, or "". `is_foreign` is
    True if the compiler refuses the old text for directives of POMP's own. `macros` are definitions
    that the text needs on the command line.
    """

    text: str | None
    notes: tuple[Note, ...] = ()
    headers: tuple[RewrittenHeader, ...] = ()
    includes: tuple[Include, ...] = ()
    sites: tuple[Site, ...] = ()
    hiding: bool = False
    companion: str = ""
    is_foreign: bool = False
    macros: tuple[str, ...] = ()

    @property
    def replaces(self) -> bool:
        """True if any file has a new text."""
        return self.text is not None or bool(self.headers)
