"""Bugs of async-lru: one plain script for all of them."""
