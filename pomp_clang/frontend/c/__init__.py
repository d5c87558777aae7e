"""C and C++: the constructs of a unit, found in its text and in libclang's syntax tree.

libclang parses the unit without -fopenmp, so that the syntax tree is complete. Directives are
read from their own tokens. The statement that follows a directive is its structured block.
"""
