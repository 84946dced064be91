"""impl's futures, tasks and primitives on asyncio's event loop, under asyncio's names."""
