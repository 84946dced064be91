"""Readers of a specification as it is written: the subset of Python it keeps to, and the document made from it."""
