"""What is known of OpenMP, as tables.

`directives` has a row for each directive: what shape its text takes, which POMP
events it raises, how a combined one splits.  `clauses` says to which part of a
split directive a clause goes.  `routines` has the runtime routines that become
POMP calls, `columns` what a profile shows of each kind of construct.  Names are
those of the OpenMP specification 5.2.
"""
