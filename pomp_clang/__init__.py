"""pomp-clang: exact, automatic performance measurement for OpenMP programs.

The way of the data, and the folders that are its phases:

    command line -> translation unit -> constructs -> plan -> edits -> jobs    (build)
    program + runtime -> experiment directory                                  (run)
    experiment -> analysis -> report, export                                   (read)
    experiment with traces -> columns -> causes -> report, export              (read)

Build: `driver` reads the compiler's command line, makes the units of it and runs the
jobs; `frontend` finds the constructs of a unit; `selection` plans what is measured;
`rewrite` makes the edits.  `openmp` and `mpi` have what is known of the two as tables.

Run: `runtime/` beside this package is the C library that is linked into programs.

Read: `experiment` reads the profile that a run left behind, `trace` its events, `otf2`
those that another tool recorded; `analysis` computes on the profile, `causes` on the
events; `report` shows both, `export` writes them for other tools, `score` tells what a
selection would cost.

`cli` is the verbs, `lsp` what an editor sees of them.

The words, used alike everywhere:

construct   an OpenMP directive with its structured block, a lock call, or a stretch
            of code that the user marked
region      a construct as it is measured: one place in the source, whichever units
            and instances it is met in (POMP paper, section 3.5)
descriptor  the static object that describes a construct to the POMP library
location    a thread of the process
call path   the regions that are open when one is entered, outermost first
property    an inefficiency that is looked for by name
severity    what a property costs, in seconds summed over locations
event       what a location recorded in a trace, with its time; all of one are its stream
cube        severities by property, call path and location
instance    one stretch of time of which a property's severity is made
finding     a property at a call path, with what the program would gain without it

Each phase takes frozen records and returns them; knowledge stands in tables; what
cannot be instrumented is left as it is and named.
"""
