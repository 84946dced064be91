"""Bugs of aiodataloader: one plain script for all of them."""
