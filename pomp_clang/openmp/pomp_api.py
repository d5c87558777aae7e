"""The POMP API: the numbers of descriptors, the directives of its own, and the OpenMP routines that become
its calls (POMP paper, sections 3.2 to 3.4 and 3.7).

Both spellings hold: `#pragma pomp inst on` and `#pragma omp inst on`,
`#pragma pomp noinstrument` and `#pragma omp noinstrument`."""

from __future__ import annotations

import re
from enum import IntFlag

from pomp_clang.record import record

POMP_VERSION = 202611
"""YYYYMM of the API: the value of _POMP, and POMP_VERSION of pomp.h."""


class DescriptorFlag(IntFlag):
    """`enum ompregdescr_flags` of pomp.h."""

    BARRIER_NOT_MEASURED = 1
    NOWAIT = 2
    FUNCTION = 4
    RELEASE = 8
    UNTIED = 16
    OMPT = 32
    ARRIVAL = 64


@record
class Control:
    """One control directive; `call` is the POMP function it becomes, or ""."""

    words: str
    call: str = ""
    named: bool = False


CONTROLS: dict[str, Control] = {
    c.words: c
    for c in (
        Control("inst init", "POMP_Init"),
        Control("inst finalize", "POMP_Finalize"),
        Control("inst on", "POMP_On"),
        Control("inst off", "POMP_Off"),
        Control("inst snapshot", "POMP_Snapshot"),
        Control("inst begin", "POMP_Begin", named=True),
        Control("inst end", "POMP_End", named=True),
        Control("noinstrument"),
        Control("instrument"),
    )
}

VALUE_TYPES = {"int": "long", "unsigned": "unsigned long", "real": "double"}
"""The C types of the values that POMP_Value_int and its like take."""

_FORM = re.compile(r"\s*((?:inst\s+)?[a-z]+)\s*(?:\(\s*(\w+)\s*(?:,\s*(.*?)\s*)?\))?\s*\Z", re.S)


@record
class ControlReading:
    """A control directive as written: `name` of the region, `value` the variable that
    begin and end may pass (section 3.10), whose `type` ends the name of what takes it."""

    control: Control
    name: str
    value: str
    type: str = ""


def read_control(body: str) -> ControlReading | None:
    """Read the body of a directive of POMP's own; return None for any other."""
    match = _FORM.match(body)
    if match is None:
        return None
    control = CONTROLS.get(" ".join(match.group(1).split()))
    if control is None or control.named != (match.group(2) is not None):
        return None
    return ControlReading(control, match.group(2) or "", match.group(3) or "")


@record
class Routine:
    """A routine, the POMP function that replaces it, and whether it lets a lock go."""

    name: str
    replacement: str
    releases: bool = False


ROUTINES: dict[str, Routine] = {
    r.name: r
    for r in (
        Routine("omp_set_lock", "POMP_Set_lock"),
        Routine("omp_unset_lock", "POMP_Unset_lock", releases=True),
        Routine("omp_test_lock", "POMP_Test_lock"),
        Routine("omp_set_nest_lock", "POMP_Set_nest_lock"),
        Routine("omp_unset_nest_lock", "POMP_Unset_nest_lock", releases=True),
        Routine("omp_test_nest_lock", "POMP_Test_nest_lock"),
    )
}
