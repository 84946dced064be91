"""Witnesses of the fourth set."""
