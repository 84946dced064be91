"""Unmodified trio programs on impl's clock and simulated network."""
