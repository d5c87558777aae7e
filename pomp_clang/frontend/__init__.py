"""Translation unit -> constructs.

The unit is parsed by libclang without -fopenmp, so that the whole syntax tree is
there; directives are read from their own tokens, and the statement that follows one
is its structured block.
"""
