"""The POMP runtime in a command: libraries, bitcode, call guards, MPI functions."""
