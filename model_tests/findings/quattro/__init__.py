"""Bugs of quattro: one plain script for all of them."""
