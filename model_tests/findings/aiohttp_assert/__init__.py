"""aiohttp: a request that is prepared while its session is closed raises a bare AssertionError."""
