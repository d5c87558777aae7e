"""Functions in all their forms, and calls of them."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass, replace

from tests.random_programs.cancelling import Cancelling
from tests.random_programs.choices import Place
from tests.random_programs.model import Amount, Node, Tally, Where
from tests.random_programs.program import Call, Function
from tests.random_programs.statements import Block, Enclosed, Tick
from tests.random_programs.text import Text


@dataclass(frozen=True, slots=True)
class Form:
    """The spelling of a function: `{n}` is its name, `{p}` its parameter, `{s}` and `{v}` other
    names; the ways to call it, `{{}}` being the argument; the text behind it.  A header takes only
    `local` forms, which are local to a unit or may be there twice; `recursive`: `{n}(...)` calls it
    from within.
    """

    head: str
    calls: tuple[str, ...]
    tail: str = ""
    local: bool = True
    recursive: bool = True


C_FORMS = (
    Form("void {n}(int {p});\nvoid {n}(int {p})", ("{n}({{}})",), local=False),
    Form("static void {n}(int {p})", ("{n}({{}})", "({n})({{}})", "(*{n})({{}})")),
    Form("static inline void {n}(int {p})", ("{n}({{}})",)),
    Form("static void ({n})(int {p})", ("({n})({{}})",)),
    Form("static __attribute__((noinline)) void\n{n}(int {p})", ("{n}({{}})",)),
    Form("DEFINE({n}, {p})", ("{n}({{}})",)),
)
CPP_FORMS = (
    *C_FORMS,
    Form("inline void {n}(int {p})", ("{n}({{}})", "::{n}({{}})")),
    Form(
        "template <class T> static void {n}(T {p})",
        ("{n}<int>({{}})", "{n}<long>({{}})", "{n}({{}})"),
    ),
    Form("template <int N> static void {n}(int);\ntemplate <> void {n}<1>(int {p})",
         ("{n}<1>({{}})",), local=False, recursive=False),
    Form("template <class... T> static void {n}(int {p}, T...)",
         ("{n}({{}})", "{n}({{}}, 1, 'a')"), recursive=False),
    Form("namespace {s} {{ inline void {n}(int {p})", ("{s}::{n}({{}})",), "}}"),
    Form("namespace {s} {{ inline namespace Inner {{ inline void {n}(int {p})",
         ("{s}::{n}({{}})", "{s}::Inner::{n}({{}})"), "}} }}"),
    Form("namespace {{ void {n}(int {p})", ("{n}({{}})",), "}}"),
    Form('extern "C" {{ void {n}(int {p})', ("{n}({{}})",), "}}", local=False),
    Form("static auto {n}(int {p}) -> void", ("{n}({{}})",)),
    Form("static void {n}(int {p}) noexcept", ("{n}({{}})",)),
    Form("static void {n}(int {p}) try", ("{n}({{}})",), "catch (int) {{}}"),
    Form("struct {s} {{ int Base;\nvoid {n}(int {p})",
         ("{s}{{{{1}}}}.{n}({{}})", "{s}().{n}({{}})"), "}};"),
    Form("struct {s} {{ static void {n}(int); }};\nvoid {s}::{n}(int {p})",
         ("{s}::{n}({{}})",), local=False),
    Form("struct {s} {{ struct Inner {{ static void {n}(int {p})", ("{s}::Inner::{n}({{}})",),
         "}}; }};"),
    Form("struct {s} {{ virtual ~{s}() {{}}\nvirtual void {n}(int {p})", ("{s}().{n}({{}})",),
         "}};"),
    Form("struct {s} {{ template <class T> static void {n}(T {p})",
         ("{s}::{n}({{}})", "{s}::{n}<long>({{}})"), "}};"),
    Form("template <int N> struct {s} {{ static void {n}(int {p})",
         ("{s}<1>::{n}({{}})", "{s}<2>::{n}({{}})"), "}};"),
    Form("struct {s} {{ explicit {s}(int {p})", ("(void){s}({{}})", "delete new {s}({{}})"), "}};",
         recursive=False),
    Form("struct {s} {{ int Kept; explicit {s}(int N) : Kept(N) {{}}\n~{s}() {{ int {p} = Kept;",
         ("(void){s}({{}})", "delete new {s}({{}})"), "}} }};", recursive=False),
    Form("struct {s} {{ void operator()(int {p}) const", ("{s}()({{}})",), "}};", recursive=False),
    Form("struct {s} {{ void operator+=(int {p})", ("{s}() += {{}}",), "}};", recursive=False),
    Form("struct {s} {{ void operator[](int {p})", ("{s}()[{{}}]",), "}};", recursive=False),
    Form("static auto {v} = [](int {p})", ("{v}({{}})",), ";", recursive=False),
    Form("static auto {v} = [](auto {p}) -> void", ("{v}({{}})", "{v}((long){{}})"),
         ";", recursive=False),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Recurse(Node):
    """A function calls itself if its parameter is not divisible by three; `of` holds it."""

    name: str
    parameter: str
    of: list[Function]

    def write(self, out: Text) -> None:
        rest = f"{self.parameter} % 3"
        out.put(f"if ({rest} > 0) {{ {self.name}({rest} - 1); }}")

    def count(self, where: Where, tally: Tally) -> None:
        rest = where.values[self.parameter] % 3
        if rest > 0 and where.executions:
            inside = replace(where, values={self.parameter: rest - 1})
            self.of[0].body.count(inside, tally)


@dataclass(frozen=True, slots=True)
class Once(Node):
    """The initialiser of a static variable, which is executed once."""

    key: int
    body: Node

    def write(self, out: Text) -> None:
        self.body.write(out)

    def count(self, where: Where, tally: Tally) -> None:
        if where.executions and not tally[self.key, "once"]:
            tally[self.key, "once"] = 1
            self.body.count(where, tally)


class Functions(Cancelling):
    """A generator of functions and calls; `functions` are the callable ones."""

    functions: list[Function]

    @abstractmethod
    def block(self, place: Place) -> Block:
        """Return a compound statement."""

    def callable_at(self, place: Place) -> list[Function]:
        return [
            f
            for f in self.functions
            if place.level <= 1 and place.held < f.held and (place.team or not f.team)
        ]

    def call(self, place: Place) -> Node:
        function = self.one_of(self.callable_at(place))
        expression, value = "", self.random.randint(0, 4)
        if place.expressions and self.chance(0.6):
            expression = self.one_of(place.expressions)
        return Call(function, self.one_of(function.calls), expression, value)

    def function(self, where: str = "") -> Function:
        """Return a function whose constructs are orphans wherever it is called. It stands in the
        main unit, in a "header" or in the "second" unit, where it calls all others.
        """
        parameter, name, scope = self.name("n"), self.name("Step"), self.name("Scope")
        form = self.one_of([f for f in self._written_as() if f.local or where != "header"])
        if where == "second":
            form = Form("void {n}(int {p})", ("{n}({{}})",), local=False)
        team = where == "second" or self.chance(0.6)
        held = -1 if team or self.chance(0.4) else self.random.randint(3, 6)
        # clang 19 has no target regions in what it has no plain symbol for.
        place = Place(
            3, level=1, team=team, master=team, held=held, expressions=(parameter,),
            orphan=True, untargeted=self.cplusplus and self.compiler == "clang-19",
            unreduced=self.compiler == "clang-19",
        )  # fmt: skip
        items: list[Node] = [Tick(Amount(0, parameter)), *self.items(place)]
        if where == "second":
            items += [Call(f, self.one_of(f.calls), parameter, 0) for f in self.functions]
        of: list[Function] = []
        if form.recursive and self.chance(0.2):
            items.append(Recurse(name, parameter, of))
        names = {"n": name, "p": parameter, "s": scope, "v": self.name("step")}
        head, tail = (text.format(**names) for text in (form.head, form.tail))
        calls = tuple(text.format(**names) for text in form.calls)
        of.append(Function(
            head, Block(tuple(items)), tail, parameter, calls, team, held + 1, where, name
        ))  # fmt: skip
        return of[0]

    def _written_as(self) -> tuple[Form, ...]:
        return CPP_FORMS if self.cplusplus else C_FORMS

    def called_lambda(self, place: Place) -> Node:
        inside = replace(place.elsewhere(), prompt=True)
        # clang 19 crashes on some tasks and target regions in lambdas that capture.
        if self.compiler == "clang-19":
            inside = replace(inside, untasked=True, untargeted=True)
        if place.outermost and self.chance(0.3):
            name = self.name("once")
            before = f"{{ static int {name} = [&] {{"
            items = self.items(replace(inside, team=False))
            enclosed = Enclosed(before, tuple(items), f"return 1; }}(); (void){name}; }}")
            return Once(self.key(), enclosed)
        before = self.one_of(("[&] {", "[&]() -> void {", "[&](auto) {", "[=]() mutable {"))
        argument = "1" if "auto" in before else ""
        items = self.items(inside)
        return Enclosed(before, tuple(items), f"}}({argument});")

    def local_class(self, place: Place) -> Node:
        """Return a class inside a block: its function sees no variable of the block."""
        scope = self.name("Local")
        inside = replace(place.elsewhere(), expressions=(), orphan=place.level > 0)
        if self.compiler == "clang-19":
            inside = replace(inside, untargeted=True)
        before = f"{{ struct {scope} {{ static void run() {{"
        return Enclosed(before, tuple(self.items(inside)), f"}} }}; {scope}::run(); }}")
