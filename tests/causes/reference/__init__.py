"""A second, naive computation of the properties of one process, from the definitions in
docs/reference/trace-properties.md and docs/reference/trace-format.md: word by word, with lists and
dicts, by definitions and not by speed.  What `pomp_clang.causes` finds is compared with it; of that package, and of `pomp_clang.trace`, nothing
is used here but in `compare`, which asks it for the cube.  The profile's records (regions, call
paths, locations, texts, costs) are those that `pomp_clang.experiment` reads."""
