"""A process that stays ready for the next compiles of a build.

Loading Python's modules and libclang takes as long as the rest of the work on a small file. The
first compile of a build therefore leaves a process behind in which both are loaded. Later ones
send it their command, and it answers each with a child of its own.

Nothing depends on this process. A client that gets no answer does the work itself.
"""
