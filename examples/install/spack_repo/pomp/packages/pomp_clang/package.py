# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The recipe of pomp-clang for Spack 1.0 and newer, of the checkout that this file is in."""

from pathlib import Path

from spack.package import depends_on, license, variant, version
from spack_repo.builtin.build_systems.python import PythonPackage


class PompClang(PythonPackage):
    """Exact, automatic performance measurement for OpenMP programs in C, C++ and Fortran."""

    git = Path(__file__).resolve().parents[6].as_uri()

    license("Apache-2.0 WITH LLVM-exception")

    version("main", branch="main")

    variant("compile", default=True, description="Instrument C and C++; else read experiments only")

    depends_on("c", type="build")
    depends_on("cmake@3.20:", type="build")
    depends_on("py-scikit-build-core@0.11:", type="build")
    depends_on("py-markdown-it-py@3:", type="build")
    depends_on("python@3.11:", type=("build", "run"))
    depends_on("py-click@8.1:", type="run")
    depends_on("py-jinja2@3.1:", type="run")
    depends_on("py-numpy@1.26:", type="run")
    # Its libclang reads the sources; gcc or another clang may compile them.
    depends_on("llvm+clang@14:", type="run", when="+compile")
