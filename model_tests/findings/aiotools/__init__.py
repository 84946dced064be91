"""Bugs of aiotools: one plain script for all of them."""
