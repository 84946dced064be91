"""Bugs of aiochannel: one plain script for all of them."""
