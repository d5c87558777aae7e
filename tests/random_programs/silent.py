"""Directives that have no events, or are not reached."""

from __future__ import annotations

from tests.random_programs.choices import Place
from tests.random_programs.constructs import Standalone
from tests.random_programs.model import Amount, Constant, Node
from tests.random_programs.spread import Silent
from tests.random_programs.statements import Block, If, Plain, Tick
from tests.random_programs.transforming import Transforming

INTEROP = (
    "init(targetsync: {0})", "init(target, targetsync: {0})", "use({0})", "use({0}) device(0)",
    "init(targetsync: {0}) depend(in: cells_0[1])", "destroy({0})", "destroy({0}) nowait",
)  # fmt: skip
ERRORS = ("severity(warning)", "severity(fatal)", "")


class SilentDirectives(Transforming):
    """Makes nothing, error, interop and allocate."""

    @property
    def since_5_1(self) -> bool:
        """Return whether the compiler supports OpenMP 5.1 features: gcc 12 has none of them."""
        return self.compiler == "clang-19"

    def unheard(self) -> Node:
        """Return a directive that has no events, or is not reached."""
        form = self.one_of(("nothing", "error", *(("interop",) if self.since_5_1 else ())))
        if form == "nothing":
            return Silent(self.simply("omp nothing"))
        if form == "error":
            directive = self.simply("omp error at(execution)", [self.one_of(ERRORS)])
            return If(Constant("zero", False), Block((Silent(directive),)))
        name = self.name("object")
        used = [
            Standalone(self.key(), "interop", self.simply("omp interop", [text.format(name)]))
            for text in self.some_of(INTEROP, 3)
        ]
        # The library has no interop for a host: what compilers leave out is not linked.
        return Block((
            Plain(f"omp_interop_t {name} = omp_interop_none;"), Plain(f"(void){name};"),
            If(Constant("0", False), Block(tuple(used))),
        ))  # fmt: skip

    def allocated(self, place: Place) -> Node:
        """Return a variable with a request for memory."""
        name = self.name("x")
        clause = self.one_of(
            ("", "allocator(omp_default_mem_alloc)", "allocator(omp_large_cap_mem_alloc)")
        )
        directive = Silent(self.simply(f"omp allocate({name})", [clause] if clause else []))
        value = self.random.randint(1, 9)
        items = (
            Plain(f"long {name};"), directive, Plain(f"{name} = {value};"),
            Tick(Amount(value), spelt=name), self.statement(place.deeper()),
        )  # fmt: skip
        return Block(items)
