"""How far a unit's bitcode is simplified for the estimates."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from pomp_clang.driver.unit.unit_bitcode import BITCODE, UNOPTIMIZED
from pomp_clang.selection.cost.module import Module, parse
from pomp_clang.selection.cost.simplified import SMALL, simplified
from tests.compilers import first


def module(folder: Path, text: str) -> Module:
    compiler = first("clang-19", "clang") or pytest.skip("no clang is here")
    (folder / "a.c").write_text(text)
    words = [compiler, "-O2", *BITCODE, *UNOPTIMIZED, "a.c", "-o", "a.bc"]
    subprocess.run(words, cwd=folder, check=True)
    return parse(simplified((folder / "a.bc").read_bytes()))


def called(module: Module, name: str) -> set[str]:
    (code,) = (code for code in module.functions if code.name == name)
    return {i.calls for block in code.blocks for i in block.instructions if i.calls}


def test_small_functions_are_inlined_and_others_stay_calls(tmp_path: Path) -> None:
    long = "".join(f"  a[{n}] += a[{n + 1}];\n" for n in range(SMALL))
    text = f"""
static int twice(int x) {{ return x + x; }}
static int nested(int x) {{ return twice(x) + 1; }}
__attribute__((noinline)) static int kept(int x) {{ return x * 3; }}
static void sums(double *a) {{
{long}}}
int f(double *a, int x) {{ sums(a); return nested(x) + kept(x); }}
"""
    actual = module(tmp_path, text)
    assert called(actual, "f") == {"sums", "kept"}
    assert {code.name for code in actual.functions} == {"f", "sums", "kept"}


def test_variables_become_values(tmp_path: Path) -> None:
    actual = module(tmp_path, "int f(int x) { int y = x, z = y; return z + 1; }\n")
    opcodes = [i.opcode for code in actual.functions for b in code.blocks for i in b.instructions]
    assert opcodes == ["add", "ret"]


def test_the_constant_argument_of_every_call_is_a_constant(tmp_path: Path) -> None:
    loop = "for (int i = 0; i < n; i++) { a[i] /= i; a[i + n] += 2; a[i] *= 3; a[n] = 5; }"
    text = f"static void sweep(double *a, int n) {{ {loop} }}\nvoid f(double *a) {{ sweep(a, 777); }}\n"
    (code,) = (code for code in module(tmp_path, text).functions if code.name == "sweep")
    comparisons = [
        i.text for block in code.blocks for i in block.instructions if i.opcode == "icmp"
    ]
    assert len(comparisons) == 1 and ", 777" in comparisons[0]


@pytest.mark.parametrize(
    "attribute", ['"target-features"="+next,-year"', '"target-cpu"="neoverse-v2"']
)
def test_a_processor_that_llvmlite_does_not_know_is_no_matter(
    attribute: str, capfd: pytest.CaptureFixture[str]
) -> None:
    binding = pytest.importorskip("llvmlite").binding
    text = f"""
define i32 @f(i32 %x) #0 {{
  %y = alloca i32
  store i32 %x, ptr %y
  %z = load i32, ptr %y
  ret i32 %z
}}
attributes #0 = {{ {attribute} }}
"""
    (code,) = parse(simplified(binding.parse_assembly(text).as_bitcode())).functions
    assert [i.opcode for block in code.blocks for i in block.instructions] == ["ret"]
    assert capfd.readouterr() == ("", "")


def test_what_is_no_bitcode_is_a_value_error_of_one_line() -> None:
    with pytest.raises(ValueError, match=r"^[^\n]+$"):
        simplified(b"no bitcode")
