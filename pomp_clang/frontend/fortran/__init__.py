"""Fortran: from the text that the compiler reads to the constructs of a unit.

`lines` joins continuation lines, `statements` splits them at semicolons, `classify` tells what a
statement is, `directives` reads what follows a sentinel, `structure` keeps the stack of program
units, blocks and constructs. `find` makes the records of `frontend.constructs` of that.

What a rewriter of Fortran needs beyond the shared records (`frontend.fortran.places`):

- `Constructs.units` has the program units. A unit tells where declarations can be inserted.
- `Construct.places` has the offsets at which whole lines are inserted: before the directive, inside
  the construct at its begin and its end, and after it.
- `Construct.end_directive` is the END directive, if the source has one.

Every offset for an insertion is the start of a line, so that the inserted lines are lines of their
own. `RestOfLine` describes the two exceptions, in which statements share a line.
"""
