"""Bugs of tornado: one plain script for all of them."""
