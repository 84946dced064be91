"""async-lru: cache_close() leaves loads running whose entries the cache has dropped."""
