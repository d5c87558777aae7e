"""Reports as CSV, in the layout of ompP's files."""
