"""Defects on purpose: real code with one rule taken away, which the checks must catch."""
