"""Bugs of asyncio-pool: one plain script for all of them."""
