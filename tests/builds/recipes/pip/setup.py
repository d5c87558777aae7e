from setuptools import Extension, setup

OPENMP = ["-fopenmp"]
setup(
    name="parts",
    version="1",
    ext_modules=[
        Extension("parts", ["parts.c"], extra_compile_args=OPENMP, extra_link_args=OPENMP)
    ],
)
