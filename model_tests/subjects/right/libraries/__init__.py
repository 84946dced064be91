"""Libraries' primitives and loops, under asyncio's names."""
