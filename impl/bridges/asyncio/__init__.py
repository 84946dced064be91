"""Unmodified asyncio programs on impl's kernel and simulated network."""
