"""anyio: a call of a cached function raises KeyError if the call that it waits for fails."""
