"""A compiler command line: its options, its response files, and our own options."""
