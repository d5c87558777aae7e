"""Sequential loops in all their forms."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from tests.random_programs.model import Node, Tally, Where
from tests.random_programs.statements import Block, Plain, head, substatement
from tests.random_programs.text import Text


class Loop(Enum):
    """Forms of a sequential loop; `{0}` is its variable, `{1}` the number of rounds."""

    FOR = "for (int {0} = 0; {0} < {1}; {0}++)"
    DOWN = "for (int {0} = {1} - 1; {0} >= 0; --{0})"
    WHILE = "while (++{0} < {1})"
    DO = "do"
    GOTO = "goto"
    RANGE = "for (int {0} : range_{0})"


@dataclass(frozen=True, slots=True)
class Repeat(Node):
    """A sequential loop that all arriving threads run alike."""

    variable: str
    rounds: int
    form: Loop
    body: Node

    def write(self, out: Text) -> None:
        text = self.form.value.format(self.variable, self.rounds)
        if self.form in (Loop.FOR, Loop.DOWN):
            head(text, out, self.body)
            substatement(self.body, out)
            return
        out.put("{")
        with out.deeper():
            out.gap()
            getattr(self, f"_{self.form.name.lower()}")(out, text)
        out.line()
        out.put("}")

    def _while(self, out: Text, text: str) -> None:
        out.put(f"int {self.variable} = -1;")
        out.gap()
        head(text, out, self.body)
        substatement(self.body, out)

    def _do(self, out: Text, text: str) -> None:
        out.put(f"int {self.variable} = 0;")
        out.gap()
        head(text, out, self.body)
        substatement(self.body, out)
        out.put(f"while (++{self.variable} < {self.rounds});")

    def _goto(self, out: Text, text: str) -> None:
        out.put(f"int {self.variable} = 0;")
        out.gap()
        out.put(f"Again_{self.variable}:")
        out.gap()
        self.body.write(out)
        out.gap()
        out.put(f"if (++{self.variable} < {self.rounds}) {text} Again_{self.variable};")

    def _range(self, out: Text, text: str) -> None:
        values = ", ".join(map(str, range(self.rounds)))
        out.put(f"int range_{self.variable}[] = {{{values}}};")
        out.gap()
        out.put(text)
        substatement(Block((Plain(f"(void){self.variable};"), self.body)), out)

    def count(self, where: Where, tally: Tally) -> None:
        for value in range(self.rounds):
            self.body.count(where.assuming(self.variable, value), tally)

    @property
    def open_ended(self) -> bool:
        return self.form in (Loop.FOR, Loop.DOWN) and self.body.open_ended
