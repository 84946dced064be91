"""Bugs of aiocache: one plain script for all of them."""
