"""Rules for the constructs of a project's headers."""

from __future__ import annotations

import os

from pomp_clang.frontend.c.declaration_site import device_extents
from pomp_clang.frontend.c.files import UnitFile, UnitFiles
from pomp_clang.frontend.c.source import CSourceText


def header_tag(source: CSourceText) -> str:
    """Return a tag that no other header's names have.

    The tag is the same in all units that read the same text. The preprocessor's blanks differ where
    directives are written out, so blanks do not count.
    """
    import hashlib  # dear, and most units have no such header

    lines = ("".join(line.split()) for line in source.text.split("\n"))
    text = "\n".join((os.path.abspath(source.path), *lines))
    return hashlib.sha256(text.encode("utf-8", "surrogateescape")).hexdigest()[:8]


def header_refusal(files: UnitFiles, file: UnitFile) -> str:
    """Return why no construct of a header may be rewritten, or ""."""
    for fault in file.view.faults:
        if fault.is_missing_file:
            return f"the header cannot be parsed (line {fault.line}: {fault.text})"
    if file.path in files.tree.beneath_system:
        return "a system header includes it"
    return file.unclear


def among_device_code(files: UnitFiles) -> set[str]:
    """Return the files that are included between declare target and its end."""
    entered = files.tree.entered
    included = {
        way.path
        for file in (files.main, *files.headers)
        for extent in device_extents(file.pragmas, len(file.source.text))
        for way in entered.between(file.path, extent.start, extent.end)
    }
    return entered.beneath(included)
