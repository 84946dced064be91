"""Vectors: small programs with their expected output, for any runtime, and the players for them."""
