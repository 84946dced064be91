"""Bugs of cashews: one plain script for all of them."""
