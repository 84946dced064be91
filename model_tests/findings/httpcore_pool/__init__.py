"""httpcore: a request that is cancelled leaves its connection in the pool."""
