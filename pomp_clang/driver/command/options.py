"""The options of gcc and clang that a driver must know, in a table.

A row is (spellings, form, role); "|" stands between spellings of one option, the
first of which is the name that the rest of the driver uses.  The form names the
place of an option's value: "" none, "s" the next argument, "j" the rest of the
same one, "js" either. A digit is that many following arguments.  A long option's
joined value comes after "=".  tests/driver/test_options.py holds the table
against the compilers.

This module is on the path of every compiler call: it imports nothing.
"""

from __future__ import annotations

# Roles: the meaning of an option for the driver; it passes on options of role "" unread.
INPUT = "input"
MODE = "mode"
QUERY = "query"
OUTPUT = "output"
LANGUAGE = "language"
OPENMP = "openmp"
PARSE = "parse"  # matters to a parse, and libclang takes it whichever compiler it is
LANG_FLAG = "flag"  # the same, an -f option
TARGET = "target"  # matters to a parse and chooses a target
DEPENDENCY = "dependency"
LINK = "link"
WRAPPED = "wrapped"  # carries an option of another stage
COLOUR = "colour"
COVERAGE = "coverage"

# The phase at which a mode stops, earliest first: of several, the earliest wins.
PHASES = ("-E", "-M", "-fsyntax-only", "other", "-S", "-c")

ROWS: tuple[tuple[str, str, str], ...] = (
    # Modes.
    ("-E|--preprocess", "", MODE),
    ("-S|--assemble", "", MODE),
    ("-c|--compile", "", MODE),
    ("-M|--dependencies", "", MODE),
    ("-MM|--user-dependencies", "", MODE),
    ("-fsyntax-only", "", MODE),
    ("--analyze -emit-ast -emit-interface-stubs -emit-merged-ifs -extract-api", "", MODE),
    ("-emit-symbol-graph -rewrite-objc -rewrite-legacy-objc --precompile -verify-pch", "", MODE),
    ("--emit-static-lib -emit-pch -emit-module -fmodule-header -installapi", "", MODE),
    ("-fmodule-header=", "j", MODE),
    # Queries: nothing is built.
    ("--version -dumpversion -dumpmachine -dumpfullversion -dumpspecs -help --help", "", QUERY),
    ("--target-help --help-hidden -### -ccc-print-phases -ccc-print-bindings", "", QUERY),
    ("-fdriver-only -cc1 -cc1as -cc1gen-reproducer", "", QUERY),
    ("--help= --autocomplete= -print- --print-", "j", QUERY),
    # Names and languages.
    ("-o|--output", "js", OUTPUT),
    ("-x|--language", "js", LANGUAGE),
    ("-working-directory", "s", PARSE),
    ("-working-directory=", "j", PARSE),
    # OpenMP.  -fopenmp-simd and -fopenmp-targets= are not what switches it on.
    ("-fopenmp", "", OPENMP),
    ("-fopenmp=", "j", OPENMP),
    ("-fno-openmp", "", OPENMP),
    ("-fopenmp-", "j", ""),
    # The preprocessor and the languages: libclang needs these, too.
    ("-D|--define-macro", "js", PARSE),
    ("-U|--undefine-macro", "js", PARSE),
    ("-I|--include-directory", "js", PARSE),
    ("-include|--include", "js", PARSE),
    ("-imacros|--imacros", "js", PARSE),
    ("-isystem", "js", PARSE),
    ("-isystem-after", "js", PARSE),
    ("-iquote", "js", PARSE),
    ("-idirafter|--include-directory-after", "js", PARSE),
    ("-iprefix|--include-prefix", "js", PARSE),
    ("-iwithprefix|--include-with-prefix|--include-with-prefix-after", "js", PARSE),
    ("-iwithprefixbefore|--include-with-prefix-before", "js", PARSE),
    ("-iwithsysroot -iframework -iframeworkwithsysroot -cxx-isystem", "js", PARSE),
    ("-stdlib++-isystem", "js", PARSE),
    ("-F", "js", PARSE),
    ("-resource-dir", "s", PARSE),
    ("-isysroot", "js", PARSE),
    ("--sysroot", "js", PARSE),
    ("-std=|--std=", "j", PARSE),
    ("--std", "s", PARSE),
    ("-ansi|--ansi", "", PARSE),
    ("-nostdinc -nostdinc++ -nostdlibinc -nobuiltininc -undef -trigraphs -pthread", "", PARSE),
    ("-O", "j", PARSE),
    ("-stdlib=", "j", PARSE),
    ("--gcc-toolchain= --gcc-install-dir= --gcc-triple= --sysroot-version=", "j", PARSE),
    ("-m", "j", PARSE),
    ("-meabi -mthread-model", "s", ""),
    ("-m32 -m64 -mx32 -m16 -miamcu", "", TARGET),
    ("-target", "s", TARGET),
    ("--target=", "j", TARGET),
    ("-arch", "s", TARGET),
    ("-f", "j", LANG_FLAG),
    ("--coverage -coverage -fprofile-arcs -ftest-coverage", "", COVERAGE),
    ("-fcoverage-mapping -fcoverage-mcdc", "", COVERAGE),
    ("-fdiagnostics-color -fcolor-diagnostics -fno-color-diagnostics", "", COLOUR),
    ("-fno-diagnostics-color", "", COLOUR),
    ("-fdiagnostics-color=", "j", COLOUR),
    # Dependency files.
    ("-MD|--write-dependencies", "", DEPENDENCY),
    ("-MMD|--write-user-dependencies", "", DEPENDENCY),
    ("-MG -MP -MV", "", ""),
    ("-MF", "js", DEPENDENCY),
    ("-MT -MQ -MJ", "js", ""),
    # Files beside the output.
    ("-save-temps|--save-temps -ftime-trace", "", ""),
    ("-save-temps=|--save-temps= -ftime-trace=", "j", ""),
    # Linking.
    (
        "-shared|--shared -static|--static -static-pie -r -nostdlib|--no-standard-libraries",
        "",
        LINK,
    ),
    ("-nostartfiles -nodefaultlibs -nolibc -dynamiclib -bundle", "", LINK),
    ("-l", "js", INPUT),
    ("-L --library-directory -B --prefix -T -e --entry -u --force-link -z -b -R -h", "js", ""),
    ("-Tbss -Tdata -Ttext", "js", ""),
    (
        "-rpath -undefined -framework -install_name -bundle_loader -init -exported_symbols_list",
        "s",
        "",
    ),
    ("-current_version -compatibility_version -dylib_file -weak_framework -weak_library", "s", ""),
    ("-force_load -filelist -umbrella -allowable_client -client_name -sub_library", "s", ""),
    ("-sub_umbrella -unexported_symbols_list -weak_reference_mismatches -seg_addr_table", "s", ""),
    (
        "-segs_read_only_addr -segs_read_write_addr -pagezero_size -image_base -multiply_defined",
        "s",
        "",
    ),
    (
        "-multiply_defined_unused -read_only_relocs -seg_addr_table_filename",
        "s",
        "",
    ),
    ("-segaddr -sectobjectsymbols", "2", ""),
    ("-sectalign -sectcreate -sectorder -segcreate -segprot", "3", ""),
    ("-Xlinker|--for-linker -Xoffload-linker", "s", WRAPPED),
    ("-Wl,", "j", WRAPPED),
    # Other stages.
    ("-Xclang", "s", WRAPPED),
    ("-Xclang=", "j", WRAPPED),
    ("-Xpreprocessor", "s", WRAPPED),
    ("-Wp,", "j", WRAPPED),
    ("-Xassembler --for-assembler -Xanalyzer -Xarch_device -Xarch_host -Xcuda-fatbinary", "s", ""),
    ("-Xcuda-ptxas -Xopenmp-target -Xthinlto -mllvm -mmlir -Xflang", "s", ""),
    ("-Xopenmp-target=", "s", ""),
    # The rest that takes a value of its own.
    ("--param", "js", ""),
    ("-A --assert", "js", ""),
    ("-G", "js", ""),
    ("-J -Hd -Hf -Xf -fintrinsic-modules-path", "js", ""),
    ("-module-dir", "js", ""),
    (
        "-aux-info -dumpbase -dumpbase-ext -dumpdir --dumpbase --dumpbase-ext --dumpdir --dump",
        "s",
        "",
    ),
    ("-wrapper -imultilib -specs --specs -ivfsoverlay -vfsoverlay --vfsoverlay --config", "s", ""),
    ("-imultiarch", "s", ""),
    ("-serialize-diagnostics --serialize-diagnostics --analyzer-output -dependency-dot", "s", ""),
    ("-dependency-file -dsym-dir -darwin-target-variant -darwin-target-variant-triple", "s", ""),
    ("-module-dependency-dir -gen-cdb-fragment-path -hlsl-entry -validator-version", "s", ""),
    ("-arcmt-migrate-report-output -ccc-gcc-name -ccc-install-dir -ccc-arcmt-migrate", "s", ""),
    ("-ccc-objcmt-migrate -gcc-toolchain -object-file-name", "s", ""),
    ("-fdebug-compilation-dir -fmodules-user-build-path -ftrapv-handler", "s", ""),
    ("-fmodules-cache-path -fexperimental-openacc-macro-override", "s", ""),
    ("-include-pch", "s", ""),
    ("-iapinotes-modules -verify-pch-file -stat-cache", "s", ""),
)

# The language of a file by its suffix.  "" is for the linker.
LANGUAGES = {
    "c": "c",
    "i": "cpp-output",
    "ii": "c++-cpp-output",
    **dict.fromkeys(("cc", "cp", "cxx", "cpp", "CPP", "c++", "C", "CC", "CXX"), "c++"),
    "h": "c-header",
    **dict.fromkeys(("hh", "H", "hp", "hxx", "hpp", "HPP", "h++", "tcc"), "c++-header"),
    **dict.fromkeys(("cppm", "ccm", "cxxm", "c++m", "ixx"), "c++-module"),
    "m": "objective-c",
    "mi": "objective-c-cpp-output",
    **dict.fromkeys(("mm", "M"), "objective-c++"),
    **dict.fromkeys(("mii",), "objective-c++-cpp-output"),
    "s": "assembler",
    **dict.fromkeys(("S", "sx"), "assembler-with-cpp"),
    "cu": "cuda",
    "hip": "hip",
    "cl": "cl",
    **dict.fromkeys(("f", "for", "ftn", "f90", "f95", "f03", "f08"), "f95"),
    **dict.fromkeys(("F", "FOR", "fpp", "FPP", "FTN", "F90", "F95", "F03", "F08"), "f95-cpp-input"),
    **dict.fromkeys(("ll", "bc"), "ir"),
    **dict.fromkeys(("d", "go", "adb", "ads", "rs"), "other"),
}

Option = tuple[int, int, str, str, str]  # index, width, name, value, role


def _build() -> tuple[dict[str, tuple[str, int, str]], dict[str, list[tuple[str, str, str]]]]:
    exact: dict[str, tuple[str, int, str]] = {}
    joined: dict[str, list[tuple[str, str, str]]] = {}
    for spellings, form, role in ROWS:
        for aliases in spellings.split(" "):
            names = aliases.split("|")
            for name in names:
                if "j" in form:
                    stem = name + "=" if name[:2] == "--" and name[-1] not in "=-" else name
                    joined.setdefault(stem[:2], []).append((stem, names[0], role))
                if form != "j":
                    width = 1 + int(form) if form.isdigit() else 1 + ("s" in form)
                    exact[name] = (names[0], width, role)
    for rows in joined.values():
        rows.sort(key=_stem_length, reverse=True)
    return exact, joined


def _stem_length(row: tuple[str, str, str]) -> int:
    return len(row[0])


EXACT, JOINED = _build()


def scan(args: list[str]) -> list[Option]:
    """Split a compiler's arguments into options with their values, and inputs."""
    options: list[Option] = []
    index, count = 0, len(args)
    while index < count:
        arg = args[index]
        if arg[:1] != "-" or arg == "-":
            options.append((index, 1, "", arg, INPUT))
        elif arg == "--":
            options.append((index, 1, "--", "", ""))
            options.extend((i, 1, "", args[i], INPUT) for i in range(index + 1, count))
            return options
        elif arg in EXACT:
            name, width, role = EXACT[arg]
            width = min(width, count - index)
            value = args[index + 1] if width > 1 else ""
            options.append((index, width, name, value, role))
            index += width
            continue
        else:
            options.append(_joined(index, arg))
        index += 1
    return options


def _joined(index: int, arg: str) -> Option:
    for stem, name, role in JOINED.get(arg[:2], ()):
        if arg.startswith(stem):
            return (index, 1, name, arg[len(stem) :], role)
    return (index, 1, arg, "", "")


def phase(name: str) -> int:
    """Return the index in PHASES at which a mode option stops the compiler."""
    if name == "-MM":
        name = "-M"
    return PHASES.index(name if name in PHASES else "other")


def language_of(path: str, family_is_cxx: bool) -> str:
    """Return the language of a file by its suffix, "" for a file for the linker.

    g++ and clang++ compile C files as C++.
    """
    if path == "-":
        # Standard input needs -x; gcc takes it without -x only with -E.
        return "c++" if family_is_cxx else "c"
    base = path.rsplit("/", 1)[-1]
    suffix = base.rsplit(".", 1)[1] if "." in base else ""
    language = LANGUAGES.get(suffix, "")
    if family_is_cxx and language in ("c", "cpp-output", "c-header"):
        return {"c": "c++", "cpp-output": "c++-cpp-output"}.get(language, "c++-header")
    return language
