"""The places in a Fortran text at which a rewriter inserts lines."""

from __future__ import annotations

from pomp_clang.record import record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pomp_clang.frontend.source import Extent


@record
class RestOfLine:
    """Statements that follow another one on its line.

    `start` is behind the first statement, `resume` at the next one. The text between them is
    replaced by a line break, the inserted lines, and a line that begins with `prefix`. The prefix
    is blanks or the sentinel of conditional compilation. It keeps the rest's column where it can.
    """

    start: int
    resume: int
    prefix: str


@record
class LoopBound:
    """A bound, or the stride, of a DO loop with this variable; `line_end` is where the next line
    begins."""

    variable: str
    text: str
    extent: Extent
    line_end: int


@record
class ConstructPlaces:
    """The offsets of the lines at which a construct's calls are inserted.

    `before` and `inside` are those in front of and behind the directive. `end` is where the END
    directive begins; without one, where it would be written. `after` is behind it. `rest` is set if
    statements follow the construct's last one on its line, instead of `end` and `after`. `strict`
    says that the block is a BLOCK construct: it ends the construct, and the source may have no END
    directive. `unit` is the index of the program unit. `variables` are those of the associated loops,
    `bounds` their bounds and strides.
    """

    before: int
    inside: int
    end: int
    after: int
    unit: int
    rest: RestOfLine | None = None
    strict: bool = False
    variables: tuple[str, ...] = ()
    bounds: tuple[LoopBound, ...] = ()


@record
class ProcedureExit:
    """A RETURN statement that ends a procedure, or its END or CONTAINS statement.

    `line` is the offset of its line. `leads` is True if nothing stands in front of it there, no
    label either. `action` is the RETURN that depends on a condition, without `if (...)`.
    """

    statement: Extent
    line: int
    leads: bool
    action: Extent | None = None


@record
class ProcedureBody:
    """The executable part of a procedure.

    `enter` is the line of the first executable statement. `entries` are the lines of the ENTRY
    statements behind it. `exits` have the END or CONTAINS statement if control can get there.
    """

    enter: int
    entries: tuple[Extent, ...]
    exits: tuple[ProcedureExit, ...]


@record
class ProgramUnit:
    """A main program, module, submodule, block data or procedure.

    `outer` is the index of its host. `declarations` is the line at which declarations can be
    inserted, None if it has no executable part; `rest` is set if a specification stands in front of
    the first executable statement on its line. `pure` says that no call may stand in it.
    `external` says that procedures need an EXTERNAL declaration (`implicit none (external)`).
    """

    kind: str
    name: str
    extent: Extent
    outer: int | None
    declarations: int | None
    rest: RestOfLine | None = None
    pure: bool = False
    external: bool = False
    body: ProcedureBody | None = None
