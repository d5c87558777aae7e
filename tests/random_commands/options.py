"""Options of compilers, in tables.

A row is the families that take the option, c (clang), g (gcc), f (gfortran), l (flang), and its
spellings, between which " | " stands. Each is split as by a shell.
"""

from __future__ import annotations

import shlex

MODES: tuple[tuple[str, str, int], ...] = (
    # families, spelling, weight
    ("cgfl", "", 30),
    ("cgfl", "-c", 55),
    ("cg", "--compile", 2),
    ("cgfl", "-S", 8),
    ("cgfl", "-E", 10),
    ("cg", "-M", 2),
    ("cg", "-MM", 2),
    ("cgfl", "-fsyntax-only", 6),
    ("cg", "-dM -E", 2),
    ("cg", "-E -dD", 1),
    ("cg", "-E -P", 1),
    ("cg", "-E -C", 1),
    ("c", "-c -emit-llvm", 3),
    ("c", "-S -emit-llvm", 2),
    ("c", "--analyze", 1),
    ("c", "-emit-ast", 1),
    ("g", "-fdump-tree-optimized -c", 1),
    ("cg", "-c -E", 1),
    ("cg", "-c -S", 1),
    ("cgf", "-r", 2),
    ("cgf", "-shared -fPIC", 5),
)

QUERIES: tuple[tuple[str, str], ...] = (
    ("cgfl", "--version | -dumpversion | -dumpmachine"),
    ("cg", "-### | --help | -print-search-dirs | -print-file-name=libc.so | -print-prog-name=ld"),
    ("cg", "-print-libgcc-file-name | -print-multi-os-directory | --print-file-name=crt1.o"),
    ("g", "-dumpspecs | -dumpfullversion | -print-multi-lib | -Q --help=warnings"),
    ("c", "-print-target-triple | -print-resource-dir | -ccc-print-phases | -print-targets"),
    ("c", "-ccc-print-bindings | -print-effective-triple"),
    ("cgfl", "-v"),
)

OPENMP: tuple[tuple[str, str], ...] = (
    ("cgfl", "-fopenmp"),
    ("c", "-fopenmp=libomp | -fno-openmp -fopenmp | -Xclang -fopenmp -fopenmp"),
    ("cg", "-fopenmp -fopenmp | -fopenmp -fopenmp-simd"),
)

DEPENDENCIES: tuple[tuple[str, str], ...] = (
    ("f", "-MD -cpp | -MMD -cpp | -cpp -MD -MF deps.d | -cpp -MD -MT x.o"),
    ("cg", "-MD | -MMD | -MD -MF deps.d | -MMD -MF 'dep s.d' | -MD -MFdeps.mk"),
    ("cg", "-MD -MP | -MMD -MP -MT target.o | -MD -MQ 'ta$rget' | -MD -MT 'a b' -MT c"),
    ("cg", "-MD -MTother.o | -MMD -MQother -MP | -MD -MF sub/deps.d | -MD -MG"),
    ("cg", "-Wp,-MD,wp.d | -Wp,-MMD,wp.d | -Wp,-MD,wp.d,-MT,x.o | -Wp,-MD,wp.d,-D,VALUE=3"),
    ("c", "--write-dependencies | --write-user-dependencies -MF user.d"),
    ("c", "-MD -MV | -MJ commands.json | -MJcommands.json"),
    ("cg", "-MD -MF missing/deps.d | -MD -MF /dev/null | -MD -MF -"),
)

PREPROCESSOR: tuple[tuple[str, str], ...] = (
    ("cgfl", "-DVALUE=4 | -D VALUE=4 | -UVALUE | -DVALUE=5 -UVALUE"),
    ("cg", '\'-DTEXT="a b"\' | -D \'TEXT="it\'"\'"\'s"\' | \'-DTEXT="\\\\"q\\\\""\' | -DTEXT'),
    ("cg", "'-DTWICE(x)=((x)+(x))' | '-D TWICE(x)=2*x' | '-DTEXT=\"ü\"' | --define-macro=VALUE=8"),
    ("cg", "'-DPRAGMA=_Pragma(\"omp barrier\")' | -DPARALLEL=parallel | -Domp=omp"),
    ("cgfl", "-Iinclude | -I include | -I ./include/ | -I{work}/include | -Isub/../include"),
    ("cg", "-iquote include | -iquoteinclude | -isystem include | -isysteminclude"),
    ("cg", "-idirafter include | --include-directory=include | -I- -Iinclude | -Imissing"),
    ("cg", "-include include/first.h | -includeinclude/first.h | -imacros include/first.h"),
    ("cg", "--include include/first.h | -include missing.h | -include part.h -Iinclude"),
    ("cg", "-include near.h -Iinclude | -Wp,-include,include/first.h | -Wp,-D,VALUE=3"),
    ("cg", "-Xpreprocessor -include -Xpreprocessor include/first.h | -include far/far.h -Iinclude"),
    ("c", "-include first.h -iquoteinclude | -isystem-after include"),
    ("cg", "-iprefix incl -iwithprefix ude | -iprefix {work}/ -iwithprefixbefore include"),
    ("cg", "-undef | -trigraphs | -ansi | -P | -H | -fdirectives-only -E"),
    ("cg", "-ftabstop=4 | -finput-charset=UTF-8 | -fdollars-in-identifiers | -Wp,-DVALUE=9"),
    ("cg", "-Xpreprocessor -DVALUE=6 | -Wp,-Iinclude,-DVALUE=2 | -ffreestanding"),
    ("cg", "-fmacro-prefix-map={work}=/there | -ffile-prefix-map=.=/there"),
    ("c", "-working-directory=sub | -working-directory sub"),
    ("fl", "-cpp | -nocpp | -DVALUE=7 -cpp"),
)

LANGUAGE: tuple[tuple[str, str], ...] = (
    ("cg", "-std=c99 | -std=c11 | -std=gnu17 | -std=c2x | --std=gnu99 | -std=gnu89"),
    ("cg", "-std=c++17 | -std=c++20 | -std=gnu++14 | --std=c++20"),
    ("f", "-std=f2008 | -std=legacy | -std=f2018 | -std=gnu"),
    ("fl", "-ffree-form | -ffixed-form"),
    ("f", "-ffixed-line-length-132 | -ffree-line-length-none | -fdefault-integer-8"),
    ("f", "-fimplicit-none | -fcheck=all | -fbackslash | -fdollar-ok | -fno-underscoring"),
    ("fl", "-J mods | -Jmods | -J mods -Imods | -J ."),
    ("l", "-module-dir mods | -fdefault-real-8"),
    ("cg", "-fno-exceptions | -fno-rtti | -fshort-enums | -funsigned-char | -fms-extensions"),
    ("c", "-fmodules -fmodules-cache-path=cache | -fcxx-modules | -fblocks"),
    ("g", "-fpermissive | -fgnu89-inline | -fplan9-extensions | -fcond-mismatch"),
)

WARNINGS: tuple[tuple[str, str], ...] = (
    ("cgfl", "-Wall | -w | -Werror | -pedantic | -Wall -Werror"),
    ("cg", "-Wextra | -Wpedantic | -Wall -Wextra | -pedantic-errors | -Wno-unused -Wall"),
    ("cg", "-Wshadow | -Wconversion | -Wundef | -Wunused-macros | -Wmissing-prototypes"),
    ("cg", "-Wunknown-pragmas | -Wno-unknown-pragmas | -Werror=unused-variable | -Wsystem-headers"),
    ("cg", "-fdiagnostics-color=always | -fdiagnostics-color=never | -Wfatal-errors"),
    ("c", "-Weverything | -fno-caret-diagnostics | -ferror-limit=1 | -Wdocumentation"),
    ("c", "-fdiagnostics-format=msvc | -fdiagnostics-print-source-range-info | -Qunused-arguments"),
    ("c", "--serialize-diagnostics diag.dia | -fdiagnostics-absolute-paths"),
    ("g", "-fmax-errors=1 | -fdiagnostics-format=json | -fno-diagnostics-show-caret | -fanalyzer"),
    (
        "g",
        "-Wtrampolines | -Wduplicated-cond | -Wnull-dereference -O2 | -fdiagnostics-plain-output",
    ),
    ("f", "-Wimplicit-interface | -Wextra | -Wconversion | -Wsurprising | -Wunused-parameter"),
)

CODE: tuple[tuple[str, str], ...] = (
    ("cgfl", "-O0 | -O1 | -O2 | -O3 | -Os | -Ofast | -O"),
    ("cgfl", "-g | -g1 | -g -gdwarf-4"),
    ("cg", "-g3 | -ggdb | -gz | -gsplit-dwarf | -gline-tables-only"),
    ("cgfl", "-fPIC | -fPIE"),
    ("cgf", "-pipe | -pthread | -m64 | -march=native | -mtune=generic | -fno-pic"),
    ("cgf", "-save-temps | -save-temps=obj | -save-temps=cwd"),
    ("cgf", "-flto | -flto -O2 | -flto -ffat-lto-objects"),
    ("c", "-flto=thin | -ftime-trace | -ftime-trace=trace.json | -fno-integrated-as"),
    ("c", "-Xclang -disable-O0-optnone | -mllvm -inline-threshold=10 | -fstack-usage"),
    ("c", "-fsave-optimization-record -O2 | -Rpass=inline -O2 | -fno-integrated-cc1"),
    (
        "c",
        "-foptimization-record-file=rec.yaml -O2 | -fproc-stat-report=stat.csv | -ftrap-function=x",
    ),
    ("g", "-fstack-usage | -fdump-ipa-cgraph | -fverbose-asm | -fopt-info -O2 | -fcallgraph-info"),
    ("g", "-dumpbase other | -dumpdir there- | -aux-info aux.txt | -frandom-seed=1 | -fmem-report"),
    ("g", "-fcompare-debug | -fno-working-directory -g | -time | -ftime-report"),
    ("cgf", "-pg | -finstrument-functions | -ffunction-sections -fdata-sections"),
    ("cgf", "--coverage | -fprofile-arcs | -ftest-coverage | -fprofile-arcs -ftest-coverage"),
    ("cgf", "-fprofile-generate | -fprofile-use | -fprofile-generate=prof"),
    ("c", "-fprofile-instr-generate | -fcoverage-mapping -fprofile-instr-generate"),
    ("cg", "-fsanitize=undefined | -fsanitize=address -g | -fstack-protector-strong"),
    ("cg", "-fvisibility=hidden | -fno-common | -fcommon | -fwrapv | -ffast-math | -fno-inline"),
    ("cg", "-fdebug-prefix-map={work}=/there -g | -fno-asynchronous-unwind-tables"),
    ("cg", "-Wa,-L | -Wa,--noexecstack | -Xassembler -L | -Wa,-adhln=list.txt"),
    ("cg", "--param=max-inline-insns-single=10 | -fno-stack-clash-protection | -fcf-protection"),
    ("c", "--target=x86_64-linux-gnu | -target x86_64-pc-linux-gnu | --target=aarch64-linux-gnu"),
    ("cg", "-m32"),
    ("c", "--config=empty.cfg | --no-default-config | -resource-dir={resource}"),
)

LINK: tuple[tuple[str, str], ...] = (
    ("cgf", "-Wl,--as-needed | -Wl,--gc-sections | -Wl,-rpath,'$ORIGIN' | -Wl,-Map,out.map"),
    ("cgf", "-Wl,--no-undefined | -Wl,-z,now | -Wl,-z,relro,-z,now | -Wl,--build-id=sha1"),
    ("cgf", "-Xlinker --no-undefined | -Xlinker -Map=x.map | -Wl,--fatal-warnings | -Wl,-s"),
    ("cgf", "-no-pie | -pie | -s | -rdynamic | -static | -static-libgcc | -nostdlib | -Wl,-t"),
    ("cgf", "-lm | -l m | -lpthread | -lmissing | -L. -lm | -L lib -lm | -ldl"),
    ("cg", "-nodefaultlibs -lc -lgcc | -nostartfiles | -e main | -u main | -T missing.ld"),
    ("c", "-fuse-ld=lld | -fuse-ld=bfd | -rtlib=libgcc | --ld-path=/usr/bin/ld | -static-openmp"),
    ("cg", "-z now | -Wl,--defsym=extra=0 | -Wl,--version-script=missing.map | -Wl,--start-group"),
    ("cg", "-Wl,@link.rsp | -B. | -B /usr/bin"),
    ("cg", "-static-pie | -Wl,--trace-symbol=main | -Wl,--wrap=malloc | -Wl,--cref | -Wl,-r"),
)

TABLES = (DEPENDENCIES, PREPROCESSOR, LANGUAGE, WARNINGS, CODE)

OUTPUTS: tuple[str, ...] = (
    "out", "out.o", "out.bin", "a b.o", "it's.o", 'say"so.o', "ünïcode.o", "-dash.o", "./-dash.o",
    "sub/out.o", "{work}/abs.o", "/dev/null", "-", "missing/out.o", "sub", "../work/up.o", "$x.o",
    "x,y.o", "a=b.o", "@at.o", "main.c.o", ".hidden", "sub/../back.o", "back\\slash.o", "per%cent.o",
    "out.", "out.c.x", "/dev/full", "new\nline.o", "{work}/sub/../abs2.o", "link.o",
    "main.c", "./main.cpp", "main.f90",
)  # fmt: skip
OUTPUT_SPELLINGS = ("-o {}", "-o {}", "-o {}", "-o{}", "--output={}", "--output {}")

POMP: tuple[tuple[str, ...], ...] = (
    *(((),) * 8),
    ("--pomp-strict",),
    ("--pomp-functions=all",),
    ("--pomp-functions",),
    ("--pomp-disable=critical,sync",),
    ("--pomp-disable=loop",),
    ("--pomp-library=null",),
    ("--pomp-library=log",),
    ("--pomp-runtime=static",),
    ("--pomp-barriers=explicit",),
    ("--pomp-barriers=ompt",),
    ("--pomp-included=once",),
    ("--pomp-trace",),
    ("--pomp-inline=off",),
    ("--pomp-budget=0.001,0.05",),
    ("--pomp-budget=0",),
    ("--pomp-filter=rules.filter",),
    ("--pomp-keep=../kept",),
    ("--pomp-commands=../commands.json",),
)


def spellings(
    table: tuple[tuple[str, str], ...], family: str, **values: str
) -> list[tuple[str, ...]]:
    """Return the spellings of a table's options for a family, with values in place of names."""
    return [
        words_of(spelling, **values)
        for families, row in table
        if family in families
        for spelling in row.split(" | ")
    ]


def words_of(spelling: str, **values: str) -> tuple[str, ...]:
    """Return the words of a spelling, with values in place of names in braces."""
    for name, value in values.items():
        spelling = spelling.replace("{" + name + "}", value)
    return tuple(shlex.split(spelling))
