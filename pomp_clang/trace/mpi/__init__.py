"""The traces of a job's processes together: MPI's calls, messages and collectives as columns of one
clock."""
