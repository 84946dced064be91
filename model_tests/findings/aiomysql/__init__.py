"""Bugs of aiomysql: one plain script for all of them."""
