"""Teaching code: rungs 23, 24 and 28, py-coro-impl's way: coroutines on an event queue and promise-like futures."""
