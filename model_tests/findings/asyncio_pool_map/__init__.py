"""asyncio-pool: map() and spawn() swallow the cancel of a caller that waits for a place."""
