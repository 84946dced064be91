"""asyncio-pool: join() waits for ever if the last call was cancelled while it waited for a place."""
