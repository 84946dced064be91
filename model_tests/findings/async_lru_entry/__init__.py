"""async-lru: a load that was cancelled removes the entry of its successor, and the key is loaded again."""
