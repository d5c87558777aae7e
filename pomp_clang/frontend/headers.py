"""What is particular to the constructs of a project's headers."""

from __future__ import annotations

import os

from pomp_clang.frontend.files import File, Files
from pomp_clang.frontend.home import device_extents
from pomp_clang.frontend.source import Source


def header_tag(source: Source) -> str:
    """What no other header's names have: the same in all units, since one command that
    compiles several reads the same text in each."""
    import hashlib  # dear, and most units have no such header

    path = os.path.abspath(source.path)
    return hashlib.sha256(f"{path}\0{source.text}".encode("utf-8", "surrogateescape")).hexdigest()[
        :8
    ]


def header_refusal(files: Files, file: File) -> str:
    """Why no construct of a header may be rewritten; or ""."""
    for fault in file.view.faults:
        if fault.is_missing_file:
            return f"the header cannot be parsed (line {fault.line}: {fault.text})"
    if file.path in files.tree.beneath_system:
        return "a system header includes it"
    return ""


def among_device_code(files: Files) -> set[str]:
    """Return the files that are included between declare target and its end."""
    entered = files.tree.entered
    found = {
        way.path
        for file in (files.main, *files.headers)
        for extent in device_extents(file.pragmas, len(file.source.text))
        for way in entered.between(file.path, extent.start, extent.end)
    }
    return entered.beneath(found)
