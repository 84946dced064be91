"""Bugs of anyio: one plain script for all of them."""
