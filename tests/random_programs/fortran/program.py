"""Procedures of a random Fortran program, and the whole of one."""

from __future__ import annotations

import random
import re
from collections.abc import Iterable
from dataclasses import dataclass

from tests.random_programs import program as c_program
from tests.random_programs.fortran.text import Form, FortranText
from tests.random_programs.model import TICK, Node, Settings, Tally, Where
from tests.random_programs.program import LOCKS
from tests.random_programs.text import Directive, Placed

WORD = re.compile(r"[a-z]\w*", re.I)
SHARED = (
    "one",
    "zero",
    "total",
    "counter_0",
    "written_0",
    "low_0",
    "cells_0",
    "locks_0",
    "nests_0",
)
"""Variables of the module that all units use."""
OF_OMP = (
    "omp_get_thread_num", "omp_set_lock", "omp_unset_lock", "omp_test_lock", "omp_set_nest_lock",
    "omp_unset_nest_lock", "omp_test_nest_lock",
)  # fmt: skip
RENAMED = {"grab_0": "omp_set_lock", "grab_nest_0": "omp_set_nest_lock"}
"""Names that units give to routines."""
DATA = f"""\
use omp_lib
implicit none
integer :: one = 1, zero = 0, total = 0, counter_0 = 0
integer :: written_0 = 0, low_0 = 9, cells_0(0:15)
integer :: kept_0 = 0
integer(omp_lock_kind) :: locks_0(0:{LOCKS - 1})
integer(omp_nest_lock_kind) :: nests_0(0:{LOCKS - 1})"""


@dataclass(frozen=True, slots=True)
class Scope:
    """A program unit's or procedure's way to write its specification part."""

    used: str
    implicit: str
    declared: list[str]


@dataclass(frozen=True, slots=True)
class Procedure(c_program.Function):
    """A subroutine of one integer: `where` is "module", "submodule", "external" or "internal"."""

    scope: Scope = Scope("", "", [])

    def procedure(self, out: FortranText, prefix: str, called: Iterable[str]) -> None:
        """Write the subroutine."""
        out.put(f"{prefix}recursive subroutine {self.head}({self.parameter})")
        with out.deeper():
            own = self.where == "external"
            specification(out, self.scope, self.body, called, own)
            out.put(f"integer, intent(in) :: {self.parameter}")
            self.body.write(out)
        out.put(f"end subroutine {self.head}")


class Call(c_program.Call):
    __slots__ = ()

    def write(self, out: object) -> None:
        assert isinstance(out, FortranText)
        out.put(f"call {self.function.name}({self.expression or self.value})")


def words_of(*nodes: Node) -> set[str]:
    """Return the words in the text of nodes, without capitals."""
    words: set[str] = set()
    out = FortranText(0, 0.0, "", Form(fixed=False), breaks=0.0)
    for node in nodes:
        node.write(out)
    for text in out.files():
        words |= {word.lower() for word in WORD.findall(str(text))}
    return words


def specification(
    out: FortranText, scope: Scope, body: Node, called: Iterable[str], own: bool
) -> None:
    """Write USE, IMPLICIT and declarations; `own`: nothing is known from a host."""
    words = words_of(body)
    if any(word.startswith("directive_") for word in words):
        words |= {"counter_0", "written_0"}  # macros name them
    out.put_all(
        f"use omp_lib, only: {name} => {RENAMED[name]}" for name in RENAMED if name in words
    )
    if own:
        names = ["tick", *(name for name in (*SHARED, *OF_OMP, "kept_0", "same") if name in words)]
        out.put("use shared_0" + (f", only: {', '.join(names)}" if scope.used == "only" else ""))
        out.put(f"implicit none{scope.implicit}")
    externals = [name for name in called if name.lower() in words]
    if externals and scope.implicit:
        out.put(f"external :: {', '.join(externals)}")
    for name in scope.declared:
        out.put(f"integer :: {name}")


@dataclass(frozen=True, slots=True)
class FortranProgram:
    """A program with the settings it is to be run with."""

    seed: int
    language: str
    compiler: str
    flags: tuple[str, ...]
    settings: Settings
    dense: float
    form: Form
    macros: tuple[str, ...]
    functions: tuple[Procedure, ...]
    scope: Scope
    body: Node

    def text(self) -> str:
        """Return the text of its main unit."""
        return self.texts()[f"program.{self.form.ending}"]

    def texts(self) -> dict[str, str]:
        """Return file names and their texts; the main unit is the first."""
        return {out.file: str(out) for out in self._written()}

    def placed(self) -> list[Placed]:
        """Return its constructs with their places."""
        return [placed for out in self._written() for placed in out.placed]

    def counts(self) -> Tally:
        """Return (key, column) -> count, summed over all threads."""
        tally: Tally = Tally()
        self.body.count(Where(self.settings), tally)
        return tally

    def output(self) -> tuple[int, str]:
        """Return its exit status and its output."""
        counts = self.counts()
        written = 42 if counts[TICK, "written_0"] else 0
        low = 3 if counts[TICK, "low_0"] else 9
        return 0, f"{counts[TICK, 'sum']} {written} {low}\n"

    def _written(self) -> list[FortranText]:
        ending = self.form.ending
        main, second = (
            FortranText(self.seed, self.dense, f"{name}.{ending}", self.form)
            for name in ("program", "second")
        )
        if self.form.preprocessed:
            for out in (main, second):
                out.preprocessor("#define LIVE 1", *self.macros)
        self._data(main)
        self._module(main)
        self._main(main)
        outside = self._of("external")
        for procedure in outside:
            procedure.procedure(second, "", self._externals)
        all_files = [*main.files()]
        return [*all_files[:1], *(second.files() if outside else ()), *all_files[1:]]

    def _of(self, *where: str) -> list[Procedure]:
        return [procedure for procedure in self.functions if procedure.where in where]

    @property
    def _externals(self) -> list[str]:
        return [procedure.name for procedure in self._of("external")]

    def _data(self, out: FortranText) -> None:
        out.put("module shared_0")
        _lines(out, DATA)
        out.directive(Directive("omp threadprivate(kept_0)"))
        out.put("contains")
        out.put("subroutine tick(value)")
        out.put("integer, intent(in) :: value")
        atomic = out.place(TICK, "atomic", *out.directive(Directive("omp atomic")))
        out.put("total = total + value")
        out.ended(atomic)
        _lines(out, "end subroutine\ninteger function same(n)\ninteger, intent(in) :: n")
        _lines(out, "same = n\nend function\nend module shared_0")

    def _module(self, out: FortranText) -> None:
        separate = self._of("submodule")
        members = self._of("module")
        out.put("module steps_0")
        out.put("use shared_0")
        out.put("implicit none")
        if separate:
            out.put("interface")
            for procedure in separate:
                out.put(f"module recursive subroutine {procedure.head}({procedure.parameter})")
                out.put(f"integer, intent(in) :: {procedure.parameter}")
                out.put("end subroutine")
            out.put("end interface")
        if members:
            out.put("contains")
            for procedure in members:
                procedure.procedure(out, "", self._externals)
        out.put("end module steps_0")
        if separate:
            out.put("submodule (steps_0) parts_0")
            out.put("contains")
            for procedure in separate:
                procedure.procedure(out, "module ", self._externals)
            out.put("end submodule parts_0")

    def _main(self, out: FortranText) -> None:
        inside = self._of("internal")
        words = words_of(self.body, *(procedure.body for procedure in inside))
        named = random.Random(self.seed).random() < 0.8
        if named:
            out.put("program random_0")
        out.put("use omp_lib")
        renamed = (name for name in RENAMED if name in words)
        out.put_all(f"use omp_lib, only: {name} => {RENAMED[name]}" for name in renamed)
        steps = [p.name for p in self._of("module", "submodule") if p.name.lower() in words]
        out.put("use steps_0" + (f", only: {', '.join(steps)}" if steps and named else ""))
        out.put("use shared_0")
        out.put(f"implicit none{self.scope.implicit}")
        externals = self._externals
        if self.scope.implicit and externals:
            out.put(f"external :: {', '.join(externals)}")
        for name in [*self.scope.declared, "each_0"]:
            out.put(f"integer :: {name}")
        _lines(out, f"call omp_set_max_active_levels({self.settings.max_active})")
        _lines(out, "cells_0 = 0\ndo each_0 = 0, 8\ncall omp_init_lock(locks_0(each_0))")
        _lines(out, "call omp_init_nest_lock(nests_0(each_0))\nend do")
        self.body.write(out)
        out.put("print '(i0,1x,i0,1x,i0)', total, written_0, low_0")
        if inside:
            out.put("contains")
            for procedure in inside:
                procedure.procedure(out, "", ())
        out.put("end program" if named else "end")


def _lines(out: FortranText, text: str) -> None:
    for line in text.splitlines():
        out.put(line)
