"""aiotools: race() swallows a cancel that comes while the losers end."""
