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
    known = {files.main.path, "", *(way.path for way in files.tree.inclusions)}
    if any(way.includer not in known for way in files.tree.ways(file.path)):
        return "a system header includes it"
    return ""


def among_device_code(files: Files, file: File) -> bool:
    """Whether the file is included between declare target and its end."""
    by_path = {each.path: each for each in (files.main, *files.headers)}
    for way in files.tree.ways(file.path):
        includer = by_path.get(way.includer)
        if includer is not None:
            extents = device_extents(includer.pragmas, len(includer.source.text))
            if any(extent.start <= way.offset < extent.end for extent in extents):
                return True
    return False
