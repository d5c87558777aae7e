"""MPI calls on the timelines of a process's threads, and the waits in them."""
