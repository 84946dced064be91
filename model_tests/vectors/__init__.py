"""Vectors: small programs with what has to be seen of them, for any runtime, and who plays them."""
