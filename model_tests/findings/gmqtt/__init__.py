"""Bugs of gmqtt: one plain script for all of them."""
