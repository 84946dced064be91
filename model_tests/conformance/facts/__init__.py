"""Facts: documented behaviour that no program has a word for, each a short test on plain asyncio."""
