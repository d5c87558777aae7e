"""Compiler command line -> the jobs that are run in its place.

`glance` tells whether a command is any concern of ours, and `direct` becomes the compiler
where it is not.  Else `command` reads it by the table in `options`, `probe` and `toolchain`
tell which compiler it is, `units` makes the translation units of it, and `jobs` does it:
`build` compiles units by the texts that come back from the later phases, `link` adds the
library, `salvage` leaves out what the compiler refuses.  The other files are about one
thing each that a compiler has a way of its own for: headers, dependency files.
"""
