"""The constructs of a Fortran text as OPARI2 sees them, from the descriptors that it writes.

A descriptor is a string, broken over continuation lines:
`93*regionType=paralleldo*sscl=FILE:4:4*escl=FILE:7:7*hasReduction=1**`.
"""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

_BROKEN = re.compile(r'"\s*//\s*&?\s*\n\s*&?\s*"')
_REGION = re.compile(r"regionType=(\w+)\*sscl=[^*]*:(\d+):\d+\*escl=[^*]*:\d+:(\d+)\*")
_USER = frozenset(("region", "userregion"))

Region = tuple[str, int, int]
"""The kind without blanks, and the lines of the first directive and of the end."""


def instrumented(source: Path, output: Path, fixed: bool) -> list[Region] | None:
    """Run OPARI2 on a source; return what it has instrumented, None if it refuses the source."""
    form = ["--f77", "--fix-form"] if fixed else ["--f90", "--free-form"]
    command = ["opari2", *form, str(source), str(output)]
    result = subprocess.run(command, cwd=output.parent, capture_output=True, timeout=60)
    descriptors = source.with_name(f"{source.name}.opari.inc")
    if result.returncode or not output.exists():
        return None
    return regions_in(descriptors.read_text(errors="replace")) if descriptors.exists() else []


def regions_in(descriptors: str) -> list[Region]:
    """Return the constructs of OPARI2's descriptors, in their order."""
    matches = _REGION.findall(_BROKEN.sub("", descriptors))
    return [(kind, int(first), int(last)) for kind, first, last in matches if kind not in _USER]
