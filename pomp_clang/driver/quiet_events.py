"""Events that gcc's coverage does not see: a call ends a block, one of a function that gcc
knows to come back does not.

Such a function is `GOMP_offload_register_ver`, which mkoffload alone writes calls of; here its
name is that of a function of the unit's own, which calls what it is handed.  It is handed
functions alone, for a variable may not be named in a region that says default(none).
"""

from __future__ import annotations

import re
from collections.abc import Sequence

_KNOWN = "GOMP_offload_register_ver"
_EVENT, _VALUE, _TOLD, _CONTROL = range(4)

_LOCKS = {
    f"{verb}_{nest}lock": kind
    for verb, kind in (("Set", "void"), ("Unset", "void"), ("Test", "int"))
    for nest in ("", "nest_")
}
_OURS = "__nothrow__, __no_profile_instrument_function__, __no_instrument_function__"


def _locked(name: str, kind: str) -> str:
    """What is called for a lock's routine: it has the function of a descriptor for that."""
    types = "(void *, struct ompregdescr *)"
    parameters = "(void *__pomp_lock, struct ompregdescr *__pomp_at)"
    call = f"POMP_{name}(__pomp_lock, __pomp_cast(struct ompregdescr *(*)(void), __pomp_at)())"
    return (
        f"__POMP_C {kind} POMP_{name}{types} "
        '__attribute__((__visibility__("default"), __nothrow__)); '
        f"static {kind} __pomp_{name}{parameters} __attribute__((__unused__, {_OURS})); "
        f"static {kind} __pomp_{name}{parameters} "
        f"{{ {'' if kind == 'void' else 'return '}{call}; }}"
    )


DISPATCH = "\n".join(
    [
        "#ifdef __cplusplus",
        '#define __POMP_C extern "C"',
        "#define __pomp_cast(type, value) (__extension__ reinterpret_cast<type>(value))",
        "#else",
        "#define __POMP_C extern",
        "#define __pomp_cast(type, value) (__extension__ (type)(value))",
        "#endif",
        "struct ompregdescr;",
        "static void __pomp_dispatch(unsigned, void *, int, void *) "
        f'__asm__("{_KNOWN}") __attribute__((__used__, {_OURS}));',
        "static void __pomp_dispatch(unsigned __pomp_form, void *__pomp_at, "
        "int __pomp_none, void *__pomp_call) { (void)__pomp_none; switch (__pomp_form) {",
        f"case {_EVENT}: __pomp_cast(void (*)(void *), __pomp_call)"
        "(__pomp_cast(void *(*)(void), __pomp_at)()); break;",
        f"case {_VALUE}: *__pomp_cast(void **, __pomp_at) = "
        "__pomp_cast(void *(*)(void), __pomp_call)(); break;",
        f"case {_TOLD}: __pomp_cast(void (*)(void *), __pomp_call)(__pomp_at); break;",
        "default: __pomp_cast(void (*)(void), __pomp_call)(); } }",
        *(_locked(name, kind) for name, kind in _LOCKS.items()),
        "#undef __POMP_C",
        "",
    ]
).encode()
"""What the source's text begins with."""

_CALL = re.compile(
    rb"\b(?:(?P<event>POMP_\w+)\((?P<reach>__pomp_rd\w+)\(\)\)"
    rb"|(?P<value>POMP_Get_\w+)\(\)"
    rb"|(?P<told>POMP_Set_\w+)\((?P<token>__pomp_\w+)\)"
    rb"|(?P<control>POMP_(?:Init|Finalize|On|Off|Snapshot))\(\);)"
)
_ADDRESS = b"__pomp_cast(void *, %b)"
_LOCK = re.compile(rb"\b(?<!void )(?<!int )POMP_((?:Set|Unset|Test)_(?:nest_)?lock)\b")
_LOCKED = re.compile(rb", (__pomp_rd\w+)\(\)(?=/\*pomp-line|\))")


def may_be_quiet(given: Sequence[str]) -> bool:
    """Whether gcc knows the function, and the name is not looked for in another unit."""
    return "-fopenmp" in given and not any(word.startswith("-flto") for word in given)


def quiet(text: bytes) -> bytes:
    """A text's calls as such that end no block."""
    text = _LOCK.sub(rb"__pomp_\1", text)
    text = _LOCKED.sub(rb", __pomp_cast(struct ompregdescr *, \1)", text)
    return _CALL.sub(_handed, text)


def _handed(call: re.Match[bytes]) -> bytes:
    if call["event"]:
        return _dispatched(_EVENT, _ADDRESS % call["reach"], call["event"])
    if call["told"]:
        return _dispatched(_TOLD, call["token"], call["told"])
    if call["control"]:
        return _dispatched(_CONTROL, _ADDRESS % call["control"], call["control"]) + b";"
    made = _dispatched(_VALUE, b"&__pomp_got", call["value"])
    return b"(__extension__ ({ void *__pomp_got; %b; __pomp_got; }))" % made


def _dispatched(form: int, at: bytes, function: bytes) -> bytes:
    words = _KNOWN.encode(), form, at, _ADDRESS % function
    return b"__builtin_%b(%d, %b, 0, %b)" % words
