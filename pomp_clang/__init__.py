"""pomp-clang: exact, automatic performance measurement for OpenMP programs.

The way of the data through the phases, which are folders:

    command line -> translation unit -> constructs -> plan -> edits -> jobs    (build)
    program + runtime -> experiment directory                                  (run)
    experiment -> analysis -> report, export                                   (read)
    experiment with traces -> columns -> causes -> report, export              (read)

Build: `driver` reads the compiler's command line, makes its units and runs the jobs;
`frontend` finds the constructs of a unit; `selection` decides which of them are measured;
`rewrite` makes the edits.  `openmp` and `mpi` are tables of both standards.

Run: `runtime/` beside this package is the C library that is linked into programs.

Read: `experiment` reads the profile of a run, `trace` its events, `otf2` the events that another
tool recorded.  `analysis` computes on the profile, `causes` on the events.  `report` shows both,
`export` writes them for other tools, `score` forecasts the cost of a selection.

`cli` has the commands, `lsp` is the language server for editors.

The glossary is in docs/glossary.md.

Each phase takes frozen records and returns them.  Knowledge stands in tables.  A construct that
cannot be instrumented stays as it is, and a warning names it.
"""
