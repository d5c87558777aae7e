"""The directives of the POMP API itself (POMP paper, sections 3.3, 3.4 and 3.7).

Both spellings hold: `#pragma pomp inst on` and `#pragma omp inst on`,
`#pragma pomp noinstrument` and `#pragma omp noinstrument`.
"""

from __future__ import annotations

import re

from pomp_clang.record import record


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
