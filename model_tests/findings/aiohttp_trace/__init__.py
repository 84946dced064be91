"""aiohttp: a request that is cancelled in a trace leaves its connection open, outside the pool."""
