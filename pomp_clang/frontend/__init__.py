"""The constructs of a translation unit.

The modules here are the same for every source language; none of them needs libclang. The
folder of a language finds the constructs: `c` for C and C++. `rewrite.instrument` lists what a
language provides.
"""
