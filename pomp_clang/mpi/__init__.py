"""MPI's functions as a table, and the library that is made of it for the MPI that is found."""
