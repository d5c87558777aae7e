"""MPI's functions as a table, and the library that is generated from it for an installed MPI."""
