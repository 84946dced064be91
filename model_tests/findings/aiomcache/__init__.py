"""Bugs of aiomcache: one plain script for all of them."""
