"""Witnesses of the third set."""
