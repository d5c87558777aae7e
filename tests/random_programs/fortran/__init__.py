"""Random Fortran programs: the nodes of the C programs, which count alike, with Fortran text.

`text` writes statements and directives in fixed or free form, `nodes` gives the nodes their text,
`bodies`, `grammar` and `program` make a program from a seed.  `tests.random_programs.check` builds
and runs it as it does those in C.
"""
