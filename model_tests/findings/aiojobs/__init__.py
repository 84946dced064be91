"""Bugs of aiojobs: one plain script for all of them."""
