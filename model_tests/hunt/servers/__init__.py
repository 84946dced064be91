"""Harnesses: servers, and their shutdown."""
