"""A job's processes together: MPI's calls on their threads' time lines, and who waits in them for
whom."""
