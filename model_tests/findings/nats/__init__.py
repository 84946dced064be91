"""Bugs of nats: one plain script for all of them."""
