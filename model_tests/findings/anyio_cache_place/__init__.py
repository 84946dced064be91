"""anyio: each call of a cached function that fails takes a place of the cache for ever."""
