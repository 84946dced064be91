"""Bugs of CPython's own library: one plain script for all of them."""
