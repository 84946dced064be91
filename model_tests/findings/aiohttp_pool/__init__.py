"""aiohttp: a request that is cancelled after it was woken keeps the wake-up of the next one."""
