"""Bugs of aiohttp: one plain script for all of them."""
