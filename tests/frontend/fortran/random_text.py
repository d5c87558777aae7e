"""Random Fortran texts whose constructs are known, in free and in fixed form."""

from __future__ import annotations

import random
from collections.abc import Callable

BLOCKS = ("parallel", "single", "critical", "task", "master", "taskgroup")
LOOPS = ("do", "parallel do", "taskloop", "do simd", "parallel do simd")
STANDALONE = ("barrier", "taskwait", "taskyield")
CLAUSED = frozenset(("parallel", "task", "do", "parallel do", "taskloop", "single"))
PLAIN = (
    "x = x + 1",
    "do = 1",
    "end = 3",
    "do10i = 1.10",
    "if(i) = 3",
    "s = 'it''s ! !$omp do'",
    's = "a ; !$ b"',
    "if (x > 1) x = 2",
    "where (if > 0) if = 1",
    "x = 1; y = 2",
)


class RandomText:
    """A program; `expected` has `kind first-last` of its constructs, indented by their nesting."""

    def __init__(self, seed: int, fixed: bool) -> None:
        self._random = random.Random(seed)
        self._fixed = fixed
        self._label = 10
        self._around: list[str] = []
        self.lines: list[str] = []
        self._found: list[tuple[int, str]] = []
        self._statement("program t")
        for declared in ("integer :: x, y, do, end, if(9), do10i", "character(20) :: s"):
            self._statement(declared)
        self._body(0, 4)
        self._statement("end program t")

    @property
    def text(self) -> str:
        """The text of the program."""
        return "\n".join(self.lines) + "\n"

    @property
    def expected(self) -> list[str]:
        """The constructs in the order of the text."""
        return [row for _, row in sorted(self._found)]

    def _one_in(self, number: int) -> bool:
        return self._random.randrange(number) == 0

    def _filler(self) -> None:
        if self._one_in(6):
            self.lines.append(self._random.choice(("", "! parallel", "!omp do", "!acc $ end")))

    def _statement(self, text: str, label: str = "") -> int:
        """Write a statement; return the number of its last line."""
        self._filler()
        condition = "!$" if self._one_in(8) else ""
        if self._fixed:
            number = label.rjust(5 - len(condition))
            self.lines.append(f"{condition}{number} {text}")
        else:
            indent = " " * self._random.randrange(4)
            blank = " " if condition else ""
            number = f"{label} " if label else ""
            if " = " in text and "'" not in text and '"' not in text and self._one_in(6):
                left, _, right = text.partition(" = ")
                self.lines.append(f"{indent}{condition}{blank}{number}{left} = & ! c")
                self.lines.append(f"{indent}{condition}{blank}& {right}")
            else:
                self.lines.append(f"{indent}{condition}{blank}{number}{text}")
        return len(self.lines)

    def _directive(self, words: str, clause: str = "") -> int:
        """Write a directive; return the number of its first line."""
        if self._one_in(3):
            words = words.replace(" ", "") if "critical" not in words else words
        if self._one_in(3):
            words = words.upper()
        first = len(self.lines) + 1
        if self._fixed:
            sentinel = self._random.choice(("!$omp", "c$omp", "*$OMP", "C$OMP"))
            self.lines.append(f"{sentinel} {words}")
            if clause:
                self.lines.append(f"{sentinel}+ {clause}")
            return first
        indent = " " * self._random.randrange(4)
        if clause and self._one_in(2):
            self.lines.append(f"{indent}!$omp {words} & ! more follows")
            self._filler()
            self.lines.append(f"{indent}!$omp{self._random.choice((' ', ' & ', '& '))}{clause}")
        else:
            self.lines.append(f"{indent}!$OMP {words} {clause}".rstrip())
        return first

    def _body(self, depth: int, most: int) -> None:
        for _ in range(self._random.randrange(most) + (depth == 0)):
            if depth < 4 and not self._one_in(3):
                self._random.choice(
                    (self._block, self._loop, self._single_statement, self._sections, self._plain)
                )(depth)
            else:
                self._random.choice((self._plain_block, self._plain_statement))(depth)

    def _plain_statement(self, _: int) -> None:
        self._statement(self._random.choice(PLAIN))

    def _plain_block(self, depth: int) -> None:
        name, variable = self._names()
        start, end = self._random.choice(
            (
                ("if (x > 1) then", "end if"),
                (f"{name}: do {variable} = 1, 3", f"enddo {name}"),
                ("do", "end do"),
            )
        )
        self._statement(start)
        self._body(depth + 1, 3)
        self._statement(end)

    def _names(self) -> tuple[str, str]:
        """Return a name for a loop and one for its variable, which no other loop has."""
        self._label += 10
        return f"loop{self._label}", f"i{self._label}"

    def _plain(self, depth: int) -> None:
        words = self._random.choice(STANDALONE)
        first = self._directive(words)
        self._note(first, len(self.lines), words, depth)

    def _note(self, first: int, last: int, kind: str, _: int) -> None:
        self._found.append((first, f"{kind} {first}-{last}"))

    def _clause(self, words: str) -> str:
        return "private(x)" if words in CLAUSED and self._one_in(2) else ""

    def _block(self, depth: int) -> None:
        words = self._random.choice(BLOCKS)
        name = " (Lock)" if words == "critical" and self._one_in(2) else ""
        first = self._directive(words + name, self._clause(words))
        strict = not self._fixed and self._one_in(4)
        self._around.append(words)
        if strict:
            last = self._within(lambda: self._body(depth + 1, 3), "block", "end block")
        else:
            self._body(depth + 1, 3)
        self._around.pop()
        # An END directive of the same words around would belong to this construct.
        if not strict or words in self._around or self._one_in(2):
            last = self._directive(f"end {words}{name}")
        self._note(first, last, words, depth)

    def _within(self, write: Callable[[], None], start: str, end: str) -> int:
        self.lines.append(f"      {start}")
        write()
        return self._statement(end)

    def _loop(self, depth: int) -> None:
        words = self._random.choice(LOOPS)
        first = self._directive(words, self._clause(words))
        form = self._random.randrange(4)
        name, i = self._names()
        label = str(self._label)
        if form == 0:
            self._statement(f"do {label} {i} = 1, 3")
            self._statement(f"do {label} j{i} = 1, 3")
            last = self._statement("x = x + 1", label)
        elif form == 1:
            self._statement(f"do {label}, {i} = 1, 3")
            self._body(depth + 1, 3)
            last = self._statement("continue", label)
        elif form == 2:
            self._statement(f"do {i} = 1, 3")
            self._body(depth + 1, 3)
            last = self._statement("end do; y = 3")
        else:
            self._statement(f"d o {i} = 1, 3" if self._fixed else f"{name}: do {i} = 1, 3")
            self._body(depth + 1, 3)
            last = self._statement("e nddo" if self._fixed else f"enddo {name}")
        if form != 2 and self._one_in(2):
            self._filler()
            last = self._directive(f"end {words}")
        self._note(first, last, words, depth)

    def _single_statement(self, depth: int) -> None:
        capture = self._one_in(2)
        first = self._directive("atomic", "capture" if capture else "")
        last = self._statement("x = y; y = y + 1" if capture else "x = x + 1")
        if self._one_in(2):
            last = self._directive("end atomic")
        self._note(first, last, "atomic", depth)

    def _sections(self, depth: int) -> None:
        words = self._random.choice(("sections", "parallel sections"))
        first = self._directive(words)
        starts = []
        if self._one_in(2):
            self._statement("x = 1")
        for _ in range(1 + self._random.randrange(2)):
            starts.append(self._directive("section"))
            self._statement("x = 2")
            self._body(depth + 1, 2)
        last = self._directive(f"end {words}")
        ends = [*(start - 1 for start in starts[1:]), last - 1]
        for start, end in zip(starts, ends, strict=True):
            self._note(start, end, "section", depth + 1)
        self._note(first, last, words, depth)
