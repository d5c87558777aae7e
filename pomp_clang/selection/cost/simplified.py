"""Simplify a unit's bitcode as far as the estimates need it.

Variables become values, constant arguments too, and small functions are inlined, so that the
counter of a loop over an iterator shows. A full optimization would take as long as the compile, and hardly change a decision.
"""

from __future__ import annotations

import re
from typing import Any

SMALL = 12
"""Lines of text up to which a function is inlined, its first and last line included."""

_DEFINITION = re.compile(
    r'^define [^@\n]*@("[^"\n]+"|[\w.$-]+)\([^\n]* #(\d+)[^\n]*$', re.MULTILINE
)
_ATTRIBUTES = re.compile(r"^attributes #(\d+) = \{([^}\n]*)\}", re.MULTILINE)
_KEEPS_CALLS = re.compile(r"\b(?:noinline|optnone)\b")

_VALUES = ("sroa", "simplify_cfg", "instruction_combine")
_INLINING = ("ipsccp", "always_inliner", "global_dead_code_eliminate", *_VALUES, "simplify_cfg")


def simplified(bitcode: bytes) -> str:
    """Return a module in bitcode as text, simplified.

    Raises ValueError with one line if it cannot be read, ImportError where llvmlite is missing.
    """
    from llvmlite import binding

    try:
        module = binding.parse_bitcode(bitcode)
    except RuntimeError as error:
        raise ValueError(" ".join(str(error).split())) from None
    _run(module, _VALUES)
    for name in _small(str(module)):
        module.get_function(name).add_function_attribute("alwaysinline")
    _run(module, _INLINING)
    return str(module)


def _small(text: str) -> list[str]:
    """Return the functions that are inlined wherever they are called."""
    kept = {number for number, words in _ATTRIBUTES.findall(text) if _KEEPS_CALLS.search(words)}
    return [
        match[1].strip('"')
        for match in _DEFINITION.finditer(text)
        if match[2] not in kept
        and text.count("\n", match.start(), text.find("\n}", match.end())) < SMALL
    ]


def _run(module: Any, passes: tuple[str, ...]) -> None:
    from llvmlite import binding

    manager = binding.create_new_module_pass_manager()
    for name in passes:
        getattr(manager, f"add_{name}_pass")()
    # No target machine, which would print the features that llvmlite's LLVM does not know, as one
    # of `-march=native`.
    options = binding.create_pipeline_tuning_options()
    manager.run(module, binding.create_pass_builder(None, options))
