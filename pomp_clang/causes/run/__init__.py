"""The run of one process: all locations of its trace, and what follows from them directly."""
