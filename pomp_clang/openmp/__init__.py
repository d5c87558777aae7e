"""The tables of OpenMP.

`directives` has a row for each directive: what shape its text takes, which POMP
events it raises, how a combined one splits.  `clauses` says to which part of a
split directive a clause goes.  `pomp_api` has the runtime routines that become
POMP calls. Names are those of the OpenMP specification 5.2.

To add a directive: docs/contributing/directive.md. `analysis.columns` has the columns of each
kind of construct.
"""
