"""Threads of explored programs."""
