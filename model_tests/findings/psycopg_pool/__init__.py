"""Bugs of psycopg-pool: one plain script for all of them."""
