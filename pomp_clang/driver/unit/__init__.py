"""A command to its translation units, ready for libclang."""
