"""asyncio-pool: cancel() of a call that has not begun loses a place of the pool."""
