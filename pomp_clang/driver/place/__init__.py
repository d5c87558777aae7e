"""A rewritten text in the place of the original: an overlay for clang, copies for gcc."""
