"""A second, naive computation of the properties of one process.

It follows the definitions in docs/reference/trace-properties.md and docs/reference/trace-format.md
word by word, with lists and dicts, without regard to speed. The results of `pomp_clang.causes` are
compared with it. Only `compare` uses that package and `pomp_clang.trace`, to get the cube.
`pomp_clang.experiment` reads the profile's records (regions, call paths, locations, texts, costs).
"""
