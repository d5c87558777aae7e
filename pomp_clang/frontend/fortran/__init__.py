"""Fortran: from the text that the compiler reads to the constructs of a unit.

`lines` joins continuation lines, and `statements` splits them at semicolons. `classify` returns the
kind of a statement, and `directives` reads the text after a sentinel. `structure` keeps the stack of
program units, blocks and constructs, from which `find` builds the records of `frontend.constructs`.

A rewriter of Fortran needs more than the shared records (`frontend.fortran.places`):

- `Constructs.units` has the program units. A unit tells where declarations can be inserted.
- `Construct.places` has the offsets at which whole lines are inserted: before the directive, inside
  the construct at its begin and its end, and after it.
- `Construct.end_directive` is the END directive, if the source has one.

Every offset for an insertion is the start of a line, so that the inserted lines are lines of their
own. `RestOfLine` describes the two exceptions, in which statements share a line.
"""
