"""The descriptors: what a rewritten unit needs at file scope, as text.

Each construct gets a static object, and a static inline function that gives its
address, so that no variable is named inside a region that says default(none).  The
objects are listed in the linker section `pomp_descriptors`.  All names begin with
two underscores, no macro of the user's can meet a name that is written here, and
nothing is included (facts: `_GNU_SOURCE` and its like are the file's to define).
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import lru_cache

from pomp_clang.frontend.constructs import Construct, Constructs
from pomp_clang.frontend.octets import bytes_of, encoded
from pomp_clang.openmp.barriers import Barriers
from pomp_clang.openmp.directives import Form
from pomp_clang.record import record
from pomp_clang.rewrite.descriptor_flags import flags, is_release
from pomp_clang.rewrite.empty import defined
from pomp_clang.rewrite.guards import variable
from pomp_clang.rewrite.outlined import called, own_functions
from pomp_clang.rewrite.signatures import TEAM_SIZE, declared, signature

SECTION = "pomp_descriptors"

MOST_REGISTRATIONS = 16
"""Files of a unit that register the descriptors of all that is linked together: one would do, but
the compiler may not read the new text of a header. Each takes clang time at each of the others."""

_LONGEST_TEXT = 400
"""ISO C90 promises string literals of 509 characters; -Woverlength-strings says so."""

_MEMBERS = (
    "const char *__name; const char *__sub_name; int __num_sections; const char *__file_name; "
    "int __begin_line1; int __begin_lineN; int __end_line1; int __end_lineN; void *__data; "
    "struct ompregdescr *__next; unsigned __size; unsigned __flags; int __begin_column; "
    "const char *__clauses; const char *__function;"
)
_OURS = "__no_profile_instrument_function__, __no_instrument_function__"
"""A function of ours is not part of the program's coverage, nor of what it traces itself."""
_UNUSED = f"__attribute__((__unused__, {_OURS}))"
_OWN = f"__attribute__((__unused__, __nodebug__, {_OURS}))"
_INLINED = "__attribute__((__always_inline__, __nodebug__))"
_HIDDEN = '__attribute__((__visibility__("hidden")))'

REGISTER = "POMP_Register"

_EARLY = ".init_array.00100"
"""Constructors that run before those of priority 101, the first that a program may ask for."""

_OBJECT = "__pomp_descriptor"
_QUIET = ("GCC diagnostic push", 'GCC diagnostic ignored "-Wredundant-decls"')


@record
class Named:
    """A construct's descriptor: its number in the unit and how its names end.

    `keeper` is the untied task that the construct is a scheduling point of; one that has
    such points `keeps` its token.  `inlined` if what ends a function has to be part of it.
    `own` is the tag of the file's own functions if its events are outlined, `apart` if the function
    that gives its address stays a function, `dissolves` if the
    function that gives its address is to be gone before clang looks at functions.
    Whether the calls of one that is `guarded` are made is in its `flag`.  The object of one `by_name` is named in the
    calls, because with gcc a debugger that `steps` stops in the function that gives the address.
    """

    construct: Construct
    number: int
    suffix: str
    keeper: Named | None = None
    keeps: bool = False
    barriers: Barriers = Barriers.EXPLICIT
    inlined: bool = False
    guarded: bool = False
    own: str | None = None
    apart: bool = False
    dissolves: bool = False
    by_name: bool = False
    steps: bool = False
    whole: bool = False
    """whether the construct is measured from outside: no event stands within its directive"""

    def called(self, event: str) -> str:
        """Return the function that is called for an event."""
        return f"POMP_{event}" if self.own is None else called(event, self.own)

    @property
    def reach(self) -> str:
        """The expression that is passed to a call."""
        if self.by_name:
            return f"(struct ompregdescr *)(void *)&__pomp_d{self.suffix}"
        return f"__pomp_rd{self.suffix}()"

    @property
    def leave(self) -> str:
        """The function that a measured function's variable is cleaned up by."""
        return f"__pomp_leave{self.suffix}"

    @property
    def own_token(self) -> str:
        """The variable that keeps an untied task's token."""
        return f"__pomp_self{self.number}"

    @property
    def flag(self) -> str:
        """The variable that says whether the visit counts."""
        return f"__pomp_on{self.number}"


def named(
    constructs: Constructs,
    number: int,
    construct: Construct,
    barriers: Barriers = Barriers.EXPLICIT,
    inlined: bool = False,
    guarded: bool = False,
    outlined: bool = False,
    apart: bool = False,
    dissolves: bool = False,
    steps: bool = False,
) -> Named:
    """Name a construct's descriptor.

    An inline function of external linkage (C99, 6.7.4) may refer to nothing static:
    what it needs is hidden instead, under a name of the unit's own.
    """
    suffix = f"{constructs.tag}_{number}" if constructs.tag else str(number)
    if construct.home.external_inline and not constructs.tag:
        suffix += "_" + _unit_tag(os.getcwd(), constructs.source.path, constructs.source.text)
    own = constructs.tag if outlined else None
    return Named(
        construct,
        number,
        suffix,
        barriers=barriers,
        inlined=inlined,
        guarded=guarded,
        own=own,
        apart=apart,
        dissolves=dissolves,
        by_name=steps and not constructs.repeated and _may_be_named(constructs, construct),
        steps=steps,
        whole=constructs.is_whole(construct),
    )


@lru_cache(maxsize=1)
def _unit_tag(folder: str, path: str, text: str) -> str:
    """What no other unit's names have."""
    import hashlib  # dear, and seldom needed

    key = f"{folder}\0{path}\0{text}"
    return hashlib.sha256(key.encode("utf-8", "surrogateescape")).hexdigest()[:16]


@lru_cache
def _file_literal(folder: str, file: str) -> str:
    """The name of a file, as it is in full from a folder."""
    full = os.path.normpath(os.path.join(folder, file)) if file != "<stdin>" else file
    return quoted(encoded(full))


def _may_be_named(constructs: Constructs, construct: Construct) -> bool:
    """Return True if every call for a construct stands where a variable may be named.

    A `default` clause can exclude that.  A user region may end elsewhere than it begins.
    """
    if construct.control is not None:
        return all(map(_shares, constructs.items))
    return all(map(_shares, (construct, *constructs.around(construct))))


def _shares(construct: Construct) -> bool:
    """Return True if a variable of the file's is shared in the construct's block as it stands."""
    if construct.directive is None:
        return True
    default = construct.reading.clause("default") if construct.reading else None
    return construct.reading is not None and (default is None or default.argument == "shared")


def prologue(
    calls: set[str],
    cplusplus: bool,
    tag: str,
    repeated: bool,
    thread: str = "",
    empty: bool = False,
) -> str:
    """Return the declarations that a file needs once, before its first descriptor; `repeated` if
    another file of the unit may have some of them too; `thread` is what guards ask; `empty`
    if the calls are to be nothing."""
    extern = 'extern "C" ' if cplusplus else "extern "
    parts = ["struct ompregdescr;"]
    if repeated:
        parts += [f"_Pragma({quoted(words)})" for words in _QUIET]
    called = calls & {TEAM_SIZE} if empty else calls
    parts += declared(called, extern)
    if empty:
        nothing = {*calls, REGISTER} - called
        parts += (defined(c, signature(c), extern, _OURS) for c in sorted(nothing))
    if thread:
        parts.append(variable(thread, extern))
    if repeated:
        parts.append('_Pragma("GCC diagnostic pop")')
    parts.append(
        '_Pragma("pack(push, 8)") '
        f"struct {_tagged(_OBJECT, tag)} {{ {_MEMBERS} }}; "
        '_Pragma("pack(pop)")'
    )
    return " ".join(parts)


def registration(
    cplusplus: bool, tag: str, repeated: bool, empty: bool = False, early: bool = False
) -> str:
    """Return the constructor that registers the descriptors of all files that are linked together.
    `early` if they have to be known before the constructor that registers a device image runs: it
    makes libomp ask for a tool."""
    extern = 'extern "C" ' if cplusplus else "extern "
    bounds = f"{extern}struct ompregdescr *__{{}}_{SECTION}[] {_HIDDEN};"
    parts = [f"_Pragma({quoted(words)})" for words in _QUIET] if repeated else []
    parts += [bounds.format("start"), bounds.format("stop")]
    parts += [] if empty else declared({REGISTER}, extern)
    parts += ['_Pragma("GCC diagnostic pop")'] if repeated else []
    register = _tagged("__pomp_register", tag)
    if early:
        parts.append(
            f"static void {register}(void) __attribute__(({_OURS})); "
            f"static void (*{_tagged('__pomp_early', tag)})(void) "
            f'__attribute__((__section__("{_EARLY}"), __used__)) = {register};'
        )
    else:
        parts.append(
            f"static void {register}(void) __attribute__((__constructor__(101), {_OURS}));"
        )
    parts.append(
        f"static void {register}(void) {{ {REGISTER}(__start_{SECTION}, __stop_{SECTION}); }}"
    )
    return " ".join(parts)


def definitions(events: Sequence[str], tag: str) -> str:
    """Return the file's own functions for events that are outlined."""
    return " ".join(own_functions(events, tag, _OWN, defined=True))


def declarations(
    calls: set[str],
    members: list[Named],
    cplusplus: bool,
    events: Sequence[str] = (),
    tag: str = "",
) -> str:
    """What a file that the compiler reads more than once may have each time: no definition."""
    return " ".join(
        [
            "struct ompregdescr;",
            *(f"_Pragma({quoted(words)})" for words in _QUIET),
            *declared(calls, 'extern "C" ' if cplusplus else "extern "),
            *own_functions(events, tag, _OWN, defined=False),
            *(f"static {_UNUSED} {_head(member)};" for member in members),
            *(f"static {_UNUSED} {_leave_head(m)};" for m in members if m.construct.function),
            '_Pragma("GCC diagnostic pop")',
        ]
    )


def _tagged(name: str, tag: str) -> str:
    return f"{name}_{tag}" if tag else name


def group(constructs: Constructs, members: list[Named], first: int, cplusplus: bool) -> str:
    """The objects and functions of the constructs that one declaration holds."""
    parts: list[str] = []
    kind = f"struct {_tagged(_OBJECT, constructs.tag)}"
    for member in members:
        # A header's are in every unit that includes it: one of them stays.
        linkage = _HIDDEN if not constructs.tag else f"{_HIDDEN} __attribute__((__weak__))"
        hidden = member.construct.home.external_inline
        name = f"__pomp_d{member.suffix}"
        fields = _fields(constructs, member, cplusplus)
        if hidden:
            parts.append(f"extern {kind} {name} {linkage};")
        parts.append(f"{'' if hidden else 'static '}{kind} {name} = {{ {', '.join(fields)} }};")
        if not member.by_name:
            parts.append(_reach(member, linkage if hidden else "", cplusplus))
        if member.construct.function:
            parts.append(_leave(member, linkage if hidden else ""))
    addresses = ", ".join(f"&__pomp_d{m.suffix}" for m in members if not is_release(m.construct))
    if addresses:
        number = _tagged(constructs.tag, str(first)) if constructs.tag else str(first)
        parts.append(
            f"static {kind} *__pomp_list{number}[] "
            f'__attribute__((__section__("{SECTION}"), __used__)) = {{ {addresses} }};'
        )
    return " ".join(parts)


def _reach(member: Named, linkage: str, cplusplus: bool) -> str:
    name, head = f"__pomp_d{member.suffix}", _head(member)
    kind = f"static {_unstepped(member)}{_UNUSED}"
    if cplusplus:
        body = f"{{ return static_cast<struct ompregdescr *>(static_cast<void *>(&{name})); }}"
        return f"{kind} {head} {body}"
    body = f"{{ void *__pomp_object = &{name}; return (struct ompregdescr *)__pomp_object; }}"
    if linkage:
        return f"extern {head} {linkage} __attribute__(({_OURS})); {head} {body}"
    return f"{kind} {head} {body}"


def _unstepped(member: Named) -> str:
    """Return what keeps a debugger from stopping in a function that gives an address, and gcc
    from looking into it."""
    if member.steps or member.apart:
        return "__attribute__((__noinline__, __const__)) "
    if member.dissolves:
        # clang's pass for OpenMP goes through all functions of the unit for each function.
        return f"__inline__ {_INLINED} "
    return "__inline__ __attribute__((__nodebug__)) " if member.inlined else "__inline__ "


def _leave(member: Named, linkage: str) -> str:
    """What ends a measured function, whichever way that is left."""
    head = _leave_head(member)
    body = f"{{ (void)__pomp_at; {member.called('End')}({member.reach}); }}"
    if linkage:
        return f"extern {head} {linkage} __attribute__(({_OURS})); {head} {body}"
    if member.steps:
        return f"static {_UNUSED} __attribute__((__noinline__)) {head} {body}"
    inlined = f"{_INLINED} " if member.inlined else ""
    return f"static __inline__ {_UNUSED} {inlined}{head} {body}"


def _leave_head(member: Named) -> str:
    return f"void {member.leave}(void *const *__pomp_at)"


def _head(member: Named) -> str:
    return f"struct ompregdescr *__pomp_rd{member.suffix}(void)"


def _fields(constructs: Constructs, member: Named, cplusplus: bool) -> list[str]:
    source, construct = constructs.source, member.construct
    file, begin = source.place(construct.begin.start)
    null = "__null" if cplusplus else "0"
    last = construct.block.end if construct.block else construct.begin.end
    end = construct.extent.end
    if construct.control is not None and construct.pair is not None:
        closing = constructs.items[construct.pair].begin
        end1, end_n = source.line(closing.start), source.line(closing.end - 1)
    else:
        end1 = end_n = source.line(max(last, end) - 1)
    return [
        quoted(descriptor_name(construct)),
        quoted(encoded(_sub_name(construct))) if construct.sub_name else null,
        str(_num_sections(construct)),
        _file_literal(os.getcwd(), file),
        str(begin),
        str(source.line(construct.begin.end - 1)),
        str(end1),
        str(end_n),
        null,
        null,
        f"sizeof(struct {_tagged(_OBJECT, constructs.tag)})",
        str(int(flags(construct, member.barriers, member.whole))),
        str(source.column(construct.begin.start)),
        quoted(clauses_text(construct)),
        quoted(encoded(construct.home.function)),
    ]


def descriptor_name(construct: Construct) -> str:
    """The descriptor's `name`: the directive's words, "lock", or "region"."""
    return "region" if construct.function is not None else construct.kind


def _sub_name(construct: Construct) -> str:
    return construct.sub_name[:_LONGEST_TEXT] if construct.function else construct.sub_name


def clauses_text(construct: Construct) -> str:
    """The clauses as one text, cut where a string literal may no longer be portable."""
    if construct.reading is None:
        return ""
    return " ".join(map(str, construct.reading.clauses))[:_LONGEST_TEXT]


def _num_sections(construct: Construct) -> int:
    if construct.leaf is None or construct.leaf.form is not Form.SECTIONS:
        return 0
    return len(construct.separators) + construct.implicit_first_section


def quoted(text: str) -> str:
    """A string literal of C and C++ whose value is `text`; bytes outside ASCII, and what
    could become a trigraph, are octal."""
    out = []
    for character in text:
        if character in '"\\':
            out.append("\\" + character)
        elif " " <= character <= "~" and character != "?":
            out.append(character)
        else:
            out.extend(f"\\{byte:03o}" for byte in bytes_of(character))
    return '"' + "".join(out) + '"'
