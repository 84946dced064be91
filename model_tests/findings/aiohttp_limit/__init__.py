"""aiohttp: a request that finds an idle connection does not heed the limit of its connector."""
