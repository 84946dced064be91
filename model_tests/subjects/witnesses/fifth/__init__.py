"""Witnesses of the fifth set."""
