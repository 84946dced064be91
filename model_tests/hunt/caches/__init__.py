"""Harnesses: caches and memoisers."""
