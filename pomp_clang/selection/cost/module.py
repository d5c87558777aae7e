"""A module of LLVM as text -> its functions, block by block, and the source that they are from.

The text is that of llvmlite's own LLVM, whatever wrote the bitcode: one way of writing to read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from pomp_clang.record import record

_SYMBOL = r'"[^"]+"|[\w.$-]+'
_DEFINE = re.compile(rf"define [^@]*@({_SYMBOL})\(")
_LABEL = re.compile(rf"({_SYMBOL}):")
_INSTRUCTION = re.compile(rf"  (?:%({_SYMBOL}) = )?(?:(?:tail|musttail|notail) )?(\w+)")
_CALLEE = re.compile(rf"@({_SYMBOL})\(")
_REFERENCE = re.compile(rf"@({_SYMBOL})")
_SUCCESSOR = re.compile(rf"label %({_SYMBOL})")
_LOCATED = re.compile(r"!dbg !(\d+)")
_WEIGHTED = re.compile(r"!prof !(\d+)")
_NODE = re.compile(r"!(\d+) = (?:distinct )?!DI(Location|Subprogram|LexicalBlock\w*|File)\((.*)\)$")
_WEIGHTS = re.compile(r'!(\d+) = !\{!"branch_weights", (?:!"expected", )?(.*)\}$')
_FIELD = re.compile(r'(\w+): ("(?:[^"\\]|\\.)*"|[^,"]+)')
_CALLS = frozenset(("call", "invoke", "callbr"))


@record
class Instruction:
    """`location` is the number of its node, 0 without one; `calls` what it calls ("" through
    a pointer), None if it is no call."""

    result: str
    opcode: str
    text: str
    location: int
    calls: str | None

    @property
    def references(self) -> list[str]:
        """The functions and objects that it names besides the one that it calls."""
        return [each.strip('"') for each in _REFERENCE.findall(self.text)][1:]


@record
class Block:
    """Straight code; its last instruction says which blocks may be next."""

    label: str
    instructions: list[Instruction]

    @property
    def last(self) -> Instruction:
        return self.instructions[-1]

    @property
    def successors(self) -> list[str]:
        return [each.strip('"') for each in _SUCCESSOR.findall(self.last.text)]

    @property
    def weights(self) -> int:
        """The node that weighs its branches, 0 without one."""
        found = _WEIGHTED.search(self.last.text)
        return int(found[1]) if found else 0


@record
class Code:
    """A function that the module defines; `subprogram` is the node of its source."""

    name: str
    local: bool
    subprogram: int
    blocks: list[Block]


@record
class Module:
    """Its functions, and the nodes about their source: kind and fields by number."""

    functions: list[Code]
    nodes: dict[int, tuple[str, dict[str, str]]]
    weights: dict[int, list[float]]


def read(bitcode: bytes) -> Module:
    """A module in bitcode.  Raises ValueError with one line if it is none that can be read,
    ImportError where llvmlite cannot be loaded."""
    from llvmlite import binding

    try:
        text = str(binding.parse_bitcode(bitcode))
    except RuntimeError as error:
        raise ValueError(" ".join(str(error).split())) from None
    return parse(text)


def parse(text: str) -> Module:
    """A module as llvmlite's LLVM writes it."""
    functions: list[Code] = []
    nodes: dict[int, tuple[str, dict[str, str]]] = {}
    weights: dict[int, list[float]] = {}
    lines = iter(text.splitlines())
    for line in lines:
        if line.startswith("define "):
            functions.append(_function(line, lines))
        elif line.startswith("!"):
            if node := _NODE.match(line):
                fields = {name: value.strip('"') for name, value in _FIELD.findall(node[3])}
                nodes[int(node[1])] = (node[2], fields)
            elif weighed := _WEIGHTS.match(line):
                values = [float(each.split()[1]) for each in weighed[2].split(", ")]
                weights[int(weighed[1])] = values
    return Module(functions, nodes, weights)


def _function(head: str, lines: Iterator[str]) -> Code:
    named = _DEFINE.match(head)
    located = _LOCATED.search(head)
    blocks = [Block("", [])]
    for line in lines:
        if line == "}":
            break
        if line.startswith("  ") and line[2] not in " ]#":
            blocks[-1].instructions.append(_instruction(line))
        elif line.startswith("   ") and "#dbg" not in line and blocks[-1].instructions:
            blocks[-1].instructions[-1] = _longer(blocks[-1].last, line)
        elif label := _LABEL.match(line):
            if blocks[-1].instructions:
                blocks.append(Block(label[1].strip('"'), []))
            else:
                blocks[-1] = Block(label[1].strip('"'), [])
    return Code(
        named[1].strip('"') if named else "",
        " internal " in head or " private " in head,
        int(located[1]) if located else 0,
        blocks,
    )


def _instruction(line: str) -> Instruction:
    found = _INSTRUCTION.match(line)
    result, opcode = (found[1] or "", found[2]) if found else ("", "")
    located = _LOCATED.search(line)
    calls = None
    if opcode in _CALLS:
        named = _CALLEE.search(line)
        calls = named[1].strip('"') if named else "llvm.asm" if " asm " in line else ""
    return Instruction(result, opcode, line, int(located[1]) if located else 0, calls)


def _longer(first: Instruction, line: str) -> Instruction:
    """An instruction of several lines: a switch, an invoke."""
    text = f"{first.text} {line.strip()}"
    located = _LOCATED.search(line)
    location = int(located[1]) if located else first.location
    return Instruction(first.result, first.opcode, text, location, first.calls)
