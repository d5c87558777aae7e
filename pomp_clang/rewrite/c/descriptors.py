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

from pomp_clang.frontend.constructs import Constructs
from pomp_clang.frontend.source import encoded, mapped
from pomp_clang.rewrite.c.c_text import HIDDEN, OURS, QUIET, declared, quoted, tagged
from pomp_clang.rewrite.c.descriptor_names import DescriptorNames
from pomp_clang.rewrite.c.outlined_events import own_functions
from pomp_clang.rewrite.c.repeated_headers import number_declaration
from pomp_clang.rewrite.descriptor import descriptor_values, is_release

SECTION = "pomp_descriptors"

MEMBERS = (
    "const char *__name; const char *__sub_name; int __num_sections; const char *__file_name; "
    "int __begin_line1; int __begin_lineN; int __end_line1; int __end_lineN; void *__data; "
    "struct ompregdescr *__next; unsigned __size; unsigned __flags; int __begin_column; "
    "const char *__clauses; const char *__function; const char *__included_from;"
)
"""The members of the object, as `struct ompregdescr` of pomp.h has them."""

# A function that may throw makes code of C++ need its runtime library, which a link by a C compiler
# does not have.
_UNUSED = f"__attribute__((__unused__, __nothrow__, {OURS}))"
_UNSEEN = "__attribute__((__noinline__, __const__))"
_OWN = f"__attribute__((__unused__, __nodebug__, __nothrow__, {OURS}))"
_INLINED = "__attribute__((__always_inline__, __nodebug__))"

OBJECT = "__pomp_descriptor"


def definitions(events: Sequence[str], tag: str) -> str:
    """Return the file's own functions for events that are outlined."""
    return " ".join(own_functions(events, tag, _OWN, defined=True))


def declarations(
    calls: set[str],
    members: list[DescriptorNames],
    cplusplus: bool,
    events: Sequence[str] = (),
    tag: str = "",
    is_counted: bool = False,
) -> str:
    """Return the declarations for each reading of a file that the compiler reads repeatedly.

    There is no definition among them. `is_counted` is True if the readings have descriptors of
    their own.
    """
    return " ".join(
        [
            "struct ompregdescr;",
            *(f"_Pragma({quoted(words)})" for words in QUIET),
            *([number_declaration(tag)] if is_counted else ()),
            *declared(calls, 'extern "C" ' if cplusplus else "extern "),
            *own_functions(events, tag, _OWN, defined=False),
            *(f"static {_UNUSED} {_function_head(member)};" for member in members),
            *(f"static {_UNUSED} {_leave_head(m)};" for m in members if m.construct.function),
            '_Pragma("GCC diagnostic pop")',
        ]
    )


def group(
    constructs: Constructs,
    members: list[DescriptorNames],
    first: int,
    cplusplus: bool,
    is_each: bool = True,
) -> str:
    """Return the objects and functions of the constructs that one declaration holds.

    With `is_each`, each place at which a header is included inside a declaration has its own.
    """
    parts: list[str] = []
    kind = f"struct {tagged(OBJECT, constructs.tag)}"
    listed: list[str] = []
    for member in members:
        if constructs.enclosures:
            numbers = (None,) if not is_each else member.construct.readings
            parts.append(_of_readings(constructs, member, kind, numbers, cplusplus))
            if member.construct.function:
                parts.append(_leave(member, ""))
            listed += _listed_readings(member, len(numbers))
            continue
        # A header's are in every unit that includes it: one of them stays.
        linkage = HIDDEN if not constructs.tag else f"{HIDDEN} __attribute__((__weak__))"
        hidden = member.construct.declaration_site.external_inline
        name = f"__pomp_d{member.suffix}"
        fields = _fields(constructs, member, cplusplus)
        if not is_release(member.construct):
            listed.append(f"&{name}")
        if hidden:
            parts.append(f"extern {kind} {name} {linkage};")
        parts.append(f"{'' if hidden else 'static '}{kind} {name} = {{ {', '.join(fields)} }};")
        if not member.by_name and not member.entry:
            parts.append(_reach(member, linkage if hidden else "", cplusplus))
        if member.construct.function:
            parts.append(_leave(member, linkage if hidden else ""))
    addresses = ", ".join(listed)
    if addresses:
        name = list_suffix(constructs, first)
        # Larger arrays are aligned to 16 bytes else, and clang 16 and 17 fill gaps with code.
        attributes = f'__section__("{SECTION}"), __used__, __aligned__(sizeof(void *))'
        parts.append(
            f"static {kind} *__pomp_list{name}[] __attribute__(({attributes})) = {{ {addresses} }};"
        )
        if any(member.entry for member in members):
            parts.append(_entry(name, cplusplus))
    return " ".join(parts)


def _listed_readings(member: DescriptorNames, count: int) -> list[str]:
    """Return the addresses of the descriptors of a construct's readings."""
    if is_release(member.construct):
        return []
    name = f"&__pomp_d{member.suffix}"
    return [f"{name}[{number}]" for number in range(count)] if member.inclusion else [name]


def _of_readings(
    constructs: Constructs,
    member: DescriptorNames,
    kind: str,
    numbers: Sequence[int | None],
    cplusplus: bool,
) -> str:
    """Return the objects for some readings of a file that is included inside declarations, and the
    function that gives their addresses.

    None stands for all readings together.
    """
    name = f"__pomp_d{member.suffix}"
    values = [", ".join(_fields(constructs, member, cplusplus, number)) for number in numbers]
    if not member.inclusion:
        return f"static {kind} {name} = {{ {values[0]} }}; {_reach(member, '', cplusplus)}"
    objects = ", ".join(f"{{ {value} }}" for value in values)
    index, table = "", list(range(len(numbers)))
    if numbers != tuple(table):
        at = {number: place for place, number in enumerate(numbers)}
        table = [at.get(number, 0) for number in range(len(constructs.enclosures))]
        places = ", ".join(map(str, table))
        index = f"static const int __pomp_at{member.suffix}[] = {{ {places} }}; "
    reach = _reach(member, "", cplusplus, is_listed=bool(index))
    return f"static {kind} {name}[] = {{ {objects} }}; {index}{reach}"


def list_suffix(constructs: Constructs, first: int) -> str:
    """Return the end of the name of the list whose first descriptor has the number `first`."""
    return tagged(constructs.tag, str(first)) if constructs.tag else str(first)


def _entry(name: str, cplusplus: bool) -> str:
    """Return the function that returns an entry of a list."""
    entry = f"__pomp_list{name}[__pomp_at]"
    value = f"(struct ompregdescr *)(void *){entry}"
    if cplusplus:
        value = f"static_cast<struct ompregdescr *>(static_cast<void *>({entry}))"
    head = f"struct ompregdescr *__pomp_entry{name}(int __pomp_at)"
    return f"static {_UNSEEN} {_UNUSED} {head} {{ return {value}; }}"


def _reach(member: DescriptorNames, linkage: str, cplusplus: bool, is_listed: bool = False) -> str:
    """Return the function that gives a descriptor's address.

    `is_listed` is True if a table has the index of an inclusion's descriptor.
    """
    name, head = f"__pomp_d{member.suffix}", _function_head(member)
    if member.inclusion:
        number = "__pomp_number"
        name += f"[__pomp_at{member.suffix}[{number}]]" if is_listed else f"[{number}]"
    kind = f"static {_unstepped(member)}{_UNUSED}"
    if cplusplus:
        body = f"{{ return static_cast<struct ompregdescr *>(static_cast<void *>(&{name})); }}"
        return f"{kind} {head} {body}"
    body = f"{{ void *__pomp_object = &{name}; return (struct ompregdescr *)__pomp_object; }}"
    if linkage:
        return f"extern {head} {linkage} __attribute__(({OURS})); {head} {body}"
    return f"{kind} {head} {body}"


def _unstepped(member: DescriptorNames) -> str:
    """Return what keeps a debugger from stopping in a function that gives an address, and gcc
    from looking into it."""
    if member.steps or member.separate:
        return f"{_UNSEEN} "
    if member.dissolves:
        # clang's pass for OpenMP goes through all functions of the unit for each function.
        return f"__inline__ {_INLINED} "
    return "__inline__ __attribute__((__nodebug__)) " if member.inlined else "__inline__ "


def _leave(member: DescriptorNames, linkage: str) -> str:
    """Return the function that ends a measured function, whichever way the latter is left."""
    head = _leave_head(member)
    body = f"{{ (void)__pomp_at; {member.called('End')}({member.reach}); }}"
    if linkage:
        return f"extern {head} {linkage} __attribute__(({OURS})); {head} {body}"
    if member.steps:
        return f"static {_UNUSED} __attribute__((__noinline__)) {head} {body}"
    inlined = f"{_INLINED} " if member.inlined else ""
    return f"static __inline__ {_UNUSED} {inlined}{head} {body}"


def _leave_head(member: DescriptorNames) -> str:
    return f"void {member.leave}(void *const *__pomp_at)"


def _function_head(member: DescriptorNames) -> str:
    parameter = "int __pomp_number" if member.inclusion else "void"
    return f"struct ompregdescr *__pomp_rd{member.suffix}({parameter})"


def _fields(
    constructs: Constructs, member: DescriptorNames, cplusplus: bool, reading: int | None = None
) -> list[str]:
    """Return the initializers of a descriptor's object, in the order of `MEMBERS`."""
    values = descriptor_values(
        constructs, member.construct, member.barriers, member.from_outside, reading
    )
    null, maps = "__null" if cplusplus else "0", constructs.prefix_maps
    return [
        quoted(values.name),
        quoted(encoded(values.sub_name)) if values.sub_name else null,
        str(values.num_sections),
        _file_literal(os.getcwd(), values.file, maps),
        str(values.begin_line1),
        str(values.begin_line_n),
        str(values.end_line1),
        str(values.end_line_n),
        null,
        null,
        f"sizeof(struct {tagged(OBJECT, constructs.tag)})",
        str(int(values.flags)),
        str(values.begin_column),
        quoted(values.clauses),
        quoted(encoded(values.function)),
        _places_literal(os.getcwd(), values.included_from, maps) if values.included_from else null,
    ]


@lru_cache(maxsize=4096)
def _places_literal(
    folder: str, places: tuple[tuple[str, int], ...], prefix_maps: tuple[str, ...]
) -> str:
    """Return the literal of places with their files' full names, one on a line."""
    lines = (f"{_full(folder, file, prefix_maps)}:{line}" for file, line in places)
    return quoted(encoded("\n".join(lines))).replace("\n", "\\n")


@lru_cache
def _file_literal(folder: str, file: str, prefix_maps: tuple[str, ...]) -> str:
    """Return the literal of a file's full name, seen from a folder."""
    return quoted(encoded(_full(folder, file, prefix_maps)))


def _full(folder: str, file: str, prefix_maps: tuple[str, ...]) -> str:
    if file == "<stdin>":
        return file
    return mapped(os.path.normpath(os.path.join(folder, file)), prefix_maps)
