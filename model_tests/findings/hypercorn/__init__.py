"""Bugs of hypercorn: one plain script for all of them."""
