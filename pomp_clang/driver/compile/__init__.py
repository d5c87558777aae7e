"""The compile of the rewritten texts, and the way back where the compiler rejects them."""
