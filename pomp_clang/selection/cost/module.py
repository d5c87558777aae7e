"""The functions of an LLVM module as text, block by block, and their places in the source.

llvmlite's own LLVM writes the text, whatever compiler wrote the bitcode, so there is one syntax to
read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from pomp_clang.record import record
from pomp_clang.selection.cost.debug_information import DebugInformation
from pomp_clang.selection.cost.simplified import simplified

_SYMBOL = r'"[^"]+"|[\w.$-]+'
_DEFINE = re.compile(rf"define [^@]*@({_SYMBOL})\(")
_LABEL = re.compile(rf"({_SYMBOL}):")
_INSTRUCTION = re.compile(rf"  (?:%({_SYMBOL}) = )?(?:(?:tail|musttail|notail) )?(\w+)")
_CALLEE = re.compile(rf"@({_SYMBOL})\(")
_REFERENCE = re.compile(rf"@({_SYMBOL})")
_SUCCESSOR = re.compile(rf"label %({_SYMBOL})")
_LOCATED = re.compile(r"!dbg !(\d+)")
_WEIGHTED = re.compile(r"!prof !(\d+)")
_NODE = re.compile(r"^!(\d+) = (.*!DI(?:Location|Subprogram|LexicalBlock\w*|File)\(.*)$", re.M)
_WEIGHTS = re.compile(r'^!(\d+) = !\{!"branch_weights", (?:!"expected", )?(.*)\}$', re.M)
_CALLS = frozenset(("call", "invoke", "callbr"))


class Instruction(NamedTuple):
    """An instruction: `location` is the number of its node, or 0.

    `calls` is the function that it calls, "" for a call through a pointer, None for no call.
    """

    result: str
    opcode: str
    text: str
    location: int
    calls: str | None

    @property
    def references(self) -> list[str]:
        """The functions and objects in the instruction, without the function that it calls."""
        return [name.strip('"') for name in _REFERENCE.findall(self.text)][1:]


class BasicBlock(NamedTuple):
    """A basic block; its last instruction names the successors."""

    label: str
    instructions: list[Instruction]

    @property
    def last(self) -> Instruction:
        return self.instructions[-1]

    @property
    def successors(self) -> list[str]:
        return [label.strip('"') for label in _SUCCESSOR.findall(self.last.text)]

    @property
    def weights(self) -> int:
        """The node with the weights of its branches, or 0."""
        match = _WEIGHTED.search(self.last.text)
        return int(match[1]) if match else 0


@record
class Code:
    """A function that the module defines; `subprogram` is the node of its source."""

    name: str
    local: bool
    subprogram: int
    blocks: list[BasicBlock]


@record
class Module:
    """The functions of an LLVM module, their places in the source, and weights of branches."""

    functions: list[Code]
    debug: DebugInformation
    weights: dict[int, list[float]]


def read(bitcode: bytes) -> Module:
    """Read a module in bitcode, simplified.

    Raises ValueError with one line if it cannot be read, ImportError where llvmlite is missing.
    """
    return parse(simplified(bitcode))


def parse(text: str) -> Module:
    """Parse a module as llvmlite's LLVM writes it."""
    code, metadata, rest = text.partition("\n!")
    lines = iter(code.splitlines())
    functions = [_function(line, lines) for line in lines if line.startswith("define ")]
    metadata += rest
    weights = {
        int(number): [float(weight.split()[1]) for weight in listed.split(", ")]
        for number, listed in _WEIGHTS.findall(metadata)
    }
    nodes = {int(number): node for number, node in _NODE.findall(metadata)}
    return Module(functions, DebugInformation(nodes), weights)


def _function(head: str, lines: Iterator[str]) -> Code:
    named = _DEFINE.match(head)
    located = _LOCATED.search(head)
    blocks = [BasicBlock("", [])]
    for line in lines:
        if line == "}":
            break
        if line.startswith("  ") and line[2] not in " ]#":
            blocks[-1].instructions.append(_instruction(line))
        elif line.startswith("   ") and "#dbg" not in line and blocks[-1].instructions:
            blocks[-1].instructions[-1] = _append_line(blocks[-1].last, line)
        elif label := _LABEL.match(line):
            if blocks[-1].instructions:
                blocks.append(BasicBlock(label[1].strip('"'), []))
            else:
                blocks[-1] = BasicBlock(label[1].strip('"'), [])
    return Code(
        named[1].strip('"') if named else "",
        " internal " in head or " private " in head,
        int(located[1]) if located else 0,
        blocks,
    )


def _instruction(line: str) -> Instruction:
    match = _INSTRUCTION.match(line)
    result, opcode = (match[1] or "", match[2]) if match else ("", "")
    at = line.rfind("!dbg !")
    located = _LOCATED.match(line, at) if at > 0 else None
    calls = None
    if opcode in _CALLS:
        named = _CALLEE.search(line)
        calls = named[1].strip('"') if named else "llvm.asm" if " asm " in line else ""
    return Instruction(result, opcode, line, int(located[1]) if located else 0, calls)


def _append_line(first: Instruction, line: str) -> Instruction:
    """Append a line to an instruction of several lines: a switch, an invoke."""
    text = f"{first.text} {line.strip()}"
    located = _LOCATED.search(line)
    location = int(located[1]) if located else first.location
    return Instruction(first.result, first.opcode, text, location, first.calls)
