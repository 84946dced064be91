"""Specifications as modules of TLA+, and TLC's search of them: a second reading of the texts, and a second search."""
