"""Specifications that are held against the kit itself: a stored corpus, and a generator of random ones."""
