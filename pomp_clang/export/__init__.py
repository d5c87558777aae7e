"""A run -> what other tools open: one format a file, told apart by the table in `formats`."""
